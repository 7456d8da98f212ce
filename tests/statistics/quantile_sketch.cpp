// The sketch of quantiles keeps its promise about ranks on inputs that are made to break it, and errors of quantiles are true.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <numbers>
#include <string>
#include <vector>

#include "analysis/quantiles.hpp"
#include "support/sample_tests.hpp"
#include "uncertainty/stream.hpp"

namespace aleator::core::analysis {
namespace ALEATOR_FILE {

struct Input {
  std::string name;
  std::function<double(long i, long n, Stream& s)> value;
};

const std::vector<Input>& inputs() {
  static const std::vector<Input> all = {
      {"rising", [](long i, long, Stream&) { return double(i); }},
      {"falling", [](long i, long n, Stream&) { return double(n - i); }},
      {"random", [](long, long, Stream& s) { return s.uniform(); }},
      {"constant", [](long, long, Stream&) { return 0.25; }},
      {"two values", [](long i, long, Stream&) { return double(i % 2); }},
      {"two heaps", [](long i, long, Stream& s) { return (i % 3 == 0 ? 100 : -100) + s.uniform(); }},
      {"saw of the buffer's length", [](long i, long, Stream&) { return double(i % 2048); }},
      {"outside in", [](long i, long n, Stream&) { return i % 2 ? double(i) : double(2 * n - i); }}};
  return all;
}

// By how many ranks x is beside rank r of the sample: it should lie among the values of the ranks ⌊r⌋ and ⌈r⌉.
double misplaced(const std::vector<double>& sorted, double x, double r) {
  const double below = double(std::lower_bound(sorted.begin(), sorted.end(), x) - sorted.begin());
  const double not_above = double(std::upper_bound(sorted.begin(), sorted.end(), x) - sorted.begin());
  return std::max({0.0, r - not_above, below - 1 - r});
}

// Three standard deviations, bounded from above (numbers below a place are taken to be odd always): 4.2 where they are odd every other
// time, which 700 questions exceed with a probability of 2 %. Bits are fixed: this passes or fails for good.
TEST(QuantileSketch, the_rank_error_is_not_exceeded) {
  for (const Input& input : inputs())
    for (const auto& [k, n] : {std::pair{1024, 1000000L}, {64, 100000L}, {64, 16384L}, {64, 16383L}, {64, 5000L}, {2, 1000L}}) {
      Stream stream(11, std::uint64_t(n), 1);
      QuantileSketch sketch(1, std::size_t(k));
      std::vector<double> all;
      for (long i = 0; i < n; ++i) {
        all.push_back(input.value(i, n, stream));
        sketch.add(std::span(&all.back(), 1));
      }
      std::sort(all.begin(), all.end());
      const double allowed = sketch.rank_error() * double(n) * (1 + 1e-12);  // round-off of the division by n
      for (const double p : {0.0, 0.001, 0.05, 0.25, 0.5, 0.77, 0.95, 0.999, 1.0})
        EXPECT_LE(misplaced(all, sketch.quantile(0, p).value, p * double(n - 1)), allowed) << input.name << " " << n << " " << p;
    }
}

TEST(QuantileSketch, the_rank_error_is_not_exceeded_by_parts_put_together) {
  for (const Input& input : inputs())
    for (const auto& [k, n, parts] : {std::tuple{1024, 300000L, 16L}, {64, 100000L, 7L}, {64, 5000L, 100L}, {2, 1000L, 3L}}) {
      Stream stream(11, std::uint64_t(n), 1);
      QuantileSketch sketch(1, std::size_t(k));
      std::vector<double> all;
      for (long part = 0; part < parts; ++part) {
        QuantileSketch own(1, std::size_t(k));
        for (long i = n * part / parts; i < n * (part + 1) / parts; ++i) {
          all.push_back(input.value(i, n, stream));
          own.add(std::span(&all.back(), 1));
        }
        sketch.append(own);
      }
      std::sort(all.begin(), all.end());
      const double allowed = sketch.rank_error() * double(n) * (1 + 1e-12);  // round-off of the division by n
      // A level l of R = 4k rows is halved n/(2^l R/3 (2/3)^(H−l)) times. The highest appears when R/3 rows of 2^(H−1) are there,
      // so that the variance Σ 4^l is at most 12 n 2^H/R ≤ 72 n²/R², and half the weight of a value 2^H/2 ≤ 3n/R.
      EXPECT_LT(sketch.rank_error(), (3 * std::sqrt(72) + 3) / double(4 * std::max(k, 16)));
      for (const double p : {0.0, 0.001, 0.05, 0.25, 0.5, 0.77, 0.95, 0.999, 1.0})
        EXPECT_LE(misplaced(all, sketch.quantile(0, p).value, p * double(n - 1)), allowed) << input.name << " " << n << " " << p;
    }
}

TEST(QuantileSketch, a_million_values_are_known_to_better_than_half_a_percent) {
  QuantileSketch sketch(1, 1024);
  for (long i = 0; i < 1000000; ++i) {
    const double x = double(i);
    sketch.add(std::span(&x, 1));
  }
  EXPECT_LT(sketch.rank_error(), 0.005);
}

TEST(QuantileSketch, errors_are_those_of_the_whole_sample) {
  QuantileSketch sketch(1, 1024);
  std::vector<double> all;
  for (int i = 0; i < 100000; ++i) {
    all.push_back(Stream(12, std::uint64_t(i), 1).normal());
    sketch.add(std::span(&all.back(), 1));
  }
  std::sort(all.begin(), all.end());
  for (const double p : {0.05, 0.5, 0.95}) {
    const results::Estimate exact = quantile(all, p), sketched = sketch.quantile(0, p);
    // Two answers, each misplaced by as much as the rank error against a distance of 2 √(n p (1−p)) ranks; the density changes
    // by less than half over these.
    const double allowed = 1.5 * 2 * sketch.rank_error() * 1e5 / (2 * std::sqrt(1e5 * p * (1 - p)));
    EXPECT_NEAR(sketched.error, exact.error, allowed * exact.error) << p;
  }
}

// Mean over many samples of the error that is stated, against the true one √(p (1−p) / n) / f.
void expect_true_errors(const char* law, const std::function<double(Stream&)>& draw, double p, double truth, double density) {
  const int studies = 400, n = 2000;
  const double expected = std::sqrt(p * (1 - p) / n) / density;
  double mean = 0, square = 0, scatter = 0;
  for (int s = 0; s < studies; ++s) {
    Stream stream(13, std::uint64_t(s), quantity_key(law));
    std::vector<double> x;
    for (int i = 0; i < n; ++i) x.push_back(draw(stream));
    std::sort(x.begin(), x.end());
    const results::Estimate e = quantile(x, p);
    mean += e.error / studies;
    square += e.error * e.error / studies;
    scatter += (e.value - truth) * (e.value - truth) / studies;
  }
  // Of the mean error: five of its standard errors (6e-7), and 3 % for its bias: the next order in 1/√n, 1/√2000 = 2 %, and less.
  EXPECT_NEAR(mean, expected, five_sigma * std::sqrt((square - mean * mean) / studies) + 0.03 * expected) << law << " " << p;
  // Scatter of 400 values as a standard deviation: ± 1/√800 = 3.5 %; five of these (6e-7).
  EXPECT_NEAR(std::sqrt(scatter), expected, five_sigma * 0.036 * expected) << law << " " << p;
}

TEST(Quantile, errors_are_those_of_theory_for_uniform_and_normal_samples) {
  const auto uniform = [](Stream& s) { return s.uniform(); };
  const auto normal = [](Stream& s) { return s.normal(); };
  expect_true_errors("uniform", uniform, 0.5, 0.5, 1);
  expect_true_errors("uniform", uniform, 0.95, 0.95, 1);
  const double q95 = 1.6448536269514722, root = std::sqrt(2 * std::numbers::pi);
  expect_true_errors("normal", normal, 0.5, 0, 1 / root);
  expect_true_errors("normal", normal, 0.95, q95, std::exp(-q95 * q95 / 2) / root);
}

}  // namespace ALEATOR_FILE
}  // namespace aleator::core::analysis
