// Autocorrelation time and R̂ of chains whose values are known.
#include "inference/autocorrelation.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "uncertainty/stream.hpp"

namespace aleator::core::inference {
namespace ALEATOR_FILE {

// x' = a x + √(1 − a²) normal, [steps][walkers]: τ = (1 + a) / (1 − a).
std::vector<double> autoregressive(double a, int steps, int walkers, double apart = 0) {
  Stream s(2, 1, 1);
  std::vector<double> x(std::size_t(walkers), 0), all;
  for (double& v : x) v = s.normal();
  for (int k = 0; k < steps; ++k)
    for (int w = 0; w < walkers; ++w) {
      double& v = x[std::size_t(w)];
      v = a * v + std::sqrt(1 - a * a) * s.normal();
      all.push_back(v + (w % 2 ? apart : -apart));
    }
  return all;
}

TEST(Autocorrelation, time_of_known_chains) {
  // Relative standard error √(2 (2M + 1) / (steps walkers)) with M = 5 τ (Sokal): 1 to 4 %; three of them.
  for (const double a : {0.0, 0.5, 0.9, 0.98}) {
    const double tau = (1 + a) / (1 - a);
    EXPECT_NEAR(autocorrelation_time(autoregressive(a, 20000, 10), 10), tau, 3 * tau * std::sqrt(2 * (10 * tau + 1) / 2e5)) << a;
  }
}

TEST(Autocorrelation, walkers_apart_are_seen) {
  const std::vector<double> together = autoregressive(0.9, 2000, 10), apart = autoregressive(0.9, 2000, 10, 3);
  EXPECT_TRUE(std::isinf(autocorrelation_time(apart, 10)));
  // 20 chains of 1000 steps: their means have the variance τ/1000 = 0.019.
  EXPECT_NEAR(split_r_hat(together, 10), std::sqrt(1 + 0.019), 0.01);
  EXPECT_NEAR(split_r_hat(apart, 10), std::sqrt(10 * 20.0 / 19), 0.5);  // variance of the means 9 (20/19), within them 1
}

TEST(Autocorrelation, too_short_or_constant) {
  EXPECT_TRUE(std::isinf(autocorrelation_time(autoregressive(0.99, 500, 10), 10)));
  EXPECT_EQ(autocorrelation_time(std::vector<double>(100, 1.5), 10), 0);
  EXPECT_TRUE(std::isnan(split_r_hat(std::vector<double>(20, 1.5), 10)));
}

}  // namespace ALEATOR_FILE
}  // namespace aleator::core::inference
