#include "reliability/curvature.hpp"

#include <algorithm>
#include <cmath>
#include <complex>
#include <limits>
#include <numbers>

#include "numerics/dense.hpp"
#include "reliability/normal_law.hpp"
#include "reliability/vectors.hpp"

namespace aleator::core::reliability {
namespace {

// Long enough for simulated responses: an error of 1e-6 of the excess makes one of about 1e-5 in a curvature.
constexpr double curvature_step = 0.3;

double product_of_roots(double at, const std::vector<double>& curvatures) {
  double product = 1;
  for (const double k : curvatures) product *= 1 + at * k;
  const bool defined = std::all_of(curvatures.begin(), curvatures.end(), [&](double k) { return 1 + at * k > 0; });
  return defined ? 1 / std::sqrt(product) : std::numeric_limits<double>::quiet_NaN();
}

// Unit vectors across α: the columns but the first of the reflection that takes the first axis to α.
std::vector<std::vector<double>> across(const std::vector<double>& alpha) {
  const std::size_t d = alpha.size();
  std::vector<double> v = alpha;
  const double sign = alpha[0] >= 0 ? 1 : -1;
  v[0] += sign;
  const double vv = dot(v, v);
  std::vector<std::vector<double>> tangents;
  for (std::size_t i = 1; i < d; ++i) {
    std::vector<double> t(d, 0.0);
    t[i] = 1;
    tangents.push_back(sum(std::move(t), -2 * v[i] / vv, v));
  }
  return tangents;
}

}  // namespace

double breitung(double beta, const std::vector<double>& curvatures) {
  return normal_tail(beta) * product_of_roots(beta, curvatures);
}

double hohenbichler_rackwitz(double beta, const std::vector<double>& curvatures) {
  return normal_tail(beta) * product_of_roots(normal_density(beta) / normal_tail(beta), curvatures);
}

// X = β + ½ Σ κ y² − v has E exp(sX) = exp(sβ + s²/2) Π (1 − sκ)^(−1/2);  P(X < 0) = −1/π ∫₀^∞ Re M(γ + iτ)/(γ + iτ) dτ for any γ < 0 where M is finite. The
// integrand decays as exp(−τ²/2): the trapezoidal rule converges faster than any power of the step.
double tvedt(double beta, const std::vector<double>& curvatures) {
  double least = 0;
  for (const double k : curvatures) least = std::min(least, k);
  double at = std::max(beta, 1.0);
  if (least < 0) at = std::min(at, 0.7 / -least);
  const double h = 0.01;
  double total = 0;
  for (int i = 0; i < 1200; ++i) {
    const std::complex<double> s(-at, h * i);
    std::complex<double> logs = s * beta + 0.5 * s * s;
    for (const double k : curvatures) logs -= 0.5 * std::log(1.0 - s * k);
    total += (i == 0 ? 0.5 : 1.0) * (std::exp(logs) / s).real();
  }
  return std::clamp(-total * h / std::numbers::pi, 0.0, 1.0);
}

std::vector<Point> curvature_points(const DesignPoint& p) {
  const std::vector<std::vector<double>> t = across(p.alpha);
  const double h = curvature_step;
  std::vector<Point> points{{p.u, 0}};
  for (std::size_t i = 0; i < t.size(); ++i) {
    points.push_back({sum(p.u, h, t[i]), 0});
    points.push_back({sum(p.u, -h, t[i]), 0});
  }
  for (std::size_t i = 0; i < t.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) points.push_back({sum(sum(p.u, h, t[i]), h, t[j]), 0});
  }
  return points;
}

std::vector<double> curvatures_of(const DesignPoint& p, const std::vector<Response>& responses) {
  const dense::Index n = static_cast<dense::Index>(p.alpha.size()) - 1;
  if (n <= 0 || !responses[0].ok()) return {};
  const double h = curvature_step, e0 = responses[0].excess[p.limit];
  // A simulation that failed counts as if there were no curvature.
  const auto e = [&](std::size_t i) {
    return responses[i].ok() ? responses[i].excess[p.limit] : std::numeric_limits<double>::quiet_NaN();
  };
  const auto or_zero = [](double x) { return std::isfinite(x) ? x : 0.0; };
  dense::MatrixXd hessian = dense::MatrixXd::Zero(n, n);
  std::vector<double> gradient(static_cast<std::size_t>(n));
  for (dense::Index i = 0; i < n; ++i) {
    const double up = e(static_cast<std::size_t>(1 + 2 * i)), down = e(static_cast<std::size_t>(2 + 2 * i));
    hessian(i, i) = or_zero((up - 2 * e0 + down) / (h * h));
    gradient[static_cast<std::size_t>(i)] = or_zero((up - down) / (2 * h));
  }
  std::size_t next = static_cast<std::size_t>(1 + 2 * n);
  for (dense::Index i = 0; i < n; ++i) {
    for (dense::Index j = 0; j < i; ++j) {
      // e(ti + tj) − e0 = h (gi + gj) + h²/2 (Hii + Hjj) + h² Hij
      const double both = e(next++) - e0;
      const double straight = h * (gradient[static_cast<std::size_t>(i)] + gradient[static_cast<std::size_t>(j)]) +
                              0.5 * h * h * (hessian(i, i) + hessian(j, j));
      hessian(i, j) = hessian(j, i) = or_zero((both - straight) / (h * h));
    }
  }
  const dense::VectorXd values = dense::symmetric_eigenvalues(hessian);
  std::vector<double> curvatures;
  for (dense::Index i = n - 1; i >= 0; --i) curvatures.push_back(-values(i) / p.slope);
  return curvatures;
}

}  // namespace aleator::core::reliability
