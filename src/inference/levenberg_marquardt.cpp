#include "inference/levenberg_marquardt.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "numerics/dense.hpp"

namespace aleator::core::inference {
namespace {

constexpr std::array<double, 4> dampings = {0.01, 0.1, 1, 10};  // tried at once, times the present λ
constexpr double least_damping = 1e-14, most_damping = 1e12;

Eigen::VectorXd as_vector(const std::vector<double>& v) { return Eigen::Map<const Eigen::VectorXd>(v.data(), long(v.size())); }

// Where the two points of a difference are: on both sides; at a bound, both inside.
std::array<double, 2> offsets(double u, double step) {
  if (u - step < 0) return {step, 2 * step};
  if (u + step > 1) return {-step, -2 * step};
  return {-step, step};
}

// The slope at 0 of the parabola through (0, 0), (a, at_a), (b, at_b); of a line when one of the two failed.
Eigen::VectorXd slope(double a, const std::vector<double>& at_a, double b, const std::vector<double>& at_b,
                      const Eigen::VectorXd& at_0) {
  const bool has_a = std::isfinite(cost_of(at_a)), has_b = std::isfinite(cost_of(at_b));
  if (has_a && has_b) return ((as_vector(at_a) - at_0) * (b / a) - (as_vector(at_b) - at_0) * (a / b)) / (b - a);
  if (has_a) return (as_vector(at_a) - at_0) / a;
  if (has_b) return (as_vector(at_b) - at_0) / b;
  return Eigen::VectorXd::Zero(at_0.size());
}

void differentiate(const Residuals& residuals, double step, Minimum& at) {
  const std::size_t d = at.u.size();
  Points points;
  for (std::size_t j = 0; j < d; ++j)
    for (const double offset : offsets(at.u[j], step)) {
      points.push_back(at.u);
      points.back()[j] += offset;
    }
  const auto values = residuals(points);
  at.evaluations += long(points.size());
  at.jacobian.resize(at.residuals.size(), long(d));
  for (std::size_t j = 0; j < d; ++j) {
    const auto [a, b] = offsets(at.u[j], step);
    at.jacobian.col(long(j)) = slope(a, values[2 * j], b, values[2 * j + 1], at.residuals);
  }
}

void hold_at_bounds(Minimum& at, const Eigen::VectorXd& gradient) {
  for (std::size_t j = 0; j < at.u.size(); ++j) {
    const double g = gradient[long(j)];
    at.bound[j] = at.u[j] <= 0 && g > 0 ? -1 : at.u[j] >= 1 && g < 0 ? 1 : 0;
  }
}

// The step of the normal equations with the matrix A that stays inside the cube.
Eigen::VectorXd bounded_step(const Eigen::MatrixXd& A, const Eigen::VectorXd& gradient, const Minimum& at) {
  const long d = long(at.u.size());
  Eigen::VectorXd step = Eigen::VectorXd::Zero(d);
  std::vector<long> free;
  for (long j = 0; j < d; ++j)
    if (at.bound[std::size_t(j)] == 0) free.push_back(j);
  while (!free.empty()) {
    Eigen::VectorXd right = -gradient;  // less what the coordinates that stopped contribute
    for (const long j : free) step[j] = 0;
    right -= A * step;
    const Eigen::VectorXd solution = dense::solve_symmetric(A(free, free), right(free));
    std::vector<long> inside;
    for (std::size_t k = 0; k < free.size(); ++k) {
      const long j = free[k];
      const double u = at.u[std::size_t(j)], to = u + solution[long(k)];
      step[j] = std::clamp(to, 0.0, 1.0) - u;
      if (to >= 0 && to <= 1) inside.push_back(j);
    }
    if (inside.size() == free.size()) break;
    free = inside;
  }
  return step;
}

// A + λ D; a parameter without influence is not to move.
Eigen::MatrixXd damped(const Eigen::MatrixXd& A, double damping) {
  const Eigen::VectorXd scale = A.diagonal().cwiseMax(1e-12 * A.diagonal().maxCoeff());
  return A + Eigen::MatrixXd((damping * scale).asDiagonal());
}

// A step of n standard errors changes the residuals by n times their standard deviation.
bool negligible(const Eigen::VectorXd& step, const Minimum& at, double tolerance) {
  const double freedom = std::max(1.0, double(at.residuals.size() - at.jacobian.cols()));
  return (at.jacobian * step).norm() <= tolerance * std::sqrt(2 * at.cost / freedom);
}

// Tries several dampings; true when one of them is better.
bool improve(const Residuals& residuals, const Eigen::MatrixXd& A, const Eigen::VectorXd& gradient, Minimum& at,
             double& damping) {
  Points points;
  for (const double factor : dampings) {
    const Eigen::VectorXd step = bounded_step(damped(A, factor * damping), gradient, at);
    points.push_back(at.u);
    for (std::size_t j = 0; j < at.u.size(); ++j) points.back()[j] = std::clamp(at.u[j] + step[long(j)], 0.0, 1.0);
  }
  const auto values = residuals(points);
  at.evaluations += long(points.size());
  std::size_t best = points.size();
  double least = at.cost;
  for (std::size_t k = 0; k < points.size(); ++k)
    if (const double cost = cost_of(values[k]); cost < least) least = cost, best = k;
  if (best == points.size()) return false;
  at.u = points[best];
  at.residuals = as_vector(values[best]);
  at.cost = least;
  damping = std::clamp(damping * dampings[best], least_damping, most_damping);
  return true;
}

}  // namespace

double cost_of(const std::vector<double>& residuals) {
  double sum = 0;
  for (const double r : residuals) sum += r * r;
  return residuals.empty() || !std::isfinite(sum) ? std::numeric_limits<double>::infinity() : sum / 2;
}

Minimum levenberg_marquardt(const Residuals& residuals, const std::vector<double>& start, const MarquardtSettings& settings) {
  Minimum at;
  at.u = start;
  at.bound.assign(start.size(), 0);
  const auto first = residuals({start});
  at.evaluations = 1;
  at.cost = at.first_cost = cost_of(first[0]);
  if (!std::isfinite(at.cost)) return at;
  at.residuals = as_vector(first[0]);

  double damping = 1e-2;
  for (int k = 0;; ++k) {
    differentiate(residuals, settings.step, at);
    const Eigen::MatrixXd A = dense::transposed_times(at.jacobian, at.jacobian);
    const Eigen::VectorXd gradient = at.jacobian.transpose() * at.residuals;
    hold_at_bounds(at, gradient);
    const auto done = [&](double least) {
      return negligible(bounded_step(damped(A, least), gradient, at), at, settings.tolerance);
    };
    at.converged = done(least_damping);
    if (k == settings.most_iterations) return at;
    while (!at.converged && !improve(residuals, A, gradient, at, damping)) {
      damping *= 1e3;
      // Downhill is nowhere: as near as the accuracy of the model lets us see.
      at.converged = damping > most_damping || done(dampings[0] * damping);
    }
    if (at.converged) return at;
  }
}

}  // namespace aleator::core::inference
