// Multilevel and control-variate estimators on levels whose laws are known:  f_l = x + 2^−l y  with independent standard normal x, y:
//   var f_l = 1 + 4^−l,   var(f_l − f_{l−1}) = 4^−l,   cov(f_1, f_0) = 1 + ½.
#include "analysis/multilevel.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "support/sample_tests.hpp"
#include "uncertainty/stream.hpp"

namespace aleator::core::analysis {
namespace ALEATOR_FILE {

// One level with n realizations, independent of those of other levels. `points` outputs, the i-th scaled by i + 1.
LevelSample level(int l, long n, std::uint64_t seed, double mean = 0, std::size_t points = 1, bool same = false) {
  LevelSample s;
  s.realizations = n;
  for (long k = 0; k < n; ++k) {
    Stream stream(seed, std::uint64_t(k), std::uint64_t(l));
    const double x = mean + stream.normal(), y = stream.normal();
    for (std::size_t i = 0; i < points; ++i) {
      s.fine.push_back(double(i + 1) * (x + (same ? 1 : std::ldexp(1, -l)) * y));
      if (l > 0) s.coarse.push_back(double(i + 1) * (x + (same ? 1 : std::ldexp(1, 1 - l)) * y));
    }
  }
  return s;
}

const std::vector<double> one_time = {0}, no_nominal = {0};
MultilevelRequest questions(bool fitted = false) { return {one_time, no_nominal, 1, 0.9, fitted}; }

constexpr int studies = 1000;

struct Scatter {
  double mean = 0, square = 0, stated = 0;
  int within = 0;
  void add(double value, double error, double exact) {
    mean += value / studies;
    square += (value - exact) * (value - exact) / studies;
    stated += error * error / studies;
    within += std::abs(value - exact) <= 2 * error;
  }
  double rms() const { return std::sqrt(square); }
};

// Estimates have no bias: their mean over 1000 studies is exact within five standard errors of it. Stated errors are the errors
// made: rms errors of 1000 normal values are known to 1/√2000 = 2.2 %, five of these are 0.11; of second moments, whose tails
// are heavier, 0.2. Within two stated errors lie 95.4 % ± 5 · 0.7 %, a little fewer where a level has 20 realizations only.
TEST(Multilevel, has_no_bias_and_knows_its_errors) {
  constexpr double mu = 0.7;
  const double sigma = std::sqrt(1 + std::pow(4.0, -2));
  Scatter mean, std;
  for (int k = 0; k < studies; ++k) {
    const std::uint64_t seed = 100 + std::uint64_t(k);
    const std::vector<LevelSample> levels = {level(0, 200, seed, mu), level(1, 80, seed, mu), level(2, 20, seed, mu)};
    const results::ChannelStatistics c = multilevel_statistics(levels, questions()).channels[0];
    mean.add(c.mean[0], c.mean_error[0], mu);
    std.add(c.std[0], c.std_error[0], sigma);
  }
  EXPECT_NEAR(mean.mean, mu, five_sigma * mean.rms() / std::sqrt(studies));
  // Σ V_l/N_l = 2/200 + ¼/80 + 1/16/20
  const double exact = std::sqrt(2.0 / 200 + 0.25 / 80 + 0.0625 / 20);
  EXPECT_NEAR(mean.rms() / exact, 1, 0.11);
  EXPECT_NEAR(mean.rms() / std::sqrt(mean.stated), 1, 0.11);
  EXPECT_NEAR(mean.within / double(studies), 0.954, 0.035);
  // the standard deviation: the root of an estimate has a bias of s²/2σ, beside five standard errors; and the second moment is
  // taken about the mean found, which takes its variance, 1.6 %, away
  EXPECT_NEAR(std.mean, sigma, five_sigma * std.rms() / std::sqrt(studies) + std.square / (2 * sigma) + 0.016 / (2 * sigma));
  EXPECT_NEAR(std.rms() / std::sqrt(std.stated), 1, 0.2);
}

// A study of the finest level alone, of the same cost, would be worse: the point of it.
TEST(Multilevel, is_better_than_its_finest_level_alone) {
  const double alone = std::sqrt((1 + 0.0625) / 20);
  const std::vector<LevelSample> levels = {level(0, 200, 5), level(1, 80, 5), level(2, 20, 5)};
  EXPECT_LT(multilevel_statistics(levels, questions()).channels[0].mean_error[0], 0.7 * alone);
}

TEST(Multilevel, levels_that_are_the_same_correct_nothing) {
  const std::vector<LevelSample> levels = {level(0, 100, 3), level(1, 30, 3, 0, 1, true), level(2, 10, 3, 0, 1, true)};
  const std::vector<double> v = level_variances(levels, questions());
  EXPECT_EQ(v[1], 0);
  EXPECT_EQ(v[2], 0);
  const results::ChannelStatistics c = multilevel_statistics(levels, questions()).channels[0];
  double mean = 0, square = 0;
  for (const double x : levels[0].fine) mean += x / 100;
  for (const double x : levels[0].fine) square += (x - mean) * (x - mean) / 100;
  EXPECT_NEAR(c.mean[0], mean, 1e-15);  // round-off: that of the coarsest level alone
  EXPECT_NEAR(c.std[0], std::sqrt(square), 1e-14);
  // then one level is all there is, and the band that of its sample
  const results::ChannelStatistics one = multilevel_statistics({levels.data(), 1}, questions()).channels[0];
  EXPECT_EQ(one.mean[0], c.mean[0]);
  EXPECT_EQ(one.lower[0], c.lower[0]);
  EXPECT_EQ(one.upper[0], c.upper[0]);
}

TEST(Multilevel, relative_variances_of_levels) {
  // of the mean: var f_0 = 2 and 4^−l, relative to var f_2 = 1.0625, from 20000 realizations: five standard errors √(2/20000) = 5 %.
  // Of the second moment, over 4σ⁴: var (f_0 − μ)² = 2 (var f_0)² = 8; corrections d_l = f_l² − f_{l−1}² with f_l = x + a y,
  // f_{l−1} = x + 2a y: d = −2a xy − 3a² y², var 4a² + 18 a⁴: the larger for l = 0 and for l = 2.
  const std::vector<LevelSample> levels = {level(0, 20000, 9), level(1, 20000, 9), level(2, 20000, 9)};
  const std::vector<double> v = level_variances(levels, questions());
  const double s = 1.0625;
  const auto larger = [&](double mean, double second) { return std::max(mean / s, second / (4 * s * s)); };
  const auto correction = [](double a) { return 4 * a * a + 18 * std::pow(a, 4); };
  EXPECT_NEAR(v[0] / larger(2, 8), 1, 0.15);  // heavier tails of squares: three times 5 %
  EXPECT_NEAR(v[1] / larger(0.25, correction(0.5)), 1, 0.15);
  EXPECT_NEAR(v[2] / larger(0.0625, correction(0.25)), 1, 0.15);
}

TEST(Multilevel, outputs_do_not_mix) {
  const std::vector<double> times = {0, 1}, nominal = {0, 0, 0, 0};
  const std::vector<LevelSample> many = {level(0, 50, 4, 0.3, 4), level(1, 20, 4, 0.3, 4)},
                                 one = {level(0, 50, 4, 0.3), level(1, 20, 4, 0.3)};
  const results::StudyStatistics s = multilevel_statistics(many, {times, nominal, 2, 0.9, false});
  const results::ChannelStatistics single = multilevel_statistics(one, questions()).channels[0];
  ASSERT_EQ(s.channels.size(), 2u);
  EXPECT_EQ(s.realizations, 20);
  for (std::size_t t = 0; t < 2; ++t)
    for (std::size_t c = 0; c < 2; ++c) {  // [times][channels], the i-th scaled by i + 1: everything scales, up to round-off
      const double scale = double(t * 2 + c + 1);
      EXPECT_NEAR(s.channels[c].mean[t], scale * single.mean[0], 1e-14);
      EXPECT_NEAR(s.channels[c].std[t], scale * single.std[0], 1e-13);
      EXPECT_NEAR(s.channels[c].lower[t], scale * single.lower[0], 1e-13);
      EXPECT_TRUE(std::isnan(s.channels[c].upper_error[t]));  // bands of several levels have no honest error
    }
}

// β = cov(f, g)/var(g) / (1 + N_1/N_0) = 1.5/2/(1 + N_1/N_0), and the variance it makes smallest:
//   V(β) = (var f − 2β cov + β² var g)/N_1 + β² var g/N_0.
TEST(ControlVariate, takes_the_best_factor) {
  constexpr long n0 = 400, n1 = 100;
  const double var_f = 1.25, var_g = 2, cov = 1.5, best = cov / var_g / (1 + double(n1) / n0);
  const auto variance = [&](double beta) {
    return (var_f - 2 * beta * cov + beta * beta * var_g) / n1 + beta * beta * var_g / n0;
  };
  ASSERT_LT(variance(best), variance(best + 0.01));  // the formula itself
  ASSERT_LT(variance(best), variance(best - 0.01));
  Scatter fitted, plain;
  for (int k = 0; k < studies; ++k) {
    const std::uint64_t seed = 5000 + std::uint64_t(k);
    const std::vector<LevelSample> levels = {level(0, n0, seed, 0.4), level(1, n1, seed, 0.4)};
    const results::ChannelStatistics a = multilevel_statistics(levels, questions(true)).channels[0],
                                     b = multilevel_statistics(levels, questions(false)).channels[0];
    fitted.add(a.mean[0], a.mean_error[0], 0.4);
    plain.add(b.mean[0], b.mean_error[0], 0.4);
  }
  // Bounds as above. The fitted β is an estimate, which adds 1/N_1 = 1 % to the variance.
  EXPECT_NEAR(fitted.mean, 0.4, five_sigma * fitted.rms() / std::sqrt(studies) + 1e-3);
  EXPECT_NEAR(fitted.rms() / std::sqrt(variance(best)), 1, 0.12);
  EXPECT_NEAR(plain.rms() / std::sqrt(variance(1)), 1, 0.11);
  EXPECT_NEAR(fitted.rms() / std::sqrt(fitted.stated), 1, 0.12);
  EXPECT_NEAR(fitted.within / double(studies), 0.954, 0.035);
  // √(V(0.6)/V(1)) = 0.94: both see the same samples, and so the same luck
  EXPECT_LT(fitted.rms(), plain.rms());
}

// What a pilot of as many coarse as fine realizations says about the division to come: with β = cov/var(g) = ¾ the correction has
// variance var f − cov²/var g = 1/8, the coarse part β² var g = 9/8, of var f = 5/4; with the pilot's own β, half of that, the
// correction has var f − ¾ cov²/var g = 0.41. Means alone count: the second moments' parts are smaller. Sampling: as above, 0.15.
TEST(ControlVariate, a_pilot_sees_how_useful_the_coarse_model_will_be) {
  const std::vector<LevelSample> pilot = {level(0, 20000, 6), level(1, 20000, 6)};
  const std::vector<double> now = level_variances(pilot, questions(true)),
                            planned = level_variances(pilot, questions(true), true);
  EXPECT_NEAR(now[1] / (0.40625 / 1.25), 1, 0.15);
  EXPECT_LT(planned[1], 0.6 * now[1]);
  EXPECT_NEAR(planned[0] / (1.125 / 1.25), 1, 0.15);
  EXPECT_EQ(level_variances(pilot, questions(false), true), level_variances(pilot, questions(false)));
}

TEST(ControlVariate, a_coarse_model_that_says_nothing_is_left_out) {
  std::vector<LevelSample> levels = {level(0, 100, 1), level(1, 50, 1)};
  for (double& x : levels[0].fine) x = 3;
  for (double& x : levels[1].coarse) x = 3;
  const results::ChannelStatistics c = multilevel_statistics(levels, questions(true)).channels[0];
  double mean = 0;
  for (const double x : levels[1].fine) mean += x / 50;
  EXPECT_NEAR(c.mean[0], mean, 1e-15);  // β = 0
}

// N_l = budget √(V_l/C_l) / Σ √(V C), rounded down.
TEST(Multilevel, allocation) {
  const std::vector<double> variances = {4, 1, 0.25}, costs = {1, 4, 16};  // √(VC) = 2, 2, 2; √(V/C) = 2, ½, ⅛
  EXPECT_EQ(allocate(variances, costs, 600, 2), (std::vector<long>{200, 50, 12}));
  // The finest level at its least costs 480, and the others share what is left.
  EXPECT_EQ(allocate(variances, costs, 600, 30), (std::vector<long>{30, 30, 30}));
  EXPECT_EQ(allocate(variances, costs, 600, 14), (std::vector<long>{188, 47, 14}));
  EXPECT_EQ(allocate(std::vector<double>{0, 0, 0}, costs, 600, 7), (std::vector<long>{7, 7, 7}));
  EXPECT_EQ(allocate(std::vector<double>{1, 0, 0}, costs, 600, 7), (std::vector<long>{460, 7, 7}));
  // No other division of the same cost has a smaller variance: of some thousand random ones.
  const auto variance = [&](const std::vector<double>& n) { return 4 / n[0] + 1 / n[1] + 0.25 / n[2]; };
  const double best = variance({200, 50, 12.5});
  Stream s(1, 2, 3);
  for (int k = 0; k < 5000; ++k) {
    double share[3], sum = 0;
    for (double& x : share) sum += x = s.uniform();
    EXPECT_GE(variance({600 * share[0] / sum, 150 * share[1] / sum, 37.5 * share[2] / sum}), best * (1 - 1e-12));
  }
}

}  // namespace ALEATOR_FILE
}  // namespace aleator::core::analysis
