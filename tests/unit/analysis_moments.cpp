// Moments, one value after the other, against sums over the whole sample.
#include "analysis/moments.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "uncertainty/stream.hpp"

namespace aleator::core::analysis {
namespace ALEATOR_FILE {

std::vector<double> normal_sample(int n, double mean, double std, std::uint64_t seed) {
  std::vector<double> x;
  for (int k = 0; k < n; ++k) x.push_back(mean + std * Stream(seed, std::uint64_t(k), 1).normal());
  return x;
}

Moments of(const std::vector<double>& x) {
  Moments m(1);
  for (const double v : x) m.add(0, v);
  return m;
}

// In long double and two passes: round-off of the reference is negligible.
struct TwoPass {
  explicit TwoPass(const std::vector<double>& x) {
    const long double n = static_cast<long double>(x.size());
    long double sum = 0, s2 = 0, s4 = 0;
    for (const double v : x) sum += v;
    const long double m = sum / n;
    for (const double v : x) s2 += (v - m) * (v - m), s4 += (v - m) * (v - m) * (v - m) * (v - m);
    const long double variance = s2 / (n - 1);
    mean = double(m);
    std = double(std::sqrt(variance));
    // k-statistics, and the farther end of the interval of ln s
    const long double k4 = n * n * ((n + 1) * s4 / n - 3 * (n - 1) * s2 * s2 / (n * n)) / ((n - 1) * (n - 2) * (n - 3));
    const long double of_variance = (2 * n * variance * variance + (n - 1) * k4) / (n * (n + 1));
    std_error = double(std::sqrt(variance) * (std::exp(std::sqrt(of_variance) / variance) - 1) / 2);
  }
  double mean, std, std_error;
};

TEST(Moments, agree_with_two_pass_sums) {
  std::vector<double> x;  // skewed, so that third moments enter the fourth
  for (int k = 0; k < 5000; ++k) x.push_back(Stream(3, std::uint64_t(k), 1).gamma(0.7));
  const Moments m = of(x);
  const TwoPass r(x);
  // 5000 updates, each wrong by some 1e-16 of the result.
  EXPECT_NEAR(m.mean(0).value, r.mean, 1e-13 * r.mean);
  EXPECT_NEAR(m.standard_deviation(0).value, r.std, 1e-13 * r.std);
  EXPECT_NEAR(m.standard_deviation(0).error, r.std_error, 1e-12 * r.std_error);
  EXPECT_NEAR(m.mean(0).error, r.std / std::sqrt(5000.0), 1e-13 * r.std);
  EXPECT_EQ(m.count(0), 5000);
  EXPECT_EQ(m.minimum(0), *std::min_element(x.begin(), x.end()));
  EXPECT_EQ(m.maximum(0), *std::max_element(x.begin(), x.end()));
}

TEST(Moments, of_parts_appended_are_those_of_the_whole) {
  std::vector<double> x;
  for (int k = 0; k < 5000; ++k) x.push_back(Stream(3, std::uint64_t(k), 1).gamma(0.7));
  const TwoPass r(x);
  Moments m(1);
  for (const auto& [from, to] : {std::pair{0, 0}, {0, 1}, {1, 1700}, {1700, 1700}, {1700, 4999}, {4999, 5000}})
    m.append(of({x.begin() + from, x.begin() + to}));
  // As for updates.
  EXPECT_NEAR(m.mean(0).value, r.mean, 1e-13 * r.mean);
  EXPECT_NEAR(m.standard_deviation(0).value, r.std, 1e-13 * r.std);
  EXPECT_NEAR(m.standard_deviation(0).error, r.std_error, 1e-12 * r.std_error);
  EXPECT_EQ(m.count(0), 5000);
  EXPECT_EQ(m.minimum(0), *std::min_element(x.begin(), x.end()));
  EXPECT_EQ(m.maximum(0), *std::max_element(x.begin(), x.end()));
}

TEST(Moments, survive_an_offset_that_is_large_against_the_scatter) {
  const std::vector<double> x = normal_sample(10000, 1e8, 1, 4);
  const Moments m = of(x);
  const TwoPass r(x);
  // The values themselves are known to 1e8 · 1.1e-16 = 1e-8; 10⁴ roundings of the mean of that size, of random sign, leave some
  // 1e-8 in it and relative 1e-8 in central moments. A sum of squares would have lost them all (1e16 · 1e-16 = 1).
  EXPECT_NEAR(m.mean(0).value, r.mean, 1e-6);
  EXPECT_NEAR(m.standard_deviation(0).value, r.std, 1e-6);
  EXPECT_NEAR(m.standard_deviation(0).error, r.std_error, 1e-6);
}

TEST(Moments, the_error_of_a_normal_standard_deviation_is_s_over_root_2n) {
  const int n = 100000;
  const Moments m = of(normal_sample(n, 3, 2, 5));
  // The error rests on the sample's kurtosis 3 ± √(24/n); its square is (κ − 1)/4n of s², so relatively ± √(24/n)/4 = 0.4 %.
  // Five of these: false alarm 6e-7.
  EXPECT_NEAR(m.standard_deviation(0).error, 2 / std::sqrt(2.0 * n), 5 * 0.0039 * 2 / std::sqrt(2.0 * n));
  // The estimates themselves, within five of their errors: 6e-7 each.
  EXPECT_NEAR(m.mean(0).value, 3, 5 * m.mean(0).error);
  EXPECT_NEAR(m.standard_deviation(0).value, 2, 5 * m.standard_deviation(0).error);
}

// Of 32 values ± two errors cover 94 % if they are normal, 90 % if they are skewed (lognormal, cov 0.31); by moments of the sample
// without their bias, and symmetric in s, it was 90 and 85 %. 4000 samples know it to 0.5 %; three of these.
TEST(Moments, two_errors_of_a_standard_deviation_cover_it_also_of_few) {
  const int samples = 4000, n = 32;
  double normal = 0, skewed = 0;
  const double of_skewed = std::sqrt(std::expm1(0.09) * std::exp(0.09));
  for (int s = 0; s < samples; ++s) {
    std::vector<double> x = normal_sample(n, 0, 1, std::uint64_t(100 + s));
    const results::Estimate a = of(x).standard_deviation(0);
    for (double& v : x) v = std::exp(0.3 * v);
    const results::Estimate b = of(x).standard_deviation(0);
    normal += std::abs(a.value - 1) <= 2 * a.error ? 1.0 / samples : 0;
    skewed += std::abs(b.value - of_skewed) <= 2 * b.error ? 1.0 / samples : 0;
  }
  EXPECT_NEAR(normal, 0.941, 0.012);
  EXPECT_NEAR(skewed, 0.896, 0.015);
}

TEST(Moments, none_and_one_have_no_scatter) {
  Moments m(1);
  EXPECT_TRUE(std::isnan(m.mean(0).value));
  EXPECT_TRUE(std::isnan(m.mean(0).error));
  EXPECT_TRUE(std::isnan(m.standard_deviation(0).value));
  m.add(0, 2.5);
  EXPECT_EQ(m.mean(0).value, 2.5);
  EXPECT_TRUE(std::isnan(m.mean(0).error));
  EXPECT_TRUE(std::isnan(m.standard_deviation(0).value));
  EXPECT_TRUE(std::isnan(m.standard_deviation(0).error));
  EXPECT_EQ(m.minimum(0), 2.5);
  EXPECT_EQ(m.maximum(0), 2.5);
}

TEST(Moments, two_values_by_hand) {
  const Moments m = of({1, 3});
  EXPECT_EQ(m.mean(0).value, 2);
  EXPECT_NEAR(m.mean(0).error, 1, 1e-15);  // √2/√2
  EXPECT_NEAR(m.standard_deviation(0).value, std::sqrt(2.0), 1e-15);
  // Too few for a fourth moment: Var(s²)/s⁴ = 2/(n + 1) as of normal values.
  EXPECT_NEAR(m.standard_deviation(0).error, std::sqrt(2.0) * std::expm1(std::sqrt(2.0 / 3)) / 2, 1e-15);
}

TEST(Moments, a_constant_does_not_scatter) {
  const Moments m = of(std::vector<double>(1000, 0.1));
  EXPECT_EQ(m.mean(0).value, 0.1);
  EXPECT_EQ(m.standard_deviation(0).value, 0);
  EXPECT_EQ(m.standard_deviation(0).error, 0);
}

TEST(Moments, quantities_have_counts_of_their_own) {
  Moments m(3);
  m.add(std::vector<double>{1, 2, 3});
  m.add(1, 4);
  EXPECT_EQ(m.count(0), 1);
  EXPECT_EQ(m.count(1), 2);
  EXPECT_EQ(m.mean(1).value, 3);
  EXPECT_EQ(m.mean(2).value, 3);
}

TEST(Moments, go_on_from_a_saved_state_bitwise) {
  const std::vector<double> x = normal_sample(200, 1, 1, 6);
  Moments whole(2), first(2), second(2);
  for (int k = 0; k < 100; ++k) whole.add(std::span(&x[2 * std::size_t(k)], 2));
  for (int k = 0; k < 37; ++k) first.add(std::span(&x[2 * std::size_t(k)], 2));
  std::vector<double> saved;
  first.save(saved);
  saved.push_back(-2);
  StateReader reader(saved);
  second.load(reader);
  EXPECT_EQ(reader.number(), -2);  // what follows
  for (int k = 37; k < 100; ++k) second.add(std::span(&x[2 * std::size_t(k)], 2));
  std::vector<double> a, b;
  whole.save(a);
  second.save(b);
  EXPECT_EQ(a, b);
}

}  // namespace ALEATOR_FILE
}  // namespace aleator::core::analysis
