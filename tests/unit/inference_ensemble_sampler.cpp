// The ensemble sampler: densities with known moments. Tolerances are five standard errors with the n effective draws that the sampler
// claims, std/√n of a mean and std/√(2n) of a standard deviation: a claim that is too good makes the tests fail.
#include "inference/ensemble_sampler.hpp"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <cmath>
#include <numbers>

#include "uncertainty/stream.hpp"

namespace aleator::core::inference {
namespace ALEATOR_FILE {

using View = std::span<const double>;

Uniform uniforms(std::uint64_t seed) {
  return [s = Stream(seed, 3, 4)]() mutable { return s.uniform(); };
}

EnsembleSample sample(const Function& f, const Place& centre, double scale, std::uint64_t seed = 1,
                      const SamplerSettings& settings = {}) {
  const Uniform u = uniforms(seed);
  const Place scales(centre.size(), scale);
  return sample_ensemble(f, walkers_around(centre, scales, default_walkers(int(centre.size())), f, u), u, settings);
}

// Normal with standard deviations 0.02 to 0.05 and correlations 0.9: narrow, oblique, and far from the walls.
struct Correlated {
  Eigen::Vector4d mean{0.4, 0.5, 0.6, 0.5}, std{0.02, 0.05, 0.03, 0.04};
  Eigen::Matrix4d covariance, precision;
  Correlated() {
    for (int i = 0; i < 4; ++i)
      for (int j = 0; j < 4; ++j) covariance(i, j) = std[i] * std[j] * (i == j ? 1 : 0.9);
    precision = covariance.inverse();
  }
  double operator()(View x) const {
    const Eigen::Vector4d e = Eigen::Map<const Eigen::Vector4d>(x.data()) - mean;
    return -e.dot(precision * e) / 2;
  }
};

double two_maxima(View x) {
  const auto q = [&](double c) { return -((x[0] - c) * (x[0] - c) + (x[1] - c) * (x[1] - c)) / 2 / 0.0016; };
  return std::log(0.7 * std::exp(q(0.3)) + 0.3 * std::exp(q(0.7)));
}

TEST(EnsembleSampler, correlated_normal) {
  const Correlated normal;
  const EnsembleSample s = sample(normal, {0.4, 0.5, 0.6, 0.5}, 0.005);
  EXPECT_TRUE(s.long_enough);
  EXPECT_TRUE(s.warnings.empty());
  for (int j = 0; j < 4; ++j) {
    const SampledParameter& p = s.parameters[std::size_t(j)];
    const double error = 5 * normal.std[j] / std::sqrt(p.effective);
    EXPECT_GE(p.effective, 2000);
    EXPECT_LT(p.r_hat, 1.02);
    EXPECT_NEAR(p.mean, normal.mean[j], error);
    EXPECT_NEAR(p.std, normal.std[j], error / std::numbers::sqrt2);
    // a quantile at p: √(p (1 − p)) / density = 2.67 times the error of the mean
    EXPECT_NEAR(p.lower, normal.mean[j] - 1.959964 * normal.std[j], 2.7 * error);
    EXPECT_NEAR(p.upper, normal.mean[j] + 1.959964 * normal.std[j], 2.7 * error);
  }
  // The draws themselves: about 2000, with the covariances; correlations have errors (1 − 0.9²)/√n.
  EXPECT_NEAR(double(s.draws.size()), 2000, 500);
  Eigen::Matrix4d second = Eigen::Matrix4d::Zero();
  for (const Place& x : s.draws) {
    const Eigen::Vector4d e = Eigen::Map<const Eigen::Vector4d>(x.data()) - normal.mean;
    second += e * e.transpose() / double(s.draws.size());
  }
  for (int i = 0; i < 4; ++i)
    for (int j = 0; j < i; ++j)
      EXPECT_NEAR(second(i, j) / std::sqrt(second(i, i) * second(j, j)), 0.9, 5 * 0.19 / std::sqrt(1000.0));
}

TEST(EnsembleSampler, claims_the_right_number_of_effective_draws) {
  // Errors of the mean in units of std/√n over 40 samples: their mean square is 1, with a standard error of √(2/40) = 0.22 per parameter;
  // three of them, and 0.2 for what τ itself is uncertain.
  const Correlated normal;
  double squares = 0;
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    const EnsembleSample s = sample(normal, {0.4, 0.5, 0.6, 0.5}, 0.005, seed, {.effective = 500});
    const double z = (s.parameters[0].mean - 0.4) * std::sqrt(s.parameters[0].effective) / 0.02;
    squares += z * z / 40;
  }
  EXPECT_NEAR(squares, 1, 0.86);
}

TEST(EnsembleSampler, banana) {
  // a normal, b given a normal about a² (in units 0.1 and 0.05): mean of b 1, variance 1 + 2, no correlation, but dependence.
  const Function banana = [](View x) {
    const double a = (x[0] - 0.5) / 0.1, b = (x[1] - 0.3) / 0.05;
    return -a * a / 2 - (b - a * a) * (b - a * a) / 2;
  };
  const EnsembleSample s = sample(banana, {0.5, 0.3}, 0.02);
  EXPECT_TRUE(s.long_enough);
  const SampledParameter &a = s.parameters[0], &b = s.parameters[1];
  EXPECT_NEAR(a.mean, 0.5, 5 * 0.1 / std::sqrt(a.effective));
  EXPECT_NEAR(a.std, 0.1, 5 * 0.1 / std::sqrt(2 * a.effective));
  EXPECT_NEAR(b.mean, 0.35, 5 * 0.05 * std::sqrt(3) / std::sqrt(b.effective));
  // The fourth central moment of b is 60 + 6·2·1 + 3 = 75: the error of its std is √(75/9 − 1)/2 = 1.36 std/√n, instead of 1/√2.
  EXPECT_NEAR(b.std, 0.05 * std::sqrt(3), 5 * 1.36 * 0.05 * std::sqrt(3) / std::sqrt(b.effective));
}

TEST(EnsembleSampler, half_a_normal_at_the_wall) {
  const Function half = [](View x) { return -x[0] * x[0] / 0.02 - (1 - x[1]) * (1 - x[1]) / 0.0002; };  // σ = 0.1 and 0.01
  const EnsembleSample s = sample(half, {0, 1}, 0.01);
  EXPECT_TRUE(s.long_enough);
  const double mean = std::sqrt(2 / std::numbers::pi), std = std::sqrt(1 - 2 / std::numbers::pi);
  EXPECT_NEAR(s.parameters[0].mean, 0.1 * mean, 5 * 0.1 * std / std::sqrt(s.parameters[0].effective));
  EXPECT_NEAR(s.parameters[1].mean, 1 - 0.01 * mean, 5 * 0.01 * std / std::sqrt(s.parameters[1].effective));
  for (const Place& x : s.draws) EXPECT_TRUE(x[0] >= 0 && x[0] <= 1 && x[1] >= 0 && x[1] <= 1);
}

TEST(EnsembleSampler, flat_density_fills_the_box) {
  const EnsembleSample s = sample([](View) { return 0.0; }, {0.5, 0.5, 0.5}, 0.1);
  for (const SampledParameter& p : s.parameters) {
    EXPECT_NEAR(p.mean, 0.5, 5 / std::sqrt(12 * p.effective));
    EXPECT_NEAR(p.std, 1 / std::sqrt(12.0), 5 / std::sqrt(24 * p.effective));
    EXPECT_NEAR(p.lower, 0.025, 5 * std::sqrt(0.025 * 0.975 / p.effective));
  }
}

TEST(EnsembleSampler, two_maxima_with_walkers_at_both) {
  const EnsembleSample s = sample(two_maxima, {0.5, 0.5}, 0.2);  // ten standard deviations apart: differences lead across
  EXPECT_TRUE(s.long_enough);
  const double std = std::sqrt(0.0016 + 0.7 * 0.3 * 0.16);
  EXPECT_NEAR(s.parameters[0].mean, 0.42, 5 * std / std::sqrt(s.parameters[0].effective));
}

TEST(EnsembleSampler, says_when_walkers_stay_apart) {
  // Stretches alone do not lead from one maximum to the other.
  const EnsembleSample s =
      sample(two_maxima, {0.5, 0.5}, 0.2, 1, {.most_steps = 5000, .differential = 0, .names = {"mass.cov", "k"}});
  EXPECT_FALSE(s.long_enough);
  EXPECT_GT(s.parameters[0].r_hat, 1.05);
  EXPECT_EQ(s.parameters[0].effective, 0);
  ASSERT_FALSE(s.warnings.empty());
  EXPECT_NE(s.warnings[0].find("Posterior of mass.cov: parts of the sample disagree"), std::string::npos);
}

TEST(EnsembleSampler, accepted_limitation_a_maximum_where_nobody_starts) {
  const EnsembleSample s = sample(two_maxima, {0.3, 0.3}, 0.01);
  EXPECT_TRUE(s.warnings.empty());
  EXPECT_NEAR(s.parameters[0].mean, 0.3, 5 * 0.04 / std::sqrt(s.parameters[0].effective));
}

TEST(EnsembleSampler, says_when_it_was_too_short) {
  const EnsembleSample s = sample(Correlated(), {0.4, 0.5, 0.6, 0.5}, 0.005, 1, {.most_steps = 100});
  EXPECT_EQ(s.steps, 100);
  EXPECT_FALSE(s.long_enough);
  EXPECT_FALSE(s.warnings.empty());
}

TEST(EnsembleSampler, the_same_random_numbers_give_the_same_draws) {
  const EnsembleSample a = sample(two_maxima, {0.5, 0.5}, 0.2, 9), b = sample(two_maxima, {0.5, 0.5}, 0.2, 9);
  EXPECT_EQ(a.draws, b.draws);
  EXPECT_NE(a.draws, sample(two_maxima, {0.5, 0.5}, 0.2, 10).draws);
}

TEST(EnsembleSampler, one_dimension_and_impossible_places) {
  // Uniform on [0.2, 0.6]: NaN and −∞ elsewhere.
  const Function part = [](View x) { return x[0] < 0.2 ? NAN : x[0] > 0.6 ? -INFINITY : 0.0; };
  const EnsembleSample s = sample(part, {0.21}, 0.1);
  EXPECT_NEAR(s.parameters[0].mean, 0.4, 5 * 0.4 / std::sqrt(12 * s.parameters[0].effective));
  for (const Place& x : s.draws) EXPECT_TRUE(x[0] >= 0.2 && x[0] <= 0.6);
  EXPECT_THROW(sample(part, {0.9}, 1e-3), std::runtime_error);
  EXPECT_THROW(sample_ensemble(part, {{0.3}, {0.4}}, uniforms(1)), std::runtime_error);
  EXPECT_THROW(sample_ensemble(part, {}, uniforms(1)), std::runtime_error);
}

}  // namespace ALEATOR_FILE
}  // namespace aleator::core::inference
