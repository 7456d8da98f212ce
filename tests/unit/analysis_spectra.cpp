// Spectra over realizations: mean, confidence and saved states.
#include "analysis/spectra.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <vector>

#include "analysis/accumulate.hpp"

namespace aleator::core::analysis {
namespace ALEATOR_FILE {

constexpr double step = 0.01;
constexpr int values = 257;

std::vector<double> times() {
  std::vector<double> t;
  for (int i = 0; i < values; ++i) t.push_back(i * step);
  return t;
}

// [times][2 channels]: x_k = a x_{k−1} + white noise of variance 1, beside a constant.
std::vector<double> realization(std::mt19937_64& random, double a) {
  std::normal_distribution<double> normal;
  double x = normal(random) / std::sqrt(1 - a * a);
  std::vector<double> out;
  for (int i = 0; i < values; ++i) {
    out.push_back(3);
    out.push_back(x);
    x = a * x + normal(random);
  }
  return out;
}

SpectrumEstimator estimate(std::uint64_t seed, int realizations, double a, std::size_t replicates = 1) {
  std::mt19937_64 random(seed);
  const SpectrumSettings settings[] = {{1, 0, 64 * step}};
  SpectrumEstimator out(settings, times(), 2, replicates);
  for (int k = 0; k < realizations; ++k) out.add(realization(random, a), std::size_t(k) % replicates);
  return out;
}
results::Spectrum finished(const SpectrumEstimator& e) { return e.finish(std::vector<double>(std::size_t(2 * values))).at(0); }

TEST(Spectra, the_integral_is_the_variance) {
  const double a = 0.8;
  const results::Spectrum s = finished(estimate(1, 400, a));
  double variance = 0, error = 0;
  for (std::size_t i = 0; i < s.mean.size(); ++i) variance += s.mean[i] / s.segment, error += s.error[i] / s.segment;
  // The mean of a segment of 64 values is taken off: the variance lacks that of the mean, (1 + a)/(1 − a)/64 of it (14 %), of which the
  // window sees about as much.
  EXPECT_NEAR(variance, 1 / (1 - a * a) * (1 - 1.5 * (1 + a) / (1 - a) / 64), 3 * error);
  EXPECT_EQ(s.frequency.size(), 32u);
  EXPECT_NEAR(s.frequency.back(), 50, 1e-9);
  EXPECT_EQ(s.segments, 7);
}

TEST(Spectra, intervals_cover_the_density_of_white_noise) {
  // One-sided: 2 σ² step at every frequency, but at the first, which lacks the mean of the segments.
  for (const int n : {3, 8, 40}) {
    double inside = 0, all = 0;
    for (std::uint64_t seed = 0; seed < 40; ++seed) {
      const results::Spectrum s = finished(estimate(seed, n, 0));
      for (std::size_t i = 1; i < s.mean.size(); ++i, ++all) {
        const double expected = (i + 1 < s.mean.size() ? 2 : 1) * step;
        inside += s.lower[i] < expected && expected < s.upper[i];
      }
    }
    // 95.4 %; 40 × 31 numbers, of which neighbours are correlated: ± 1 %.
    EXPECT_GT(inside / all, 0.92) << n;
    EXPECT_LT(inside / all, 0.99) << n;
  }
}

TEST(Spectra, randomisations_give_the_error_too) {
  const results::Spectrum s = finished(estimate(5, 64, 0, 8));
  int inside = 0;
  for (std::size_t i = 1; i + 1 < s.mean.size(); ++i) inside += s.lower[i] < 2 * step && 2 * step < s.upper[i];
  EXPECT_GE(inside, 25);  // of 30
}

TEST(Spectra, one_realization_has_no_interval) {
  const results::Spectrum s = finished(estimate(1, 1, 0));
  EXPECT_GT(s.mean[3], 0);
  EXPECT_TRUE(std::isnan(s.error[3]));
  EXPECT_TRUE(std::isnan(s.lower[3]));
}

TEST(Spectra, parts_that_were_saved_are_the_whole) {
  StatisticsRequest q;
  q.times = times();
  q.channels = {"c", "x"};
  q.nominal.resize(std::size_t(2 * values));
  q.keep_all = false;
  q.samples = 20;
  q.spectra = {{1, 0, 64 * step}};
  Accumulator whole(q), first(q);
  StatisticsRequest later = q;
  later.first = 10;
  Accumulator second(later);
  std::mt19937_64 random(3);
  for (int k = 0; k < 20; ++k) {
    const std::vector<double> x = realization(random, 0.5);
    whole.add(true, x);
    (k < 10 ? first : second).add(true, x);
  }
  Accumulator resumed(q);
  resumed.load(first.save());
  resumed.append(second.save());
  const results::Spectrum a = whole.finish().spectra.at(0), b = resumed.finish().spectra.at(0);
  for (std::size_t i = 0; i < a.mean.size(); ++i) {
    EXPECT_NEAR(a.mean[i], b.mean[i], 1e-12 * a.mean[i]);
    EXPECT_NEAR(a.upper[i], b.upper[i], 1e-10 * a.upper[i]);
  }
  EXPECT_EQ(a.channel, 1);
}

}  // namespace ALEATOR_FILE
}  // namespace aleator::core::analysis
