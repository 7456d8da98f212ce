// Randomised Sobol and Halton sequences: scrambling keeps what makes a net, every point is uniform, randomisations are
// independent, and realization k is the same whoever asks, in however large a study.
#include "design/low_discrepancy.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <set>
#include <stdexcept>
#include <thread>
#include <vector>

#include "propagation/method.hpp"
#include "support/message_of.hpp"
#include "support/run.hpp"
#include "support/sample_tests.hpp"
#include "uncertainty/distribution_module.hpp"
#include "uncertainty/stream.hpp"

namespace aleator::core::test {
namespace ALEATOR_FILE {

std::vector<std::uint64_t> some_keys(int n) {
  std::vector<std::uint64_t> keys;
  for (int i = 0; i < n; ++i) keys.push_back(quantity_key("variable " + std::to_string(i)));
  return keys;
}

constexpr int replicates = 4;

// Of 2^k points of one randomisation: how many of the 2^k cells 2^a × 2^(k−a) of two variables they hit.
int cells_hit(const LowDiscrepancy& design, int k, int a, int replicate, int first, int second, int copy = 0) {
  std::set<int> cells;
  for (int i = 0; i < 1 << k; ++i) {
    const long row = long(i) * replicates + replicate;
    const double x = design.at(first, copy, row, 0.5), y = design.at(second, copy, row, 0.5);
    cells.insert((int(x * (1 << a)) << (k - a)) + int(y * (1 << (k - a))));
  }
  return int(cells.size());
}

TEST(LowDiscrepancy, each_stratum_of_every_variable_has_one_point) {
  constexpr int variables = 7;
  const LowDiscrepancy design("sobol", 3, 1024 * replicates, replicates, some_keys(variables), 1);
  EXPECT_EQ(design.replicates(), replicates);
  for (const int k : {0, 1, 4, 10})  // the first 2^k points
    for (int r = 0; r < replicates; ++r)
      for (int v = 0; v < variables; ++v) EXPECT_EQ(cells_hit(design, k, k, r, v, v), 1 << k) << k << " " << r << " " << v;
}

// The first two dimensions of Sobol's sequence are a (0, k, 2)-net: one point in each elementary interval of every shape.
// Nested scrambling keeps that; a scrambling that is not nested, or the same for both digits, would not.
TEST(LowDiscrepancy, elementary_intervals_of_two_variables_have_one_point) {
  constexpr int k = 8;
  for (const std::uint64_t seed : {1u, 2u, 99u}) {
    const LowDiscrepancy design("sobol", seed, (1 << k) * replicates, replicates, some_keys(2), 1);
    for (int r = 0; r < replicates; ++r)
      for (int a = 0; a <= k; ++a) EXPECT_EQ(cells_hit(design, k, a, r, 0, 1), 1 << k) << seed << " " << r << " " << a;
  }
}

// One point over many seeds: uniform whatever its index, Kolmogorov–Smirnov with a false alarm of 9e-7 each.
TEST(LowDiscrepancy, every_point_is_uniform) {
  for (const char* sequence : {"sobol", "halton"})
    for (const long row : {0L, 1L, 2L, 77L})
      for (const int variable : {0, 2}) {
        std::vector<double> u;
        for (std::uint64_t seed = 0; seed < 2000; ++seed) {
          const LowDiscrepancy design(sequence, seed, 80, 2, some_keys(3), 1);
          u.push_back(design.at(variable, 0, row, 0.5));
          ASSERT_TRUE(u.back() > 0 && u.back() < 1);
        }
        EXPECT_LT(kolmogorov(u, [](double x) { return x; }), kolmogorov_bound) << sequence << " " << row << " " << variable;
      }
}

// The same point in two randomisations, in two copies, in two variables, over seeds: no correlation. Five standard errors: 6e-7.
TEST(LowDiscrepancy, randomisations_are_independent) {
  for (const char* sequence : {"sobol", "halton"}) {
    std::vector<double> first, other_replicate, other_copy, other_variable;
    for (std::uint64_t seed = 0; seed < 4000; ++seed) {
      const LowDiscrepancy design(sequence, seed, 16, 2, some_keys(2), 2);
      first.push_back(design.at(0, 0, 6, 0.5));
      other_replicate.push_back(design.at(0, 0, 7, 0.5));  // point 3 of both
      other_copy.push_back(design.at(0, 1, 6, 0.5));
      other_variable.push_back(design.at(1, 0, 6, 0.5));
    }
    for (const auto& other : {other_replicate, other_copy, other_variable})
      EXPECT_LT(std::abs(correlation_score(first, other)), five_sigma) << sequence;
    EXPECT_LT(std::abs(lag_score(first)), five_sigma) << sequence;
  }
}

// The second of two studies, which Sobol indices need, takes other dimensions of the sequence: in 2^k points of a pair (variable,
// its copy) there are as many cells hit as of a net, not the diagonal alone, as the same dimension twice would have.
TEST(LowDiscrepancy, the_second_copy_uses_other_dimensions) {
  constexpr int k = 8;
  const LowDiscrepancy design("sobol", 5, (1 << k) * replicates, replicates, some_keys(1), 2);
  const LowDiscrepancy as_two("sobol", 5, (1 << k) * replicates, replicates, some_keys(2), 1);
  std::set<int> cells;
  for (int i = 0; i < 1 << k; ++i) {
    const double x = design.at(0, 0, i * replicates, 0.5), y = design.at(0, 1, i * replicates, 0.5);
    cells.insert(int(x * 16) * 16 + int(y * 16));
  }
  EXPECT_EQ(cells.size(), 256u);
  for (int r = 0; r < replicates; ++r) EXPECT_EQ(cells_hit(as_two, k, 4, r, 0, 1), 1 << k);
}

TEST(LowDiscrepancy, more_samples_keep_the_first_ones) {
  for (const char* sequence : {"sobol", "halton"}) {
    const LowDiscrepancy small(sequence, 7, 40, 8, some_keys(3), 1), large(sequence, 7, 1000, 8, some_keys(3), 1);
    for (long k = 0; k < 40; ++k)
      for (int v = 0; v < 3; ++v) EXPECT_EQ(small.at(v, 0, k, 0.25), large.at(v, 0, k, 0.25)) << sequence << k;
    // and another seed, another quantity give others
    const LowDiscrepancy other(sequence, 8, 40, 8, some_keys(3), 1);
    EXPECT_NE(small.at(0, 0, 9, 0.25), other.at(0, 0, 9, 0.25));
  }
}

TEST(LowDiscrepancy, any_thread_gets_the_same) {
  const LowDiscrepancy design("sobol", 3, 4000, 8, some_keys(3), 1);
  std::vector<double> forward(4000), backward(4000);
  std::thread a([&] {
    for (long k = 0; k < 4000; ++k) forward[k] = design.at(1, 0, k, 0.5);
  });
  std::thread b([&] {
    for (long k = 3999; k >= 0; --k) backward[k] = design.at(1, 0, k, 0.5);
  });
  a.join(), b.join();
  EXPECT_EQ(forward, backward);
}

// Neither end is reached, whatever Monte Carlo's number below the last digit.
TEST(LowDiscrepancy, ends_are_never_reached) {
  const double smallest = 0x1p-53, largest = 1 - 0x1p-53;
  for (const char* sequence : {"sobol", "halton"}) {
    const LowDiscrepancy design(sequence, 1, 1 << 14, 1, some_keys(2), 1);
    for (long k = 0; k < 1 << 14; ++k)
      for (const double u : {smallest, largest}) {
        const double x = design.at(k % 2, 0, k, u);
        ASSERT_TRUE(x > 0 && x < 1) << sequence << " " << k;
      }
  }
}

TEST(LowDiscrepancy, too_many_dimensions_are_refused) {
  const auto message = [](const char* sequence, int variables, int copies) -> std::string {
    return test::message_of<std::invalid_argument>(
        [&] { const LowDiscrepancy design(sequence, 1, 10, 2, some_keys(variables), copies); });
  };
  EXPECT_EQ(message("halton", 1000, 1), "no error");
  EXPECT_EQ(message("halton", 1001, 1), "the halton sequence has at most 1000 dimensions, and 1001 are needed; use monte-carlo");
  EXPECT_EQ(message("halton", 501, 2), "the halton sequence has at most 1000 dimensions, and 1002 are needed; use monte-carlo");
  const int most = distribution_module().most_dimensions("sobol");
  EXPECT_EQ(message("sobol", most, 1), "no error");
  EXPECT_EQ(message("sobol", most + 1, 1), "the sobol sequence has at most " + std::to_string(most) + " dimensions, and " +
                                               std::to_string(most + 1) + " are needed; use monte-carlo");
}

// Through a plan: `sample_of` puts variables where the design has them, of a study and of its second copy.
TEST(LowDiscrepancy, a_plan_places_the_samples) {
  const Model model = model_from(
      "parameters: {k: 0.5, l: 0.5}\nbodies:\n  a: {shape: {sphere: {radius: 0.1}}, mass: 1}\nsimulation: {duration: 1}\n"
      "uncertain:\n  k: {uniform: {lower: 0, upper: 1}}\n  l: {uniform: {lower: 0, upper: 1}}\n"
      "study: {method: sobol, samples: 64, replicates: 2, sensitivity: true}\n");
  const RandomModel random(model);
  const Plan plan = sampling_plan(read_study(model), random);
  EXPECT_EQ(plan.replicates(), 2);
  EXPECT_EQ(plan.rows(), 64 * 4);
  std::set<int> strata[2];
  for (long k = 0; k < 64; k += 2)
    for (int v = 0; v < 2; ++v) strata[v].insert(int(32 * sample_of(random, plan, 1, 4 * k)[v]));
  EXPECT_EQ(strata[0].size(), 32u);
  EXPECT_EQ(strata[1].size(), 32u);
  const std::vector<double> a = sample_of(random, plan, 1, 0), b = sample_of(random, plan, 1, 1),
                            mixed = sample_of(random, plan, 1, 2);
  EXPECT_EQ(mixed, (std::vector<double>{b[0], a[1]}));
  EXPECT_NE(a[0], b[0]);
  // the law is uniform on ]0, 1[: places are the samples, up to the round-off of the quantile
  const std::vector<double> places = places_of(random, plan, 1, 0);
  for (int v = 0; v < 2; ++v) EXPECT_NEAR(places[v], a[v], 1e-15);
}

}  // namespace ALEATOR_FILE
}  // namespace aleator::core::test
