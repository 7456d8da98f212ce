// The same mechanism simulated in two ways: how far apart the results are.
#pragma once

#include <gtest/gtest.h>

#include "support/run.hpp"

namespace aleator::core::test {

// The largest difference of a channel, relative to the largest value of it (or to 1, if that is larger).
inline double difference(const Result& a, const Result& b, const std::string& name, const std::string& name_in_b = "") {
  const std::vector<double> x = a.channel(name), y = b.channel(name_in_b.empty() ? name : name_in_b);
  EXPECT_EQ(x.size(), y.size());
  double worst = 0, size = 1;
  for (size_t k = 0; k < std::min(x.size(), y.size()); ++k) {
    worst = std::max(worst, std::abs(x[k] - y[k]));
    size = std::max(size, std::abs(y[k]));
  }
  return worst / size;
}

// All channels of both agree, which must have the same names.
inline void expect_equal(const Result& a, const Result& b, double tolerance) {
  EXPECT_EQ(a.times, b.times);
  ASSERT_EQ(a.names, b.names);
  for (const std::string& name : a.names) EXPECT_LE(difference(a, b, name), tolerance) << name;
}

}  // namespace aleator::core::test
