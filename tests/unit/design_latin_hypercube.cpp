// Latin hypercube: one number in each stratum, whatever the thread; every quantity and replicate its own order.
#include "design/latin_hypercube.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <thread>

#include "design/study.hpp"
#include "support/run.hpp"
#include "uncertainty/random_model.hpp"
#include "uncertainty/stream.hpp"

namespace aleator::test {
namespace {

TEST(LatinHypercube, one_in_each_stratum) {
  const LatinHypercube h(7, 100);
  for (const char* name : {"a", "b"})
    for (const int replicate : {0, 1}) {
      std::set<int> strata;
      for (long k = 0; k < 100; ++k) strata.insert(int(100 * h(quantity_key(name), replicate, k, 0.999999)));
      EXPECT_EQ(strata.size(), 100u);
      EXPECT_EQ(*strata.begin(), 0);
      EXPECT_EQ(*strata.rbegin(), 99);
    }
}

TEST(LatinHypercube, orders_are_independent) {
  // The correlation of two random orders of n has the standard deviation 1/√(n − 1): 0.032; five of them, false alarm 6e-7.
  const LatinHypercube h(1, 1000);
  const auto correlation = [&](std::uint64_t a, int ra, std::uint64_t b, int rb) {
    double sum = 0;
    for (long k = 0; k < 1000; ++k) sum += (h(a, ra, k, 0.5) - 0.5) * (h(b, rb, k, 0.5) - 0.5);
    return 12 * sum / 1000;
  };
  EXPECT_LT(std::abs(correlation(1, 0, 2, 0)), 0.16);
  EXPECT_LT(std::abs(correlation(1, 0, 1, 1)), 0.16);
  EXPECT_LT(std::abs(LatinHypercube(2, 1000)(1, 0, 0, 0.5) - h(1, 0, 0, 0.5)), 1);
}

TEST(LatinHypercube, any_thread_gets_the_same) {
  const LatinHypercube h(3, 2000), other(3, 2000);
  std::vector<double> first(2000), second(2000);
  std::thread a([&] {
    for (long k = 0; k < 2000; ++k) first[k] = h(5, 0, k, 0.25);
  });
  std::thread b([&] {
    for (long k = 1999; k >= 0; --k) second[k] = h(5, 0, k, 0.25);
  });
  a.join(), b.join();
  EXPECT_EQ(first, second);
  for (long k = 0; k < 2000; ++k) EXPECT_EQ(first[k], other(5, 0, k, 0.25));
}

// The mean of 64 realizations of a uniform number: Monte Carlo is off by 1/√(12·64) = 0.036, a Latin hypercube by 1/(√12·64^1.5) = 6e-4.
TEST(LatinHypercube, estimates_means_better) {
  const Model model = model_from(
      "parameters: {k: 0.5}\nbodies:\n  a: {shape: {sphere: {radius: 0.1}}, mass: 1}\nsimulation: {duration: 1}\n"
      "uncertain:\n  k: {uniform: {lower: 0, upper: 1}}\nstudy: {method: latin-hypercube, samples: 64}\n");
  const RandomModel random(model);
  const Plan plan = make_plan(read_study(model), 1);
  ASSERT_NE(plan.hypercube, nullptr);
  double mean = 0;
  for (long k = 0; k < 64; ++k) {
    const RandomModel::Strata strata = [&](const Quantity& q, int copy, double u) {
      return (*plan.hypercube)(q.key, copy, k, u);
    };
    mean += random.sample(1, std::uint64_t(k), {}, strata)[0] / 64;
  }
  EXPECT_NEAR(mean, 0.5, 5 * 6e-4);  // five standard deviations
}

}  // namespace
}  // namespace aleator::test
