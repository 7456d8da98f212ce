// What missing realizations could do to statistics, against putting them there: at both ends, in all ways, and at random places.
#include "analysis/missing.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "analysis/accumulate.hpp"
#include "analysis/quantiles.hpp"
#include "uncertainty/stream.hpp"

namespace aleator::core::analysis {
namespace ALEATOR_FILE {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double far = 1e300;  // stands for infinity, which cannot be interpolated
constexpr double round_off = 1e-12;

std::vector<double> sample(long seed, std::size_t n) {
  std::vector<double> x;
  for (std::size_t k = 0; k < n; ++k) x.push_back(std::pow(Stream(std::uint64_t(seed), k, 1).normal(), 3));
  return x;
}

std::vector<double> with(std::vector<double> x, double value, std::size_t times) {
  x.insert(x.end(), times, value);
  std::sort(x.begin(), x.end());
  return x;
}

// A quantile that takes any part of a value that far out is there without bound.
double brute_force(const std::vector<double>& all, double p) {
  const double q = quantile(all, p).value;
  return q < -1e200 ? -infinity : q > 1e200 ? infinity : q;
}

void expect_equal(double a, double b) {
  if (std::isinf(b))
    EXPECT_EQ(a, b);
  else
    EXPECT_NEAR(a, b, round_off * (1 + std::abs(b)));
}

double mean_of(const std::vector<double>& x) {
  double sum = 0;
  for (const double v : x) sum += v;
  return sum / double(x.size());
}
double std_of(const std::vector<double>& x) {
  double sum = 0;
  for (const double v : x) sum += (v - mean_of(x)) * (v - mean_of(x));
  return std::sqrt(sum / double(x.size() - 1));
}

TEST(Missing, quantiles_with_all_at_one_end) {
  for (long seed = 1; seed <= 200; ++seed) {
    const std::size_t n = 1 + std::size_t(seed) % 37, m = std::size_t(seed) % 5;
    const std::vector<double> x = with(sample(seed, n), 0, 0);
    for (const double p : {0.025, 0.05, 0.3, 0.5, 0.95, 0.99}) {
      const results::Range r =
          quantiles_at(quantile_places(p, double(n), double(m)), [&](double q) { return quantile(x, q).value; });
      expect_equal(r.low, brute_force(with(x, -far, m), p));
      expect_equal(r.high, brute_force(with(x, far, m), p));
      for (std::uint64_t k = 0; k < 5; ++k) {  // anywhere else it is between
        std::vector<double> all = x;
        for (std::size_t i = 0; i < m; ++i) all.push_back(3 * Stream(9, k, i).normal());
        const double q = quantile(with(all, 0, 0), p).value;
        EXPECT_LE(r.low, q + round_off * (1 + std::abs(q)));
        EXPECT_GE(r.high, q - round_off * (1 + std::abs(q)));
      }
    }
  }
}

TEST(Missing, moments_within_what_is_there) {
  for (long seed = 1; seed <= 200; ++seed) {
    const std::size_t n = 2 + std::size_t(seed) % 11, m = 1 + std::size_t(seed) % 6;
    const std::vector<double> x = with(sample(seed, n), 0, 0);
    const double mean = mean_of(x), low = x.front(), high = x.back();
    const results::Range means = mean_with_missing(mean, low, high, double(n), double(m)),
                         stds = std_with_missing(mean, std_of(x), low, high, double(n), double(m));
    expect_equal(means.low, mean_of(with(x, low, m)));
    expect_equal(means.high, mean_of(with(x, high, m)));
    expect_equal(stds.low, std_of(with(x, mean, m)));
    double largest = 0;
    for (std::size_t j = 0; j <= m; ++j) largest = std::max(largest, std_of(with(with(x, low, j), high, m - j)));
    expect_equal(stds.high, largest);
    for (std::uint64_t k = 0; k < 20; ++k) {
      std::vector<double> all = x;
      for (std::size_t i = 0; i < m; ++i) all.push_back(low + (high - low) * Stream(5, k, i).uniform());
      EXPECT_GE(std_of(all), stds.low * (1 - round_off));
      EXPECT_LE(std_of(all), stds.high * (1 + round_off));
    }
  }
}

TEST(Missing, probabilities_with_none_or_all_of_them_beyond) {
  const results::Range r = probability_with_missing(0.25, 40, 10);  // 10 of 40
  EXPECT_DOUBLE_EQ(r.low, 10.0 / 50);
  EXPECT_DOUBLE_EQ(r.high, 20.0 / 50);
}

// Both ways of keeping: with fewer values than a buffer holds, the sketch is exact.
TEST(Missing, of_a_study) {
  for (const bool keep_all : {true, false}) {
    StatisticsRequest q;
    q.times = {0, 1};
    q.channels = {"a", "b"};
    q.nominal = {0, 0, 0, 0};
    q.keep_all = keep_all;
    q.samples = 200;
    q.limits = {{0, 1, true}};
    q.scalars = {{"top", "m", "maximum", 0, {Reduction::maximum}}};
    Accumulator all(q);
    std::vector<double> values[4], top;
    long beyond = 0;
    for (std::uint64_t k = 0; k < 200; ++k) {
      std::vector<double> row;
      for (std::uint64_t i = 0; i < 4; ++i) row.push_back(Stream(3, k, i).normal());
      const bool ok = k % 40 != 7;  // 5 of 200 are missing
      all.add(ok, ok ? row : std::vector<double>{});
      if (!ok) continue;
      for (std::size_t i = 0; i < 4; ++i) values[i].push_back(row[i]);
      top.push_back(std::max(row[0], row[2]));
      beyond += top.back() > 1;
    }
    const results::StudyStatistics s = all.finish();
    EXPECT_EQ(s.missing, 5);
    EXPECT_EQ(s.realizations, 195);
    for (std::size_t i = 0; i < 4; ++i) {
      const auto& c = s.channels[i % 2].with_missing;
      const std::size_t t = i / 2;
      expect_equal(c.lower.low[t], brute_force(with(values[i], -far, 5), 0.05));
      expect_equal(c.lower.high[t], brute_force(with(values[i], far, 5), 0.05));
      expect_equal(c.upper.low[t], brute_force(with(values[i], -far, 5), 0.95));
      expect_equal(c.upper.high[t], brute_force(with(values[i], far, 5), 0.95));
      EXPECT_NEAR(c.mean.low[t], mean_of(with(values[i], *std::min_element(values[i].begin(), values[i].end()), 5)), 1e-9);
      EXPECT_GT(c.std.high[t], s.channels[i % 2].std[t]);
      EXPECT_LT(c.std.low[t], s.channels[i % 2].std[t]);
    }
    expect_equal(s.scalars[0].lower_with_missing.low, brute_force(with(top, -far, 5), 0.05));
    expect_equal(s.scalars[0].upper_with_missing.high, brute_force(with(top, far, 5), 0.95));
    EXPECT_DOUBLE_EQ(s.limits[0].ever_with_missing.low, double(beyond) / 200);
    EXPECT_DOUBLE_EQ(s.limits[0].ever_with_missing.high, double(beyond + 5) / 200);
  }
}

TEST(Missing, none) {
  StatisticsRequest q;
  q.times = {0};
  q.channels = {"a"};
  q.nominal = {0};
  q.limits = {{0, 1, true}};
  Accumulator all(q);
  for (const double x : {1.0, 2.0, 3.0}) all.add(true, std::vector<double>{x});
  const results::StudyStatistics s = all.finish();
  EXPECT_EQ(s.missing, 0);
  EXPECT_TRUE(s.channels[0].with_missing.lower.low.empty());
  EXPECT_TRUE(s.channels[0].with_missing.mean.low.empty());
  EXPECT_TRUE(s.limits[0].with_missing.low.empty());
}

}  // namespace ALEATOR_FILE
}  // namespace aleator::core::analysis
