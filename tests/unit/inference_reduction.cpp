// Responses as a few numbers: components of processes that are known, any times and gaps, and what cannot be reduced.
#include "inference/reduction.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numbers>
#include <stdexcept>

#include "inference_samples.hpp"
#include "support/message_of.hpp"

namespace aleator::core::inference {
namespace ALEATOR_FILE {

constexpr double gap = std::numeric_limits<double>::quiet_NaN();

// Cosines on 32 times, orthonormal: z = 5 + Σ √λ_k a_k φ_k(t) with coefficients whose sample moments are exact.
constexpr double eigenvalues[3] = {0.7 * 32, 0.25 * 32, 0.05 * 32};

Responses rank_three(std::vector<double> units = {1.0}) {
  const Eigen::MatrixXd a = exact_normals(200, 3, 1);
  Responses r;
  r.channels = int(units.size());
  for (int t = 0; t < 32; ++t) r.times.push_back(0.1 * t);
  for (Eigen::Index i = 0; i < a.rows(); ++i)
    for (int t = 0; t < 32; ++t) {
      double z = 5;
      for (int k = 0; k < 3; ++k)
        z += std::sqrt(eigenvalues[k]) * a(i, k) * std::sqrt(2.0 / 32) * std::cos(std::numbers::pi * (k + 1) * (t + 0.5) / 32);
      for (const double u : units) r.values.push_back(u * z);
    }
  return r;
}

results::Measurements measured(const std::vector<double>& times, std::vector<double> values, double noise = 0) {
  return {{"x"}, {noise}, {{"specimen-07", times, std::move(values)}}};
}

TEST(Reduction, finds_the_components_of_a_known_process) {
  const Responses r = rank_three();
  const auto data = measured(r.times, {r.values.begin(), r.values.begin() + 32});
  const Reduction all(r, data, {.energy = 0.99, .most = 8});
  EXPECT_EQ(all.components(), 3);
  ASSERT_EQ(all.energy().size(), 3u);
  const double shares[3] = {0.7, 0.25, 0.05};
  for (int k = 0; k < 3; ++k) EXPECT_NEAR(all.energy()[k], shares[k], 1e-12);  // round-off
  EXPECT_NEAR(all.captured(), 1, 1e-12);
  EXPECT_EQ(Reduction(r, data, {.energy = 0.9, .most = 8}).components(), 2);
  const Reduction one(r, data, {.energy = 0.99, .most = 1});
  EXPECT_EQ(one.components(), 1);
  EXPECT_NEAR(one.captured(), 0.7, 1e-12);
}

// A wide spectrum with more columns than vectors of the iteration: λ_k = 1/k² is found all the same.
TEST(Reduction, finds_energies_of_a_slowly_falling_spectrum) {
  const int n = 400, times = 128;
  const Eigen::MatrixXd a = exact_normals(n, times - 1, 5);
  Responses r;
  r.channels = 1;
  double total = 0;
  for (int t = 0; t < times; ++t) r.times.push_back(t);
  for (int k = 1; k < times; ++k) total += 1.0 / (k * k);
  Eigen::MatrixXd shapes(times - 1, times);
  for (int k = 1; k < times; ++k)
    for (int t = 0; t < times; ++t) shapes(k - 1, t) = std::cos(std::numbers::pi * k * (t + 0.5) / times) / k;
  const Eigen::MatrixXd z = a * shapes;
  for (int i = 0; i < n; ++i)
    for (int t = 0; t < times; ++t) r.values.push_back(z(i, t));
  const Reduction reduction(r, measured(r.times, {r.values.begin(), r.values.begin() + times}), {.energy = 0.9, .most = 20});
  ASSERT_EQ(reduction.energy().size(), 50u);
  // Four iterations leave (λ_61/λ_k)⁸ of a vector's error: nothing up to k = 20.
  for (int k = 1; k <= 20; ++k) EXPECT_NEAR(reduction.energy()[k - 1] * total * k * k, 1, 1e-3) << k;
}

TEST(Reduction, does_not_depend_on_units) {
  const Responses r = rank_three({1.0, 1e6});
  results::Measurements data{{"x", "y"}, {0, 0}, {{"a", r.times, {r.values.begin(), r.values.begin() + 64}}}};
  const Reduction reduction(r, data);
  EXPECT_EQ(reduction.components(), 3);
  EXPECT_NEAR(reduction.energy()[0], 0.7, 1e-12);
}

// A realization seen at other times and with gaps has the same coordinates, measured or simulated.
TEST(Reduction, treats_measured_and_simulated_responses_alike) {
  const Responses r = rank_three();
  std::vector<double> times, values;
  for (int i = 0; i < 60; ++i) {
    const double t = 0.03 + 0.05 * i + 0.01 * std::sin(i), s = t / 0.1;
    const int before = int(s);
    times.push_back(t);
    values.push_back(i % 4 == 1 ? gap
                                : (1 - s + before) * r.values[32 * 3 + before] + (s - before) * r.values[32 * 3 + before + 1]);
  }
  const Reduction reduction(r, measured(times, values, 0.1), {.energy = 0.9, .most = 8});  // two of three: truncated
  ASSERT_EQ(reduction.components(), 2);
  const Reduced simulated = reduction.reduce(r);
  for (int k = 0; k < 2; ++k) EXPECT_NEAR(simulated.pattern(0)(3, k), reduction.specimens()[0].reduced[k], 1e-10);
}

TEST(Reduction, specimens_with_the_same_times_and_gaps_share_a_pattern) {
  const Responses r = rank_three();
  const std::vector<double> y(r.values.begin(), r.values.begin() + 32);
  results::Measurements data = measured(r.times, y);
  data.specimens.push_back({"b", r.times, y});
  EXPECT_EQ(Reduction(r, data).patterns().size(), 1u);
  data.specimens[1].values[7] = gap;
  EXPECT_EQ(Reduction(r, data).patterns().size(), 2u);
}

// An output that does not scatter, and no noise anywhere, is no reason for NaN.
TEST(Reduction, outputs_that_do_not_scatter_say_nothing) {
  Responses r = rank_three({1.0, 1.0});
  for (std::size_t i = 1; i < r.values.size(); i += 2) r.values[i] = 3;
  results::Measurements data{{"x", "y"}, {0, 0}, {{"a", r.times, {r.values.begin(), r.values.begin() + 64}}}};
  const Reduction reduction(r, data);
  EXPECT_NEAR(reduction.energy()[0], 0.7, 1e-12);
  const Eigen::VectorXd before = reduction.specimens()[0].reduced;
  EXPECT_TRUE(before.allFinite());
  for (std::size_t i = 1; i < 64; i += 2) data.specimens[0].values[i] = 4;
  EXPECT_LT((Reduction(r, data).specimens()[0].reduced - before).norm(), 1e-12);
}

TEST(Reduction, works_with_as_few_as_two_reference_responses) {
  Responses r = rank_three();
  r.values.resize(64);
  const Reduction reduction(r, measured(r.times, {r.values.begin(), r.values.begin() + 32}));
  EXPECT_EQ(reduction.components(), 1);
  EXPECT_NEAR(reduction.captured(), 1, 1e-12);
}

std::string refusal(const Responses& r, const results::Measurements& data) {
  return test::message_of<std::invalid_argument>([&] { const Reduction reduction(r, data); });
}

TEST(Reduction, says_what_cannot_be_reduced) {
  Responses r = rank_three();
  EXPECT_EQ(refusal(r, measured({0.5, 1.0}, {5, 5})),
            "specimen-07: 2 measured values are too few for 3 principal components of the responses");
  EXPECT_EQ(refusal(r, measured({0.5, 4.0, 1, 2}, {5, 5, 5, 5})), "specimen-07: time 4 is outside the simulated 0 to 3.1");
  EXPECT_EQ(refusal(r, measured({1, 1, 1, 1}, {5, 5, 5, 5})),
            "specimen-07: its measured times cannot distinguish the 3 principal components of the responses");
  for (double& v : r.values) v = 2;
  EXPECT_EQ(refusal(r, measured(r.times, std::vector<double>(32, 2.0))),
            "the simulated responses do not scatter: there is nothing to identify from them");
}

}  // namespace ALEATOR_FILE
}  // namespace aleator::core::inference
