// Statistics of an expansion, corrected by realizations it has not seen.
#include "analysis/control_variate.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

namespace aleator::core::analysis {
namespace ALEATOR_FILE {

constexpr double infinity = std::numeric_limits<double>::infinity();

TEST(ControlVariate, a_probability_moves_by_those_that_differ) {
  // Of ten, the model exceeds 0 in five, the expansion in three of these and in none else.
  const std::vector<double> f = {1, 1, 1, 1, 1, -1, -1, -1, -1, -1}, g = {1, 1, 1, -1, -1, -1, -1, -1, -1, -1};
  const Disagreement d = disagreement(f, g, 0, 0);
  EXPECT_NEAR(d.shift, -0.2, 1e-15);
  EXPECT_NEAR(d.chance, 0.2, 1e-15);
  const results::Estimate p = corrected_probability({0.31, 0.003}, d, 10);
  EXPECT_NEAR(p.value, 0.51, 1e-15);
  EXPECT_NEAR(p.error, std::hypot(0.003, std::sqrt((0.2 - 0.04) / 10)), 1e-15);
}

TEST(ControlVariate, where_none_differs_the_distances_and_the_density_tell_how_likely_it_is) {
  const std::vector<double> f = {1.1, 2.1, -1.1, -2.1}, g = {1, 2, -1, -2};
  const Disagreement d = disagreement(f, g, 0, 0.5);
  EXPECT_EQ(d.shift, 0);
  EXPECT_NEAR(d.chance, 0.5 * 0.1, 1e-15);
  EXPECT_EQ(disagreement(g, g, 0, 0.5).error(4), 0);                     // an exact expansion
  EXPECT_EQ(corrected_probability({0.99, 0}, {-0.2, 0.2}, 4).value, 1);  // no more than certain
}

TEST(ControlVariate, a_mean_and_a_standard_deviation_are_those_of_the_model) {
  // g lacks a constant and half the spread of f: both come back, as the judges are all there is.
  const std::vector<double> f = {-1, 1, -1, 1, 3, 3, -3, -3}, g = {-0.5, 0.5, -0.5, 0.5, 1.5, 1.5, -1.5, -1.5};
  std::vector<double> shifted = f;
  for (double& x : shifted) x += 2;
  EXPECT_NEAR(corrected_mean({0, 0}, shifted, g, 1).value, 2, 1e-15);
  // σ + mean (x² − y²)/2σ with σ² = 1.25 of g and 5 of f: linearised, 1.118 + 3.75/2.236
  EXPECT_NEAR(corrected_std({std::sqrt(1.25), 0}, 0, f, g, 1).value, std::sqrt(1.25) + 3.75 / (2 * std::sqrt(1.25)), 1e-14);
  EXPECT_EQ(corrected_mean({0.3, 0.1}, g, g, 1).value, 0.3);
  EXPECT_EQ(corrected_mean({0.3, 0.1}, g, g, 1).error, 0.1);
}

// 64 judges, of which 2 differ: κ is 64/2, ν = 2 · 64/31 ≈ 4, and t(4.1)/2 is 1.42 (of two standard errors).
TEST(ControlVariate, few_differences_know_their_scatter_badly) {
  std::vector<double> f(64, 0.0), g(64, 0.0);
  f[3] = 1, f[40] = -1;
  const double plain = std::sqrt(2.0 / (64 * 63)), stated = corrected_mean({0, 0}, f, g, 1).error;
  EXPECT_NEAR(stated / plain, 1.42, 0.01);
  for (std::size_t k = 0; k < 64; ++k) f[k] = k % 2 ? 1 : -1;  // all differ: as of 63 degrees of freedom, 1.02
  EXPECT_NEAR(corrected_mean({0, 0}, f, g, 1).error * std::sqrt(63.0), 1.02, 0.005);
}

TEST(ControlVariate, values_that_never_come_count_as_none) {
  const std::vector<double> f = {1, 2, infinity, 3}, g = {1, 2, infinity, infinity};
  // The mean of those that have a value: (1 + 2 + 3)/3, from 1.5 with a share of one half: + (3 − 1.5)/4/0.5
  EXPECT_NEAR(corrected_mean({1.5, 0}, f, g, 0.5).value, 1.5 + 0.75, 1e-15);
  EXPECT_NEAR(disagreement(f, g, 5, 0).shift, 0.25, 1e-15);
}

}  // namespace ALEATOR_FILE
}  // namespace aleator::core::analysis
