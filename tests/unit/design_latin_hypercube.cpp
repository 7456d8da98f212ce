// Latin hypercube: one number in each stratum, whatever the thread; every variable and copy its own order; extended by whole
// multiples it keeps its points and is one again.
#include "design/latin_hypercube.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <thread>

#include "propagation/method.hpp"
#include "support/run.hpp"
#include "uncertainty/random_model.hpp"
#include "uncertainty/stream.hpp"

namespace aleator::core::test {
namespace ALEATOR_FILE {

using Kind = LatinHypercube::Kind;

std::vector<std::uint64_t> some_keys() { return {quantity_key("a"), quantity_key("b"), quantity_key("c")}; }

bool is_hypercube(const LatinHypercube& h, long n, int variable, int copy) {
  std::set<int> strata;
  for (long k = 0; k < n; ++k) strata.insert(int(double(n) * h.at(variable, copy, k, 0.5)));
  return long(strata.size()) == n && *strata.begin() == 0 && *strata.rbegin() == n - 1;
}

TEST(LatinHypercube, one_in_each_stratum) {
  for (const Kind kind : {Kind::random, Kind::centred, Kind::optimised}) {
    const LatinHypercube h(7, {100}, some_keys(), kind);
    for (const int variable : {0, 1, 2})
      for (const int copy : {0, 1}) EXPECT_TRUE(is_hypercube(h, 100, variable, copy)) << int(kind);
  }
}

TEST(LatinHypercube, an_extended_one_keeps_its_points) {
  for (const Kind kind : {Kind::random, Kind::centred, Kind::optimised}) {
    const LatinHypercube small(7, {60}, some_keys(), kind), large(7, {60, 180, 360}, some_keys(), kind);
    for (const int variable : {0, 1, 2}) {
      for (long k = 0; k < 60; ++k) EXPECT_EQ(small.at(variable, 0, k, 0), large.at(variable, 0, k, 0));
      EXPECT_TRUE(is_hypercube(large, 360, variable, 0)) << int(kind);
    }
    const LatinHypercube middle(7, {60, 180}, some_keys(), kind);
    EXPECT_TRUE(is_hypercube(middle, 180, 1, 0));
    for (long k = 0; k < 180; ++k) EXPECT_EQ(middle.at(1, 0, k, 0), large.at(1, 0, k, 0));
  }
}

TEST(LatinHypercube, centred_points_are_in_the_middle_of_their_strata) {
  const LatinHypercube h(1, {10}, some_keys(), Kind::centred);
  for (long k = 0; k < 10; ++k) {
    const double stratum = 10 * h.at(0, 0, k, 0);
    EXPECT_NEAR(stratum - std::floor(stratum), 0.5, 1e-12);  // round-off
  }
}

double smallest_distance(const LatinHypercube& h, long n, int d) {
  double smallest = 1e9;
  for (long a = 0; a < n; ++a)
    for (long b = 0; b < a; ++b) {
      double square = 0;
      for (int v = 0; v < d; ++v) square += std::pow(h.at(v, 0, a, 0) - h.at(v, 0, b, 0), 2);
      smallest = std::min(smallest, std::sqrt(square));
    }
  return smallest;
}

TEST(LatinHypercube, optimised_points_keep_apart) {
  const LatinHypercube random(3, {50}, some_keys()), optimised(3, {50}, some_keys(), Kind::optimised);
  EXPECT_GT(smallest_distance(optimised, 50, 3), 1.5 * smallest_distance(random, 50, 3));
}

TEST(LatinHypercube, orders_are_independent) {
  // The correlation of two random orders of n has the standard deviation 1/√(n − 1): 0.032; five of them, false alarm 6e-7.
  const LatinHypercube h(1, {1000}, some_keys(), Kind::centred), other(2, {1000}, some_keys(), Kind::centred);
  const auto correlation = [&](int a, int copy_a, const LatinHypercube& second, int b, int copy_b) {
    double sum = 0;
    for (long k = 0; k < 1000; ++k) sum += (h.at(a, copy_a, k, 0) - 0.5) * (second.at(b, copy_b, k, 0) - 0.5);
    return 12 * sum / 1000;
  };
  EXPECT_LT(std::abs(correlation(0, 0, h, 1, 0)), 0.16);
  EXPECT_LT(std::abs(correlation(0, 0, h, 0, 1)), 0.16);
  EXPECT_LT(std::abs(correlation(0, 0, other, 0, 0)), 0.16);
}

TEST(LatinHypercube, any_thread_gets_the_same) {
  const LatinHypercube h(3, {2000}, some_keys()), other(3, {2000}, some_keys());
  std::vector<double> first(2000), second(2000);
  std::thread a([&] {
    for (long k = 0; k < 2000; ++k) first[k] = h.at(1, 0, k, 0.25);
  });
  std::thread b([&] {
    for (long k = 1999; k >= 0; --k) second[k] = h.at(1, 0, k, 0.25);
  });
  a.join(), b.join();
  EXPECT_EQ(first, second);
  for (long k = 0; k < 2000; ++k) EXPECT_EQ(first[k], other.at(1, 0, k, 0.25));
}

// The mean of 64 realizations of a uniform number: Monte Carlo is off by 1/√(12·64) = 0.036, a Latin hypercube by 1/(√12·64^1.5) = 6e-4.
TEST(LatinHypercube, estimates_means_better) {
  const Model model = model_from(
      "parameters: {k: 0.5}\nbodies:\n  a: {shape: {sphere: {radius: 0.1}}, mass: 1}\nsimulation: {duration: 1}\n"
      "uncertain:\n  k: {uniform: {lower: 0, upper: 1}}\nstudy: {method: latin-hypercube, samples: 64}\n");
  const RandomModel random(model);
  const Plan plan = sampling_plan(read_study(model), random);
  ASSERT_NE(plan.design, nullptr);
  double mean = 0;
  for (long k = 0; k < 64; ++k) mean += sample_of(random, plan, 1, k)[0] / 64;
  EXPECT_NEAR(mean, 0.5, 5 * 6e-4);  // five standard deviations
}

}  // namespace ALEATOR_FILE
}  // namespace aleator::core::test
