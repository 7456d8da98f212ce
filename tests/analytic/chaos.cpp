// Chaos expansions of functions whose moments and Sobol indices are known in closed form, and how fast they converge.
#include "analysis/chaos.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <numbers>
#include <vector>

#include "analysis/chaos_statistics.hpp"
#include "support/chaos.hpp"

namespace aleator::core::analysis {
namespace ALEATOR_FILE {

using namespace aleator::core::test;
using std::numbers::pi;
using test::Function;

const std::vector<double> now = {0};

std::vector<PolynomialFamily> uniform(int d) { return std::vector(std::size_t(d), legendre()); }

Expansion projected(const Function& f, int degree, const PolynomialFamily& family = legendre()) {
  GaussRules rules({family});
  const Quadrature q = tensor_quadrature(1, degree + 1, rules.provider());
  return project(make_basis({family}, {degree}), q.points, q.weights, responses(f, q.points, 1));
}

// sin x₁ + a sin² x₂ + b x₃⁴ sin x₁ with x uniform on [−π, π].
struct Ishigami {
  static constexpr double a = 7, b = 0.1, pi4 = pi * pi * pi * pi, pi8 = pi4 * pi4;
  static constexpr double v1 = 0.5 * (1 + b * pi4 / 5) * (1 + b * pi4 / 5), v2 = a * a / 8, v13 = b * b * pi8 * 8 / 225;
  static constexpr double v = v1 + v2 + v13;
  static std::vector<double> value(std::span<const double> z) {
    const double s = std::sin(pi * z[0]), s2 = std::sin(pi * z[1]), x3 = pi * z[2];
    return {s + a * s2 * s2 + b * x3 * x3 * x3 * x3 * s};
  }
};

void expect_ishigami(const Expansion& e, double tolerance) {
  EXPECT_NEAR(mean(e)[0], Ishigami::a / 2, tolerance * Ishigami::a);
  EXPECT_NEAR(variance(e)[0], Ishigami::v, tolerance * Ishigami::v);
  const results::SobolIndices s = shares(e, {"1", "2", "3"}, std::vector{0, 1, 2}, now, 1);
  const auto check = [&](int g, double first, double total) {
    EXPECT_NEAR(s.of[0][std::size_t(g)].first[0], first / Ishigami::v, tolerance) << g << " " << e.how;
    EXPECT_NEAR(s.of[0][std::size_t(g)].integrated_total.value, total / Ishigami::v, tolerance) << g << " " << e.how;
  };
  check(0, Ishigami::v1, Ishigami::v1 + Ishigami::v13);  // 0.3139, 0.5576
  check(1, Ishigami::v2, Ishigami::v2);                  // 0.4424
  check(2, 0, Ishigami::v13);                            // 0, 0.2437
}

TEST(ChaosAnalytic, ishigami_by_every_way) {
  const auto f = Ishigami::value;
  GaussRules rules(uniform(3));
  // The slowest part is (a/2) cos 2πz with C_n = (a/2) √(2n+1) j_n(2π): 0.06, 4e-3 and 3e-4 for n = 10, 12, 14. n + 1 Gauss points
  // take C_n+2 for a part of C_n: the variance is wrong by 2 C_n C_n+2 / V, 2e-7 with n = 12 and 4e-5 with n = 10.
  const Quadrature q = tensor_quadrature(3, 13, rules.provider());
  expect_ishigami(project(make_basis(uniform(3), {12, Truncation::tensor}), q.points, q.weights, responses(f, q.points, 3)),
                  1e-6);
  const Quadrature sparse_grid = smolyak_quadrature(3, 10, rules.provider());
  expect_ishigami(
      project(make_basis(uniform(3), {10}), sparse_grid.points, sparse_grid.weights, responses(f, sparse_grid.points, 3)), 5e-4);
  // Random points spread what is left out, C_12/√V = 1e-3, over the other terms, where it counts linearly.
  const std::vector<double> z = random_points(uniform(3), 600, 1);
  expect_ishigami(least_squares(make_basis(uniform(3), {10}), z, responses(f, z, 3)), 5e-3);
  // 455 candidates, 250 points: the few terms there are, up to degree 12, which leave out C_14/√V = 1e-4.
  const std::vector<double> few = random_points(uniform(3), 250, 2);
  expect_ishigami(sparse_least_squares(make_basis(uniform(3), {12}), few, responses(f, few, 3), 1), 1e-4);
}

// ∏ (|4xⱼ − 2| + aⱼ)/(1 + aⱼ), x uniform on [0, 1]: V_j = 1/(3 (1 + aⱼ)²), V = ∏(1 + V_j) − 1. It has kinks, so that chaos converges
// like degree^(−3/2) in the root mean square.
TEST(ChaosAnalytic, sobol_g_function) {
  const std::vector<double> a = {0, 1, 4.5};
  const Function f = [&](std::span<const double> z) {
    double y = 1;
    for (std::size_t j = 0; j < 3; ++j) y *= (std::abs(2 * z[j]) + a[j]) / (1 + a[j]);
    return std::vector{y};
  };
  std::array<double, 3> v;
  double all = 1;
  for (std::size_t j = 0; j < 3; ++j) {
    v[j] = 1 / (3 * (1 + a[j]) * (1 + a[j]));
    all *= 1 + v[j];
  }
  GaussRules rules(uniform(3));
  const Quadrature q = tensor_quadrature(3, 10, rules.provider());
  const Expansion e = project(make_basis(uniform(3), {9, Truncation::tensor}), q.points, q.weights, responses(f, q.points, 3));
  const results::SobolIndices s = shares(e, {"1", "2", "3"}, std::vector{0, 1, 2}, now, 1);
  // A quadrature of 10 points misses the mean of |z| by some 1/10², and the variance by four times that; much of it is common to
  // the parts, so that their ratios are better.
  EXPECT_NEAR(mean(e)[0], 1, 0.02);
  EXPECT_NEAR(variance(e)[0], all - 1, 0.05 * (all - 1));
  for (std::size_t j = 0; j < 3; ++j) {
    EXPECT_NEAR(s.of[0][j].first[0], v[j] / (all - 1), 0.005);
    EXPECT_NEAR(s.of[0][j].total[0], v[j] * all / (1 + v[j]) / (all - 1), 0.005);
  }
}

// E{e^x} = sinh 1, V = sinh(2)/2 − sinh² 1 for uniform x; for normal x: e^½ and e² − e.
TEST(ChaosAnalytic, smooth_functions_converge_spectrally) {
  const Function f = [](auto x) { return std::vector{std::exp(x[0])}; };
  const double v = std::sinh(2.0) / 2 - std::sinh(1.0) * std::sinh(1.0);
  double last = 1;
  for (int degree = 2; degree <= 8; ++degree) {
    const Expansion e = projected(f, degree);
    // n + 1 Gauss points are right up to degree 2n + 1: the error of the mean is below e/(2n + 2)!, and round-off.
    EXPECT_NEAR(mean(e)[0], std::sinh(1.0), std::exp(1.0) / std::tgamma(2 * degree + 3) + 1e-15 * degree);
    const double error = std::abs(variance(e)[0] - v);
    // each degree takes 1/(4n²) of the square at least, which is 0.06 with n = 2; down to round-off
    EXPECT_LT(error, std::max(0.05 * last, 1e-14));
    last = error;
  }
  EXPECT_LT(last, 1e-14);
  const Expansion e = projected(f, 20, hermite());
  // C_n = e^½/√n!: the variance left out beyond degree 20 is e Σ 1/n! < 1e-18; round-off of values up to e⁷ · 1e-16.
  EXPECT_NEAR(mean(e)[0], std::exp(0.5), 1e-12);
  EXPECT_NEAR(variance(e)[0], std::exp(2.0) - std::exp(1.0), 1e-11);
  const std::vector<double> d = decay(e, now, 1)[0];
  for (std::size_t n = 1; n < 8; ++n) EXPECT_NEAR(d[n] / d[n - 1], 1.0 / double(n + 1), 1e-8);  // aliasing of degree 40 − n
}

// |x| with x uniform: only even degrees, C_2m² ~ m^(−4), so that what degree n leaves out of V = 1/12 falls like n^(−3).
TEST(ChaosAnalytic, a_kink_converges_slowly) {
  // Gauss points on either side of the kink: exact.
  const GaussQuadrature g = gauss_rule(legendre(), 20);
  std::vector<double> points, weights;
  for (std::size_t i = 0; i < 20; ++i)
    for (const double side : {-0.5, 0.5}) {
      points.push_back(side * (1 + g.nodes[i]));
      weights.push_back(g.weights[i] / 2);
    }
  const RowMatrix y = responses([](auto x) { return std::vector{std::abs(x[0])}; }, points, 1);
  const auto left_out = [&](int degree) {
    return 1.0 / 12 - variance(project(make_basis(uniform(1), {degree}), points, weights, y))[0];
  };
  // Between 16 and 32 the next order, n^(−4), still counts by some 3/16.
  EXPECT_NEAR(std::log2(left_out(16) / left_out(32)), 3, 0.25);
  EXPECT_GT(left_out(16), 1e-6);
}

// cos(ω t), ω² = k uniform on [k₀ − δ, k₀ + δ]: with ω dω = dk/2,
//   E{cos ωt} = (1/δ) ∫ ω cos ωt dω,   E{cos²} = ½ + ½ E{cos 2ωt}.
TEST(ChaosAnalytic, an_oscillator_of_random_stiffness) {
  const double k0 = 4, delta = 1;
  std::vector<double> times;
  for (int i = 1; i <= 50; ++i) times.push_back(0.2 * i);
  const Function f = [&](std::span<const double> z) {
    std::vector<double> y;
    for (const double t : times) y.push_back(std::cos(std::sqrt(k0 + delta * z[0]) * t));
    return y;
  };
  const auto mean_at = [&](double t) {
    const auto antiderivative = [&](double k) {
      const double w = std::sqrt(k);
      return w * std::sin(w * t) / t + std::cos(w * t) / (t * t);
    };
    return (antiderivative(k0 + delta) - antiderivative(k0 - delta)) / delta;
  };
  const auto worst = [&](int degree) {
    const Expansion e = projected(f, degree);
    const std::vector<double> m = mean(e), v = variance(e);
    double error = 0;
    for (std::size_t i = 0; i < times.size(); ++i) {
      const double exact = mean_at(times[i]), square = 0.5 + 0.5 * mean_at(2 * times[i]);
      error = std::max({error, std::abs(m[i] - exact), std::abs(v[i] - (square - exact * exact))});
    }
    return error;
  };
  // The phase at t = 10 spans ωt = 17.3 … 22.4, ±2.5 rad: coefficients fall like those of cos(2.5 z), J_n(2.5) ~ 1.25^n/n!, and
  // what the variance lacks like their squares: 0.1 with degree 2, 1e-6 with 6, 1e-13 with 10. Ten times that is allowed.
  EXPECT_GT(worst(2), 1e-2);
  EXPECT_LT(worst(6), 1e-5);
  EXPECT_LT(worst(10), 1e-12);
  EXPECT_LT(worst(16), 1e-13);  // round-off
}

// What leave-one-out says of a fit is what independent points say.
TEST(ChaosAnalytic, leave_one_out_is_the_error_elsewhere) {
  const std::vector<double> times = {0, 0.5, 1};
  const Function f = [](std::span<const double> z) {
    std::vector<double> y;
    for (const double t : {0.0, 0.5, 1.0}) {
      y.push_back(std::exp(t * (z[0] + 0.5 * z[1])) + z[2]);
      y.push_back(1 / (1.5 + z[0] * z[1] * t + 0.2 * z[2]));
    }
    return y;
  };
  const auto compare = [&](const Expansion& e, double factor) {
    const std::vector<double> elsewhere = random_points(uniform(3), 5000, 11);
    const FitError said = leave_one_out_error(e, times, 2);
    const FitError is = held_out_error(e, elsewhere, responses(f, elsewhere, 3), times, 2);
    for (std::size_t c = 0; c < 2; ++c) {
      EXPECT_LT(said.integrated[c], factor * is.integrated[c]) << e.how;
      EXPECT_GT(said.integrated[c], is.integrated[c] / factor) << e.how;
    }
  };
  const std::vector<double> z = random_points(uniform(3), 150, 12);
  // Squares of 150 errors, some of which dominate: a factor of 2 is some three standard deviations.
  compare(least_squares(make_basis(uniform(3), {3}), z, responses(f, z, 3)), 2);
  // Terms were chosen with all points: too small, by less than 4 here.
  compare(sparse_least_squares(make_basis(uniform(3), {7}), z, responses(f, z, 3), 2), 4);
}

}  // namespace ALEATOR_FILE
}  // namespace aleator::core::analysis
