// Quantiles of a sorted sample, and the sketch while it is exact.
#include "analysis/quantiles.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "uncertainty/stream.hpp"

namespace aleator::core::analysis {
namespace ALEATOR_FILE {

constexpr double infinity = std::numeric_limits<double>::infinity();

std::vector<double> uniform_sample(int n, std::uint64_t seed) {
  std::vector<double> x;
  for (int k = 0; k < n; ++k) x.push_back(Stream(seed, std::uint64_t(k), 1).uniform());
  return x;
}

std::vector<double> sorted(std::vector<double> x) {
  std::sort(x.begin(), x.end());
  return x;
}

void add(QuantileSketch& s, double x) { s.add(std::span(&x, 1)); }

TEST(Quantile, interpolates_as_numpy_does) {
  const std::vector<double> x = {1, 2, 4, 8};
  // numpy.quantile([1, 2, 4, 8], p): ranks 3p.
  EXPECT_EQ(quantile(x, 0).value, 1);
  EXPECT_EQ(quantile(x, 0.5).value, 3);
  EXPECT_EQ(quantile(x, 0.25).value, 1.75);
  EXPECT_NEAR(quantile(x, 0.9).value, 6.8, 1e-14);  // round-off
  EXPECT_EQ(quantile(x, 1).value, 8);
}

TEST(Quantile, of_none_and_of_one) {
  EXPECT_TRUE(std::isnan(quantile({}, 0.5).value));
  EXPECT_TRUE(std::isnan(quantile({}, 0.5).error));
  const std::vector<double> one = {3};
  EXPECT_EQ(quantile(one, 0.95).value, 3);
  EXPECT_TRUE(std::isnan(quantile(one, 0.95).error));  // of one value nothing is known about scatter
}

TEST(Quantile, error_of_a_regular_sample_is_that_of_theory) {
  std::vector<double> x;  // the uniform distribution's own quantiles
  const int n = 10001;
  for (int i = 0; i < n; ++i) x.push_back(double(i) / (n - 1));
  // √(p (1−p) / n) / f with f = 1, and the bias (1 − 2p)/(n + 1); ranks are spaced 1/(n−1) instead of 1/n: 1e-4.
  for (const double p : {0.05, 0.3, 0.5, 0.95}) {
    const double error = std::hypot(std::sqrt(p * (1 - p) / n), (1 - 2 * p) / (n + 1));
    EXPECT_NEAR(quantile(x, p).error, error, 2e-4 * error);
  }
}

TEST(Quantile, error_does_not_shrink_where_the_sample_ends) {
  std::vector<double> x;
  for (int i = 0; i < 5; ++i) x.push_back(i);
  // √(5 · 0.05 · 0.95) = 0.487 ranks and a bias of 0.9 · 5/6, of which 0.2 are left below: on equidistant values the error is 0.894
  // all the same.
  EXPECT_NEAR(quantile(x, 0.05).error, std::hypot(std::sqrt(5 * 0.05 * 0.95), 0.75), 1e-14);
  EXPECT_NEAR(quantile(x, 0.95).error, std::hypot(std::sqrt(5 * 0.05 * 0.95), 0.75), 1e-14);
}

TEST(Quantile, values_may_be_infinite) {
  const std::vector<double> x = {1, 2, 3, 4, infinity, infinity, infinity};
  EXPECT_EQ(quantile(x, 0.5).value, 4);  // exactly the last finite one: nothing of the infinite one beside it
  EXPECT_EQ(quantile(x, 0.25).value, 2.5);
  EXPECT_EQ(quantile(x, 0.9).value, infinity);
  EXPECT_EQ(quantile(x, 0.55).value, infinity);
  EXPECT_EQ(quantile(x, 0.5).error, infinity);
  QuantileSketch sketch(1, 64);
  for (const double v : x) add(sketch, v);
  for (const double p : {0.25, 0.5, 0.55, 0.9}) EXPECT_EQ(sketch.quantile(0, p).value, quantile(x, p).value) << p;
}

TEST(QuantileSketch, is_exact_while_all_values_fit) {
  const std::size_t k = 64;
  QuantileSketch sketch(1, k);
  EXPECT_TRUE(std::isnan(sketch.quantile(0, 0.5).value));
  std::vector<double> x;
  for (const double v : uniform_sample(4 * k, 7)) {
    add(sketch, v);
    x.push_back(v);
    const std::vector<double> s = sorted(x);
    for (const double p : {0.05, 0.5, 0.81}) {
      // The same interpolation with another rounding of its weight.
      EXPECT_NEAR(sketch.quantile(0, p).value, quantile(s, p).value, 1e-14) << x.size();
      if (x.size() > 1) {
        EXPECT_NEAR(sketch.quantile(0, p).error, quantile(s, p).error, 1e-13) << x.size();
      }
    }
    EXPECT_EQ(sketch.rank_error(), 0);
  }
  add(sketch, 0.5);
  EXPECT_GT(sketch.rank_error(), 0);
}

TEST(QuantileSketch, quantities_do_not_mix) {
  QuantileSketch both(2, 4), first(1, 4), second(1, 4);
  for (int i = 0; i < 100; ++i) {
    const double x[2] = {std::sin(i), 100 + std::cos(7 * i)};
    both.add(x);
    add(first, x[0]);
    add(second, x[1]);
  }
  EXPECT_EQ(both.quantile(0, 0.3).value, first.quantile(0, 0.3).value);
  EXPECT_EQ(both.quantile(1, 0.3).value, second.quantile(0, 0.3).value);
}

TEST(QuantileSketch, goes_on_from_a_saved_state_bitwise) {
  const std::vector<double> x = uniform_sample(3000, 8);
  for (const int cut : {0, 1, 15, 16, 17, 32, 1000, 2999}) {
    QuantileSketch whole(1, 16), first(1, 16), second(1, 16);
    for (int i = 0; i < 3000; ++i) add(whole, x[std::size_t(i)]);
    for (int i = 0; i < cut; ++i) add(first, x[std::size_t(i)]);
    std::vector<double> saved;
    first.save(saved);
    saved.push_back(-1);
    StateReader reader(saved);
    second.load(reader);
    EXPECT_EQ(reader.number(), -1);  // what follows
    for (int i = cut; i < 3000; ++i) add(second, x[std::size_t(i)]);
    for (const double p : {0.01, 0.5, 0.99}) {
      EXPECT_EQ(second.quantile(0, p).value, whole.quantile(0, p).value) << cut;
      EXPECT_EQ(second.quantile(0, p).error, whole.quantile(0, p).error) << cut;
    }
    EXPECT_EQ(second.rank_error(), whole.rank_error());
  }
}

// What a sketch holds at most: its state as it is saved, in bytes.
std::size_t largest_size(std::size_t k, int values) {
  QuantileSketch s(1, k);
  std::size_t largest = 0;
  for (int i = 0; i < values; ++i) {
    add(s, i);
    if (i % 7 != 0) continue;  // at every state between two halvings in the end
    std::vector<double> state;
    s.save(state);
    largest = std::max(largest, state.size() * sizeof(double));
  }
  return largest;
}

TEST(QuantileSketch, buffer_size_follows_the_memory) {
  EXPECT_EQ(QuantileSketch::buffer_for(1, 1 << 30), 1024u);
  EXPECT_EQ(QuantileSketch::buffer_for(1000000, 1 << 20), 64u);  // the smallest
  for (const std::size_t bytes : {4000u, 8000u, 16000u, 33000u}) {
    const std::size_t k = QuantileSketch::buffer_for(1, bytes);
    EXPECT_GE(k, 64u);
    // Beside the rows, a state holds 4 numbers and 2 per level, of which there are no more than 16. At least 64 k rows of 8 bytes.
    EXPECT_LE(largest_size(k, 20000), std::max<std::size_t>(bytes, 4 * 64 * sizeof(double)) + 36 * sizeof(double)) << bytes;
  }
}

// From 4k values on a sketch does not grow: what it holds is no more than its rows, however many values there are.
TEST(QuantileSketch, does_not_grow_with_the_number_of_values) {
  EXPECT_LE(largest_size(64, 200000), (4 * 64 + 4 + 2 * 20) * sizeof(double));
}

}  // namespace ALEATOR_FILE
}  // namespace aleator::core::analysis
