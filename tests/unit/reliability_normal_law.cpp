#include "reliability/normal_law.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace ALEATOR_FILE {

using namespace aleator::core::reliability;

TEST(NormalLaw, QuantilesInvertProbabilities) {
  for (const double p : {0.9, 0.5, 0.3, 1e-3, 1e-9, 1e-30, 1e-200}) {
    EXPECT_NEAR(normal_tail(tail_quantile(p)) / p, 1, 1e-10) << p;  // round-off of x, times x dx
    EXPECT_DOUBLE_EQ(normal_quantile(p), -tail_quantile(p));
  }
  EXPECT_NEAR(tail_quantile(1e-5), 4.264890793922602, 1e-12);
  EXPECT_TRUE(std::isinf(tail_quantile(0)));
}

TEST(NormalLaw, BeyondIsTheLawOfTheTail) {
  EXPECT_NEAR(normal_tail(beyond(4, 0.25)) / normal_tail(4), 0.25, 1e-9);
  EXPECT_NEAR(beyond(-9, 0.5), 0, 1e-6);
  EXPECT_GT(beyond(45, 0.5), 45);  // where Φ underflows
}

}  // namespace ALEATOR_FILE
