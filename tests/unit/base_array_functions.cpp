// Sine, cosine and exponential of arrays: as accurate as one by one.
#include "base/array_functions.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

namespace aleator::core {
namespace ALEATOR_FILE {

std::vector<double> spread(double largest, int n) {
  std::vector<double> x;
  for (int i = 0; i < n; ++i) x.push_back(largest * std::sin(1.0 + 0.7 * i));  // no multiples of anything
  return x;
}

TEST(ArrayFunctions, are_those_of_the_standard_library) {
  for (const double largest : {1e-9, 0.5, 3.0, 4000.0, 9.9e5}) {
    const std::vector<double> x = spread(largest, 3001);
    std::vector<double> s(x.size()), c(x.size());
    sines(x.data(), s.data(), x.size());
    cosines(x.data(), c.data(), x.size());
    for (std::size_t i = 0; i < x.size(); ++i) {  // an ulp of 1, and that of the standard library
      ASSERT_NEAR(s[i], std::sin(x[i]), 3e-16) << x[i];
      ASSERT_NEAR(c[i], std::cos(x[i]), 3e-16) << x[i];
    }
  }
  for (const double largest : {1e-9, 1.0, 690.0}) {
    const std::vector<double> x = spread(largest, 3001);
    std::vector<double> y(x.size());
    exponentials(x.data(), y.data(), x.size());
    for (std::size_t i = 0; i < x.size(); ++i) ASSERT_NEAR(y[i] / std::exp(x[i]), 1, 5e-16) << x[i];
  }
  for (const double largest : {1e-9, 0.1, 0.7, 3.0, 30.0, 1e9}) {
    const std::vector<double> x = spread(largest, 3001);
    std::vector<double> y(x.size());
    hyperbolic_tangents(x.data(), y.data(), x.size());
    for (std::size_t i = 0; i < x.size(); ++i) ASSERT_NEAR(y[i] / std::tanh(x[i]), 1, 5e-16) << x[i];
    magnitudes(x.data(), y.data(), x.size());
    square_roots(y.data(), y.data(), y.size());
    for (std::size_t i = 0; i < x.size(); ++i) ASSERT_EQ(y[i], std::sqrt(std::abs(x[i])));
  }
}

TEST(ArrayFunctions, leave_what_is_far_away_to_the_standard_library) {
  const double infinite = std::numeric_limits<double>::infinity(), none = std::numeric_limits<double>::quiet_NaN();
  std::vector<double> x = {0, 1e7, -1e300, infinite, -infinite, none, 1, 800, -800};
  std::vector<double> s(x.size()), c(x.size()), e(x.size());
  sines(x.data(), s.data(), x.size());
  cosines(x.data(), c.data(), x.size());
  exponentials(x.data(), e.data(), x.size());
  for (std::size_t i : {1u, 2u}) {
    EXPECT_EQ(s[i], std::sin(x[i]));
    EXPECT_EQ(c[i], std::cos(x[i]));
  }
  for (std::size_t i : {3u, 4u, 5u}) EXPECT_TRUE(std::isnan(s[i]) && std::isnan(c[i]));
  EXPECT_EQ(e[3], infinite);
  EXPECT_EQ(e[4], 0);
  EXPECT_TRUE(std::isnan(e[5]));
  EXPECT_EQ(e[7], infinite);
  EXPECT_EQ(e[8], 0);
  EXPECT_TRUE(all_finite(x.data(), 3));
  for (std::size_t i : {3u, 4u, 5u}) EXPECT_FALSE(all_finite(x.data() + i, 1));
  EXPECT_FALSE(all_finite(x.data(), x.size()));
  hyperbolic_tangents(x.data(), e.data(), x.size());
  EXPECT_EQ(e[0], 0);
  EXPECT_EQ(e[3], 1);
  EXPECT_EQ(e[4], -1);
  EXPECT_TRUE(std::isnan(e[5]));
  sines(x.data(), x.data(), 3);  // in place
  EXPECT_EQ(x[1], std::sin(1e7));
}

}  // namespace ALEATOR_FILE
}  // namespace aleator::core
