#include "uncertainty/openturns/orthonormal.hpp"

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <numbers>
#include <stdexcept>

#include <fmt/format.h>

namespace aleator::core {

namespace {

// The law as many weighted points: f(x) dx by the trapezoidal rule after a double-exponential change of variable, which
// converges exponentially for smooth densities and does not mind what they do at the ends of a panel.
struct Points {
  std::vector<double> z, w;  // [points]
};

void add(const Density& d, double x, double dx, Points& points) {
  const double f = d.pdf(x) * dx;
  // Points without weight are left out, and so is the end of a panel where the density may be infinite.
  if (!(f > 1e-200) || !std::isfinite(f)) return;
  points.z.push_back((x - d.mean) / d.standard_deviation);
  points.w.push_back(f);
}

constexpr double step = 1.0 / 48;  // of t

// x = a + (b − a) r,  r = 1/(1 + exp(−π sinh t))
void finite_panel(const Density& d, double a, double b, Points& points) {
  const int last = static_cast<int>(4.5 / step);  // π sinh 4.5 = 141: r = 1e-61
  for (int k = -last; k <= last; ++k) {
    const double t = k * step, e = std::exp(-std::numbers::pi * std::sinh(std::abs(t))), near = e / (1 + e);
    const double x = t < 0 ? a + (b - a) * near : b - (b - a) * near;
    add(d, x, (b - a) * near / (1 + e) * std::numbers::pi * std::cosh(t) * step, points);
  }
}

// x = a ± s exp(t − exp(−t)): for tails that fall at least as exp(−|x|)
void infinite_panel(const Density& d, double a, double side, Points& points) {
  const int first = static_cast<int>(-5 / step), last = static_cast<int>(8 / step);  // e⁸ = 3000 standard deviations
  for (int k = first; k <= last; ++k) {
    const double t = k * step, r = d.standard_deviation * std::exp(t - std::exp(-t));
    add(d, a + side * r, r * (1 + std::exp(-t)) * step, points);
  }
}

Points discretised(const Density& d) {
  Points points;
  for (std::size_t k = 0; k + 1 < d.breaks.size(); ++k) {
    const double a = d.breaks[k], b = d.breaks[k + 1];
    if (!std::isfinite(a))
      infinite_panel(d, b, -1, points);
    else if (!std::isfinite(b))
      infinite_panel(d, a, 1, points);
    else
      finite_panel(d, a, b, points);
  }
  double sum = 0;
  for (const double w : points.w) sum += w;
  // 1e-8: good enough to go on with; the sum is made one below. Well-behaved densities have 1e-13.
  if (!(std::abs(sum - 1) < 1e-8))
    throw std::invalid_argument(
        fmt::format("a distribution whose density integrates to {:.10g} instead of one has no polynomials", sum));
  for (double& w : points.w) w /= sum;
  return points;
}

}  // namespace

// With α_n = E{z p_n²} and β_n the norm of (z − α_{n−1}) p_{n−1} − β_{n−1} p_{n−2}:
//   β_{n+1} p_{n+1} = (z − α_n) p_n − β_n p_{n−1}.
PolynomialFamily stieltjes(const Density& density, int degree) {
  const Points points = discretised(density);
  const std::size_t m = points.z.size();
  PolynomialFamily family{"Stieltjes", density.mean, density.standard_deviation, {}};
  std::vector<double> before(m, 0.0), now(m, 1.0), next(m);
  double beta = 0;
  for (int n = 0; n < degree; ++n) {
    double alpha = 0, square = 0;
    for (std::size_t i = 0; i < m; ++i) alpha += points.w[i] * now[i] * now[i] * points.z[i];
    for (std::size_t i = 0; i < m; ++i) {
      next[i] = (points.z[i] - alpha) * now[i] - beta * before[i];
      square += points.w[i] * next[i] * next[i];
    }
    const double norm = std::sqrt(square);
    for (double& p : next) p /= norm;
    family.recurrence.push_back({1 / norm, -alpha / norm, -beta / norm});
    beta = norm;
    before.swap(now), now.swap(next);
  }
  return family;
}

GaussQuadrature gauss_rule(const PolynomialFamily& family, int n) {
  Eigen::VectorXd diagonal(n), beside(std::max(0, n - 1));
  for (int k = 0; k < n; ++k) {
    diagonal[k] = -family.recurrence[k][1] / family.recurrence[k][0];
    if (k + 1 < n) beside[k] = 1 / family.recurrence[k][0];
  }
  Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver;
  solver.computeFromTridiagonal(diagonal, beside, Eigen::EigenvaluesOnly);
  GaussQuadrature rule;
  std::vector<double> p(n);
  for (int k = 0; k < n; ++k) {
    const double z = solver.eigenvalues()[k];
    family.evaluate(z, p);
    // Christoffel's 1/Σ p²: small weights keep their digits, which eigenvectors lose.
    double sum = 0;
    for (const double value : p) sum += value * value;
    rule.nodes.push_back(z);
    rule.weights.push_back(1 / sum);
  }
  return rule;
}

}  // namespace aleator::core
