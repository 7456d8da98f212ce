// Least squares: certified problems, bounds, parameters that cannot be told apart, other minima, failures of the model.
#include "inference/least_squares.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "inference_nist_problems.hpp"
#include "numerics/student.hpp"
#include "uncertainty/stream.hpp"

namespace aleator::core::inference {
namespace ALEATOR_FILE {

using Parameters = std::vector<double>;
using Model = std::function<double(const Parameters&, double)>;

Residuals differences(const Model& model, const Parameters& x, const Parameters& y, double noise = 1) {
  return [=](const Points& points) {
    std::vector<Parameters> all;
    for (const Parameters& b : points) {
      Parameters r;
      for (std::size_t k = 0; k < x.size(); ++k) r.push_back((model(b, x[k]) - y[k]) / noise);
      all.push_back(r);
    }
    return all;
  };
}

Parameters grid(int n) {
  Parameters x;
  for (int k = 0; k < n; ++k) x.push_back(double(k) / (n - 1));
  return x;
}

Parameters sampled(const Model& model, const Parameters& b, const Parameters& x, double noise = 0) {
  Stream s(5, 1, 1);
  Parameters y;
  for (const double v : x) y.push_back(model(b, v) + noise * s.normal());
  return y;
}

constexpr double tight = 1e-9;  // tolerance where answers are known to round-off

bool mentions(const LeastSquaresFit& fit, const std::string& words) {
  for (const std::string& note : fit.notes)
    if (note.find(words) != std::string::npos) return true;
  return false;
}

class Certified : public testing::TestWithParam<int> {};

TEST_P(Certified, parameters_and_standard_deviations) {
  for (const CertifiedProblem& p : nist_problems()) {
    SCOPED_TRACE(p.name);
    std::vector<BoundedParameter> parameters;
    for (std::size_t j = 0; j < p.from.size(); ++j)
      parameters.push_back({"b" + std::to_string(j + 1), (GetParam() == 1 ? p.start_1 : p.start_2)[j], p.from[j], p.to[j]});
    LeastSquaresSettings settings;
    settings.starts = 1;
    settings.step = p.name == "MGH09" ? 1e-6 : 1e-5;  // these models are exact to round-off, and the boxes are wide
    settings.tolerance = tight;
    settings.most_iterations = 1000;
    const LeastSquaresFit fit = least_squares(differences(p.model, p.x, p.y), parameters, settings);
    EXPECT_TRUE(fit.converged);
    EXPECT_NEAR(2 * fit.cost, p.residual_sum, 1e-8 * p.residual_sum);
    EXPECT_NEAR(std::sqrt(fit.reduced), p.residual_deviation, 1e-8 * p.residual_deviation);
    for (std::size_t j = 0; j < parameters.size(); ++j) {
      // six digits of the parameters, four of the standard deviations: the error of central differences, step²/6 of the curvature
      EXPECT_NEAR(fit.x[j], p.certified[j], 1e-6 * p.certified[j]);
      EXPECT_NEAR(fit.standard_error[j], p.standard_deviation[j], 1e-4 * p.standard_deviation[j]);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(LeastSquares, Certified, testing::Values(1, 2));

TEST(LeastSquares, straight_line_by_hand) {
  // y = a + b x of (0,1), (1,3), (2,4), (3,4): b = 1, a = 3/2, Σr² = 1, s² = 1/2, var b = s²/5, var a = s² (1/4 + 2.25/5), cov = −1.5 s²/5
  const auto line = [](const Parameters& b, double x) { return b[0] + b[1] * x; };
  const LeastSquaresFit fit =
      least_squares(differences(line, {0, 1, 2, 3}, {1, 3, 4, 4}), {{"a", 0, -10, 10}, {"b", 0, -5, 5}}, {.tolerance = tight});
  EXPECT_NEAR(fit.x[0], 1.5, 1e-9);  // differences of a linear model: round-off / step
  EXPECT_NEAR(fit.x[1], 1, 1e-9);
  EXPECT_NEAR(fit.cost, 0.5, 1e-12);
  EXPECT_EQ(fit.freedom, 2);
  EXPECT_NEAR(fit.reduced, 0.5, 1e-12);
  EXPECT_NEAR(fit.covariance[0], 0.35, 1e-9);
  EXPECT_NEAR(fit.covariance[1], -0.15, 1e-9);
  EXPECT_NEAR(fit.covariance[3], 0.1, 1e-9);
  EXPECT_NEAR(fit.correlation[1], -0.15 / std::sqrt(0.035), 1e-9);
  EXPECT_NEAR(fit.upper[1] - fit.x[1], student_quantile(0.975, 2) * std::sqrt(0.1), 1e-8);
  EXPECT_TRUE(std::isnan(fit.p));
  EXPECT_TRUE(fit.unique);
  EXPECT_TRUE(fit.notes.empty());
}

TEST(LeastSquares, known_noise_gives_the_probability_of_the_misfit) {
  const auto line = [](const Parameters& b, double x) { return b[0] + b[1] * x; };
  LeastSquaresSettings settings;
  settings.noise_known = true;
  settings.tolerance = tight;
  const auto fit = [&](double noise) {
    return least_squares(differences(line, {0, 1, 2, 3}, {1, 3, 4, 4}, noise), {{"a", 0, -10, 10}, {"b", 0, -5, 5}}, settings);
  };
  const LeastSquaresFit right = fit(0.5), wrong = fit(0.1);
  EXPECT_NEAR(right.p, std::exp(-2), 1e-9);  // χ² = Σr²/0.25 = 4, two degrees of freedom
  EXPECT_NEAR(right.standard_error[1], 0.5 / std::sqrt(5), 1e-8);
  EXPECT_TRUE(right.notes.empty());
  EXPECT_TRUE(mentions(wrong, "does not explain the data"));
}

TEST(LeastSquares, stops_at_a_bound_and_says_so) {
  // The best line has b = 1; with b ≤ 1/2 the best a is mean y − mean x / 2 = 9/4, and its variance s²/4 with Σr² = 2.25, three degrees left.
  const auto line = [](const Parameters& b, double x) { return b[0] + b[1] * x; };
  const LeastSquaresFit fit =
      least_squares(differences(line, {0, 1, 2, 3}, {1, 3, 4, 4}), {{"a", 0, -10, 10}, {"b", -1, -5, 0.5}}, {.tolerance = tight});
  EXPECT_EQ(fit.x[1], 0.5);
  EXPECT_EQ(fit.bound, (std::vector<int>{0, 1}));
  EXPECT_NEAR(fit.x[0], 2.25, 1e-9);
  EXPECT_EQ(fit.freedom, 3);
  EXPECT_NEAR(fit.standard_error[0], std::sqrt(2.25 / 3 / 4), 1e-8);
  EXPECT_TRUE(std::isnan(fit.standard_error[1]));
  EXPECT_TRUE(mentions(fit, "b ended at the upper end of its range"));
}

TEST(LeastSquares, all_at_bounds_or_nothing_left_over) {
  const auto line = [](const Parameters& b, double x) { return b[0] + b[1] * x; };
  const LeastSquaresFit held = least_squares(differences(line, {0, 1}, {5, 9}), {{"a", 1, 0, 2}, {"b", 1, 0, 2}});
  EXPECT_EQ(held.x, (Parameters{2, 2}));
  EXPECT_EQ(held.freedom, 2);
  EXPECT_EQ(held.notes.size(), 2u);
  const LeastSquaresFit exact = least_squares(differences(line, {0, 1}, {1, 2}), {{"a", 0, -5, 5}, {"b", 0, -5, 5}});
  EXPECT_EQ(exact.freedom, 0);
  EXPECT_NEAR(exact.x[1], 1, 1e-9);  // round-off / step
  EXPECT_TRUE(std::isnan(exact.reduced) && std::isnan(exact.standard_error[0]) && std::isnan(exact.lower[0]));
  EXPECT_THROW(least_squares(differences(line, {1}, {1}), {{"a", 0, -5, 5}, {"b", 0, -5, 5}}), std::runtime_error);
}

TEST(LeastSquares, starts_at_a_bound_and_leaves_it) {
  const Model decay = [](const Parameters& b, double x) { return b[0] * std::exp(-b[1] * x); };
  const Parameters x = grid(20);
  LeastSquaresSettings settings;
  settings.starts = 1;
  const LeastSquaresFit fit =
      least_squares(differences(decay, x, sampled(decay, {2, 3}, x)), {{"a", 0, 0, 5}, {"k", 10, 0, 10}}, settings);
  EXPECT_NEAR(fit.x[0], 2, 1e-6);  // exact data: slopes are off by step², the minimum is not
  EXPECT_NEAR(fit.x[1], 3, 1e-6);
}

TEST(LeastSquares, only_the_product_is_determined) {
  const Model product = [](const Parameters& b, double x) { return b[0] * b[1] * x + b[2] * x * x; };
  const Parameters x = grid(30);
  for (const double noise : {0.0, 0.01}) {
    const LeastSquaresFit fit = least_squares(differences(product, x, sampled(product, {2, 3, 1}, x, noise)),
                                              {{"m", 1, 0.5, 5}, {"k", 1, 0.5, 10}, {"c", 0, -5, 5}});
    ASSERT_EQ(fit.indistinguishable.size(), 1u);
    EXPECT_EQ(fit.indistinguishable[0].parameters, (std::vector<int>{0, 1}));
    EXPECT_TRUE(std::isinf(fit.standard_error[0]));
    EXPECT_TRUE(std::isinf(fit.standard_error[1]));
    EXPECT_LT(fit.correlation[1], -0.99);
    EXPECT_TRUE(fit.open_below[0] && fit.open_above[0]);
    EXPECT_TRUE(mentions(fit, "m, k cannot be distinguished"));
    EXPECT_FALSE(fit.unique);
    EXPECT_NEAR(fit.x[0] * fit.x[1], 6, 1e-5 + 10 * noise);  // what they determine; the rest of the sum is correlated with it
    EXPECT_NEAR(fit.x[2], 1, 1e-5 + 10 * noise);
    EXPECT_TRUE(noise == 0 || std::isfinite(fit.standard_error[2]));
  }
}

TEST(LeastSquares, a_parameter_without_influence) {
  const Model model = [](const Parameters& b, double x) { return b[0] * x; };
  const Parameters x = grid(10);
  const LeastSquaresFit fit =
      least_squares(differences(model, x, sampled(model, {2, 0}, x, 0.01)), {{"k", 1, 0, 5}, {"ghost", 1, 0, 5}});
  EXPECT_NEAR(fit.x[0], 2, 0.03);  // 5 standard errors: 0.01 / (Σx²)^½ = 0.0053
  EXPECT_TRUE(std::isfinite(fit.standard_error[0]));
  EXPECT_TRUE(std::isinf(fit.standard_error[1]));
  EXPECT_TRUE(mentions(fit, "ghost has too little influence"));
}

TEST(LeastSquares, close_parameters_are_named) {
  // Two decays with nearly the same rate.
  const Model sum = [](const Parameters& b, double x) { return b[0] * std::exp(-x) + b[1] * std::exp(-1.3 * x); };
  const Parameters x = grid(50);
  const LeastSquaresFit fit =
      least_squares(differences(sum, x, sampled(sum, {1, 1}, x, 1e-3)), {{"p", 0, -5, 5}, {"q", 0, -5, 5}});
  ASSERT_EQ(fit.indistinguishable.size(), 1u);
  EXPECT_LT(fit.indistinguishable[0].correlation, -0.95);
  EXPECT_TRUE(mentions(fit, "p, q can hardly be distinguished"));
}

TEST(LeastSquares, a_group_is_named_once) {
  // Sums of exponentials are the classical example of parameters that all go together.
  const CertifiedProblem p = nist_problems().back();
  std::vector<BoundedParameter> parameters;
  for (std::size_t j = 0; j < p.from.size(); ++j)
    parameters.push_back({"b" + std::to_string(j + 1), p.start_2[j], p.from[j], p.to[j]});
  LeastSquaresSettings settings;
  settings.starts = 1;
  const LeastSquaresFit fit = least_squares(differences(p.model, p.x, p.y), parameters, settings);
  ASSERT_EQ(fit.indistinguishable.size(), 1u);
  EXPECT_EQ(fit.indistinguishable[0].parameters, (std::vector<int>{0, 1, 2, 3, 4, 5}));
  EXPECT_GT(std::abs(fit.indistinguishable[0].correlation), 0.999);
}

TEST(LeastSquares, two_minima_as_good) {
  const Model even = [](const Parameters& b, double x) { return b[0] * b[0] * x; };
  const Parameters x = grid(10);
  const LeastSquaresFit fit = least_squares(differences(even, x, sampled(even, {1}, x, 0.01)), {{"s", 0.5, -2, 2}});
  EXPECT_NEAR(std::abs(fit.x[0]), 1, 0.02);  // 5 standard errors of s² are 0.027
  EXPECT_FALSE(fit.unique);
  EXPECT_TRUE(mentions(fit, "not unique"));
}

TEST(LeastSquares, finds_the_frequency_from_far_away) {
  // From the start alone, a local minimum; scouts see the right one.
  const Model wave = [](const Parameters& b, double x) { return std::cos(b[0] * x); };
  const Parameters x = grid(200);
  const Residuals r = differences(wave, x, sampled(wave, {40}, x, 0.05));
  LeastSquaresSettings alone;
  alone.starts = 1;
  EXPECT_GT(std::abs(least_squares(r, {{"w", 15, 10, 70}}, alone).x[0] - 40), 1);
  const LeastSquaresFit fit = least_squares(r, {{"w", 15, 10, 70}});
  EXPECT_NEAR(fit.x[0], 40, 5 * fit.standard_error[0]);
  EXPECT_LT(fit.standard_error[0], 0.02);  // 0.05 / (Σ x² sin²)^½ = 0.009
  EXPECT_TRUE(fit.unique);
}

TEST(LeastSquares, a_model_that_is_integrated_with_errors) {
  // An oscillator that is off by 1e-6, erratically in its parameters, as integrators with step control are.
  const Model exact = [](const Parameters& b, double x) { return std::exp(-b[1] * x) * std::cos(b[0] * x); };
  const Model rough = [&](const Parameters& b, double x) { return exact(b, x) + 1e-6 * std::sin(1e9 * (b[0] + b[1]) + 1e3 * x); };
  const Parameters x = grid(300), y = sampled(exact, {30, 2}, x, 0.02);
  const std::vector<BoundedParameter> parameters = {{"w", 28, 20, 40}, {"c", 1, 0, 5}};
  const LeastSquaresFit a = least_squares(differences(exact, x, y), parameters),
                        b = least_squares(differences(rough, x, y), parameters);
  EXPECT_TRUE(b.converged);
  EXPECT_LT(double(b.evaluations), 1.5 * double(a.evaluations));
  for (std::size_t j = 0; j < 2; ++j) {
    EXPECT_NEAR(a.x[j], j == 0 ? 30 : 2, 4 * a.standard_error[j]);
    EXPECT_NEAR(b.x[j], a.x[j], 0.01 * a.standard_error[j]);                             // slopes are off by 1e-6 / 1e-3 at most
    EXPECT_NEAR(b.standard_error[j], a.standard_error[j], 0.002 * a.standard_error[j]);  // … of what the parameter changes
  }
}

TEST(LeastSquares, the_model_may_fail_in_places) {
  const Model decay = [](const Parameters& b, double x) { return b[0] > 4 ? NAN : b[0] * std::exp(-b[1] * x); };
  const Parameters x = grid(20);
  const LeastSquaresFit fit =
      least_squares(differences(decay, x, sampled(decay, {2, 3}, x)), {{"a", 3.9999, 0, 5}, {"k", 1, 0, 10}});
  EXPECT_NEAR(fit.x[0], 2, 1e-6);
  EXPECT_THROW(least_squares([](const Points& p) { return std::vector<Parameters>(p.size()); }, {{"a", 1, 0, 5}}),
               std::runtime_error);
}

TEST(LeastSquares, wrong_ranges_are_refused) {
  const Residuals r = differences([](const Parameters& b, double) { return b[0]; }, {0}, {1});
  EXPECT_THROW(least_squares(r, {}), std::runtime_error);
  EXPECT_THROW(least_squares(r, {{"a", 2, 0, 1}}), std::runtime_error);
  EXPECT_THROW(least_squares(r, {{"a", 1, 1, 1}}), std::runtime_error);
  EXPECT_THROW(least_squares(r, {{"a", 0.5, 0, INFINITY}}), std::runtime_error);
}

}  // namespace ALEATOR_FILE
}  // namespace aleator::core::inference
