// Two-sample tests: known values, and p-values that are uniform when there is no difference.
#include "analysis/two_sample.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "numerics/student.hpp"
#include "support/sample_tests.hpp"
#include "uncertainty/stream.hpp"

namespace aleator::core::analysis {
namespace ALEATOR_FILE {

using Parameters = std::vector<double>;

Parameters normal_sample(int n, double mean, double std, std::uint64_t trial, std::uint64_t side) {
  Stream s(11, trial, side);
  Parameters x;
  for (int k = 0; k < n; ++k) x.push_back(mean + std * s.normal());
  return x;
}

TEST(TwoSample, kolmogorov_table) {
  // The critical values of every table (Smirnov 1948), which have four decimals: dQ/dλ < 1 there.
  EXPECT_NEAR(kolmogorov_tail(1.2238), 0.10, 1e-4);
  EXPECT_NEAR(kolmogorov_tail(1.3581), 0.05, 1e-4);
  EXPECT_NEAR(kolmogorov_tail(1.6276), 0.01, 1e-4);
  EXPECT_NEAR(kolmogorov_tail(0.8276), 0.50, 1e-4);
  EXPECT_EQ(kolmogorov_tail(0), 1);
  EXPECT_NEAR(kolmogorov_tail(1 - 1e-12), kolmogorov_tail(1), 1e-11);  // the two series meet: slope about 1
}

TEST(TwoSample, distance_of_distributions) {
  EXPECT_EQ(kolmogorov_smirnov({1, 2, 3}, {4, 5, 6}).statistic, 1);
  EXPECT_EQ(kolmogorov_smirnov({3, 1, 2}, {2, 3, 1}).statistic, 0);
  EXPECT_EQ(kolmogorov_smirnov({1, 1, 1, 2}, {1, 2}).statistic, 0.25);  // ties: both jump at once
  EXPECT_EQ(kolmogorov_smirnov({1, INFINITY}, {1, 2}).statistic, 0.5);  // a time at which it never happens
  EXPECT_TRUE(std::isnan(kolmogorov_smirnov({}, {1}).p));
}

TEST(TwoSample, welch_by_hand) {
  // means 2 and 4, variances 1 and 4, s²/n = 1/3 and 4/3; ν = (5/3)² / ((1/3)²/2 + (4/3)²/2) = 50/17
  const TestResult r = welch({1, 2, 3}, {2, 4, 6});
  EXPECT_NEAR(r.statistic, -2 / std::sqrt(5.0 / 3), 1e-14);  // round-off
  EXPECT_NEAR(r.p, student_tails(2 / std::sqrt(5.0 / 3), 50.0 / 17), 1e-14);
  EXPECT_TRUE(std::isnan(welch({1, 1}, {2, 2}).p));
  EXPECT_TRUE(std::isnan(welch({1}, {2, 3}).p));
}

TEST(TwoSample, brown_forsythe_by_hand) {
  // distances from the medians: 1 0 1 and 4 0 4; means 2/3, 8/3, variances 1/3, 16/3, common 17/6
  const TestResult r = brown_forsythe({5, 6, 7}, {-4, 0, 4});
  EXPECT_NEAR(r.statistic, -2 / std::sqrt(17.0 / 6 * 2 / 3), 1e-14);  // round-off
  EXPECT_NEAR(r.p, student_tails(r.statistic, 4), 1e-14);
}

TEST(TwoSample, p_values_are_uniform_without_a_difference) {
  Parameters distribution, mean, spread;
  for (std::uint64_t trial = 0; trial < 1000; ++trial) {
    const Parameters a = normal_sample(150, 3, 2, trial, 1), b = normal_sample(260, 3, 2, trial, 2);
    distribution.push_back(kolmogorov_smirnov(a, b).p);
    mean.push_back(welch(a, b).p);
    spread.push_back(brown_forsythe(a, b).p);
  }
  // False alarm 9e-7 each; the asymptotic p-values are off by less than 0.01, which adds 0.3 to the statistic.
  for (const Parameters& p : {distribution, mean, spread})
    EXPECT_LT(kolmogorov(p, [](double x) { return std::min(1.0, std::max(0.0, x)); }), kolmogorov_bound);
}

TEST(TwoSample, each_finds_its_difference) {
  // Shifted by 0.5 of 1, n = 400 each: t = 7; scattered 1.5 times as much: F = 36. Chances to miss are below 1e-6.
  const Parameters a = normal_sample(400, 0, 1, 1, 3), moved = normal_sample(400, 0.5, 1, 1, 4),
                   wide = normal_sample(400, 0, 1.5, 1, 5);
  EXPECT_LT(kolmogorov_smirnov(a, moved).p, 1e-3);
  EXPECT_LT(welch(a, moved).p, 1e-3);
  EXPECT_GT(brown_forsythe(a, moved).p, 1e-6);  // false alarm 1e-6
  EXPECT_LT(brown_forsythe(a, wide).p, 1e-3);
  EXPECT_GT(welch(a, wide).p, 1e-6);
}

}  // namespace ALEATOR_FILE
}  // namespace aleator::core::analysis
