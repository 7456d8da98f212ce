#include "support/same_numbers.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>

namespace aleator::core::test {

bool same_bits(double a, double b) { return std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b); }

bool same_bits(const std::vector<double>& a, const std::vector<double>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](double x, double y) { return same_bits(x, y); });
}

bool same_but_for_zeros(double a, double b) { return same_bits(a, b) || (a == 0 && b == 0); }

bool same_or_nan(double a, double b) { return a == b || (std::isnan(a) && std::isnan(b)); }

bool same_or_nan(const std::vector<double>& a, const std::vector<double>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](double x, double y) { return same_or_nan(x, y); });
}

void expect_same(const std::vector<double>& found, const std::vector<double>& expected, const std::string& what) {
  ASSERT_EQ(found.size(), expected.size()) << what;
  for (std::size_t i = 0; i < found.size(); ++i)
    EXPECT_TRUE(same_or_nan(found[i], expected[i])) << what << " [" << i << "] " << found[i] << " instead of " << expected[i];
}

}  // namespace aleator::core::test
