// Elementary effects of functions whose effects are known.
#include "analysis/screening.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "design/morris.hpp"
#include "uncertainty/stream.hpp"

namespace aleator::core::analysis {
namespace ALEATOR_FILE {

using Parameters = std::vector<double>;
using Function = std::function<Parameters(const Parameters&)>;  // [times][channels] at a point
constexpr double round_off = 1e-12;

std::vector<std::string> names(int n) {
  std::vector<std::string> out;
  for (int i = 0; i < n; ++i) out.push_back("v" + std::to_string(i + 1));
  return out;
}

void add_rows(ScreeningEstimator& e, const MorrisDesign& d, const Function& f, long first, long last, long failed = -1) {
  for (long row = first; row < last; ++row) e.add(d.changed(row), d.step(row), row != failed, f(d.point(row)));
}

results::Screening screened(const MorrisDesign& d, const Parameters& times, int channels, const Function& f, long failed = -1) {
  ScreeningEstimator e(names(d.variables), times, channels);
  add_rows(e, d, f, 0, d.rows(), failed);
  return e.finish();
}

// y = t (3u₁ − 2u₂) and z = u₂: slopes, no scatter.
const Function linear = [](const Parameters& u) {
  return Parameters{0, u[1], 3 * u[0] - 2 * u[1], u[1], 2 * (3 * u[0] - 2 * u[1]), u[1]};
};

TEST(Screening, a_linear_function_is_exact) {
  const results::Screening s = screened({.variables = 2, .trajectories = 8}, {0, 1, 2}, 2, linear);
  EXPECT_EQ(s.trajectories, 8);
  EXPECT_EQ(s.variables, names(2));
  const double slope[] = {3, -2};
  for (int v = 0; v < 2; ++v) {
    const auto& y = s.of[0][v];
    EXPECT_EQ(y.effects, 8);
    for (int t = 0; t < 3; ++t) {
      EXPECT_NEAR(y.mu[t], t * slope[v], round_off);
      EXPECT_NEAR(y.mu_star[t], t * std::abs(slope[v]), round_off);
      EXPECT_NEAR(y.sigma[t], 0, round_off);
      EXPECT_NEAR(y.mu_star_error[t], 0, round_off);
    }
    EXPECT_NEAR(y.integrated_sigma, 0, round_off);
    EXPECT_NEAR(y.integrated_mu_star.error, 0, round_off);
  }
  // relative to the scatter, both causes in proportion to their slopes
  EXPECT_NEAR(s.of[0][0].integrated_mu_star.value / s.of[0][1].integrated_mu_star.value, 1.5, round_off);
  EXPECT_NEAR(s.of[1][0].mu_star[1], 0, round_off);
  EXPECT_NEAR(s.of[1][1].mu[1], 1, round_off);
}

// y = u₁ alone: (∫ e² dt)^½ / (∫ V dt)^½ = 1/σ. Levels are equally frequent, so with many trajectories σ² = (1 − 1/p²)/12, p = 4.
TEST(Screening, the_measure_of_all_times_is_relative_to_the_scatter) {
  const results::Screening s = screened({.variables = 1, .trajectories = 2000}, {0, 1}, 1, [](const Parameters& u) {
    return Parameters{7 * u[0], 7 * u[0]};
  });
  // the standard error of σ²/σ² is about √((κ − 1)/n) = 0.014 for n = 4000: 5 of them, halved by the root
  EXPECT_NEAR(s.of[0][0].integrated_mu_star.value * std::sqrt(15.0 / 16 / 12), 1, 0.035);
}

TEST(Screening, curvature_and_interaction_scatter) {
  // u₁² has effects u + u' = 3/4 or 5/4 on four levels, 1 ± 1/4 equally often; 4 u₂ u₃ the effects 4 u₃ and 4 u₂
  const results::Screening s = screened({.variables = 4, .trajectories = 4000}, {0}, 1,
                                        [](const Parameters& u) { return Parameters{u[0] * u[0] + 4 * u[1] * u[2] + u[3]}; });
  const auto& of = s.of[0];
  // 4000 effects: five standard errors of a mean are 5 σ/√4000 = 0.08 σ, of σ less
  EXPECT_NEAR(of[0].mu[0], 1, 0.08 * 0.25);
  EXPECT_NEAR(of[0].sigma[0], 0.25, 0.08 * 0.25);
  const double sigma = 4 * std::sqrt(15.0 / 16 / 12);
  for (const int v : {1, 2}) {
    EXPECT_NEAR(of[v].mu_star[0], 2, 0.08 * sigma);
    EXPECT_NEAR(of[v].sigma[0], sigma, 0.08 * sigma);
    EXPECT_NEAR(of[v].mu_star_error[0], sigma / std::sqrt(4000.0), 0.08 * sigma / std::sqrt(4000.0));
  }
  EXPECT_NEAR(of[3].sigma[0], 0, round_off);
}

TEST(Screening, effects_of_both_signs_cancel_in_the_mean_only) {
  const results::Screening s = screened({.variables = 1, .levels = 4, .trajectories = 400}, {0}, 1,
                                        [](const Parameters& u) { return Parameters{std::abs(u[0] - 0.5)}; });
  EXPECT_NEAR(s.of[0][0].mu[0], 0, round_off + 5 * 0.5 / 20);  // ±½ by chance, 5 standard errors of 400
  EXPECT_NEAR(s.of[0][0].mu_star[0], 0.5, round_off);
}

TEST(Screening, a_failed_row_spoils_what_it_touches) {
  const MorrisDesign d{.variables = 2, .trajectories = 5};
  for (const auto& [failed, first, second] : {std::tuple{0L, 0, 1}, {1L, 1, 1}, {2L, 0, 1}}) {
    const results::Screening s = screened(d, {0, 1, 2}, 2, linear, failed);
    const int lost = int(5 - s.of[0][0].effects + 5 - s.of[0][1].effects);
    EXPECT_EQ(lost, first + second) << failed;
    EXPECT_NEAR(s.of[0][0].mu[1], 3, round_off);
  }
  const Function spoiled = [](const Parameters& u) { return Parameters{u[0] > 0.8 ? INFINITY : u[0]}; };
  EXPECT_LT(screened({.variables = 1, .trajectories = 50}, {0}, 1, spoiled).of[0][0].effects, 50);
  EXPECT_NEAR(screened({.variables = 1, .trajectories = 50}, {0}, 1, spoiled).of[0][0].mu[0], 1, round_off);
}

// The test function of Morris (1991), section 4: of 20 variables 1–7 matter with interactions or curvature, 8–10 matter and are close
// to linear, 11–20 do not matter.
Function morris_function() {
  Stream random(4, 0, 1);
  Parameters first(20);
  std::vector<Parameters> pairs(20, Parameters(20));
  for (int i = 0; i < 20; ++i) first[i] = i < 10 ? 20 : random.normal();
  for (int i = 0; i < 20; ++i)
    for (int j = i + 1; j < 20; ++j) pairs[i][j] = j < 6 ? -15 : random.normal();
  return [first, pairs](const Parameters& x) {
    Parameters w;
    for (int i = 0; i < 20; ++i) w.push_back(2 * (i == 2 || i == 4 || i == 6 ? 1.1 * x[i] / (x[i] + 0.1) : x[i]) - 1);
    double y = 5 * w[0] * w[1] * w[2] * w[3];
    for (int i = 0; i < 20; ++i) {
      y += first[i] * w[i];
      for (int j = i + 1; j < 20; ++j) y += pairs[i][j] * w[i] * w[j];
    }
    for (int i = 0; i < 5; ++i)
      for (int j = i + 1; j < 5; ++j)
        for (int l = j + 1; l < 5; ++l) y += -10 * w[i] * w[j] * w[l];
    return Parameters{y};
  };
}

TEST(Screening, finds_the_groups_of_morris) {
  const results::Screening s = screened({.variables = 20, .levels = 4, .trajectories = 20, .seed = 1}, {0}, 1, morris_function());
  const auto& of = s.of[0];
  double least_important = 1e9, most_unimportant = 0;
  for (int i = 0; i < 20; ++i) {
    double& bound = i < 10 ? least_important : most_unimportant;
    bound = i < 10 ? std::min(bound, of[i].mu_star[0]) : std::max(bound, of[i].mu_star[0]);
  }
  EXPECT_GT(least_important, 1.5 * most_unimportant);
  // 8–10: the slope is 2 · 20, interactions with coefficients of N(0, 1) add 2 √(Σ β² w²), about 2 √(19 · 0.31) = 5
  for (const int i : {7, 8, 9}) {
    EXPECT_NEAR(of[i].mu[0], 40, 5);  // about four standard errors 5/√20
    EXPECT_LT(of[i].sigma[0], 9);
  }
  // 1–6: five pairs of 15 each, 2 · 15 √(5 · 0.31) = 37 and more; 3 and 5 are curved, with slopes of 1.35 and 0.47 instead of 2
  for (const int i : {0, 1, 3, 5}) EXPECT_GT(of[i].sigma[0], 25) << i + 1;
  for (const int i : {2, 4}) EXPECT_GT(of[i].sigma[0], 12) << i + 1;
  EXPECT_GT(of[6].sigma[0], 6);  // 7 is curved alone: 20 · 1.35 or 20 · 0.47, a standard deviation of 8.8
}

}  // namespace ALEATOR_FILE
}  // namespace aleator::core::analysis
