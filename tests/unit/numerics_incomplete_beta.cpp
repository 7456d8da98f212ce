#include "numerics/incomplete_beta.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace aleator::core {
namespace ALEATOR_FILE {

TEST(IncompleteBeta, closed_forms) {
  for (const double x : {1e-8, 0.1, 0.5, 0.9}) {
    EXPECT_NEAR(incomplete_beta(1, 3, x), 1 - std::pow(1 - x, 3), 1e-14);
    EXPECT_NEAR(incomplete_beta(2, 2, x), x * x * (3 - 2 * x), 1e-14);
    EXPECT_NEAR(incomplete_beta_inverse(2, 2, incomplete_beta(2, 2, x)), x, 1e-9 * x);  // flat at the ends
  }
}

TEST(IncompleteBeta, what_a_count_says_of_a_probability) {
  EXPECT_EQ(clopper_pearson(0, 100).lower, 0);
  EXPECT_NEAR(clopper_pearson(0, 100).upper, 1 - std::pow(0.025, 0.01), 1e-14);
  EXPECT_NEAR(clopper_pearson(100, 100).lower, std::pow(0.025, 0.01), 1e-14);
  EXPECT_EQ(clopper_pearson(100, 100).upper, 1);
  // 10 of 100: textbook values
  EXPECT_NEAR(clopper_pearson(10, 100).lower, 0.0490, 5e-5);
  EXPECT_NEAR(clopper_pearson(10, 100).upper, 0.1762, 5e-5);
}

}  // namespace ALEATOR_FILE
}  // namespace aleator::core
