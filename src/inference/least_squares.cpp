#include "inference/least_squares.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "inference/unit_cube.hpp"
#include "numerics/chi_squared.hpp"
#include "numerics/dense.hpp"
#include "numerics/student.hpp"

namespace aleator::core::inference {
namespace {

constexpr double close_correlation = 0.95;
constexpr double least_singular = 1e-6;  // of the largest: less is not resolved by differences

using Parameters = std::vector<BoundedParameter>;

double range(const BoundedParameter& p) { return p.to - p.from; }

std::vector<double> physical(const Parameters& parameters, const std::vector<double>& u) {
  std::vector<double> x(u.size());
  for (std::size_t j = 0; j < u.size(); ++j)
    x[j] = std::clamp(parameters[j].from + u[j] * range(parameters[j]), parameters[j].from, parameters[j].to);
  return x;
}

void check(const Parameters& parameters) {
  if (parameters.empty()) throw std::runtime_error("least squares: no parameter is free");
  for (const BoundedParameter& p : parameters)
    if (!(std::isfinite(range(p)) && p.from < p.to && p.from <= p.start && p.start <= p.to))
      throw std::runtime_error(
          fmt::format("least squares: {} starts at {}, which is not within {} … {}", p.name, p.start, p.from, p.to));
}

// The start of the caller, and the best of the scouts.
Points starts(const Residuals& residuals, const Parameters& parameters, const LeastSquaresSettings& settings) {
  Points points(1), scouts;
  for (const BoundedParameter& p : parameters) points[0].push_back((p.start - p.from) / range(p));
  if (settings.starts < 2) return points;
  const EvenPlaces place(int(parameters.size()));
  for (int k = 1; k <= settings.scouts; ++k) scouts.push_back(place(k));
  const auto values = residuals(scouts);
  std::vector<std::pair<double, std::size_t>> order;
  for (std::size_t k = 0; k < scouts.size(); ++k) order.emplace_back(cost_of(values[k]), k);
  std::sort(order.begin(), order.end());
  for (std::size_t k = 0; k < order.size() && long(points.size()) < settings.starts; ++k)
    if (std::isfinite(order[k].first)) points.push_back(scouts[order[k].second]);
  return points;
}

// Singular value decomposition of J in parts of the range, of the parameters that are not at a bound.
struct Directions {
  std::vector<long> free;
  Eigen::VectorXd singular;  // falling; kept above what differences resolve
  Eigen::MatrixXd vectors;   // [free][directions]
  double noise;              // s
  bool open(long k) const { return singular[k] <= least_singular * singular[0] || noise > 0.5 * singular[k]; }
};

Directions directions(const Minimum& at, double noise) {
  Directions d{{}, {}, {}, noise};
  for (std::size_t j = 0; j < at.u.size(); ++j)
    if (at.bound[j] == 0) d.free.push_back(long(j));
  if (d.free.empty()) return d;
  const Eigen::MatrixXd J = at.jacobian(Eigen::all, d.free);
  auto [values, v] = dense::singular_values(J);
  d.singular = std::move(values);
  d.singular = d.singular.cwiseMax(std::max(least_singular * d.singular[0], 1e-300));
  d.vectors = std::move(v);
  return d;
}

void covariance(const Parameters& parameters, const Directions& d, LeastSquaresFit& fit) {
  const std::size_t n = parameters.size();
  fit.covariance.assign(n * n, LeastSquaresFit::unknown);
  fit.correlation = fit.covariance;
  fit.standard_error.assign(n, LeastSquaresFit::unknown);
  const Eigen::MatrixXd scaled = d.vectors * d.singular.cwiseInverse().asDiagonal();
  const Eigen::MatrixXd C = dense::times_transposed(d.noise * d.noise * scaled, scaled),
                        shape = dense::times_transposed(scaled, scaled);
  for (std::size_t i = 0; i < d.free.size(); ++i) {
    const auto a = std::size_t(d.free[i]);
    for (std::size_t j = 0; j < d.free.size(); ++j) {
      const auto b = std::size_t(d.free[j]);
      fit.covariance[a * n + b] = C(long(i), long(j)) * range(parameters[a]) * range(parameters[b]);
      fit.correlation[a * n + b] = shape(long(i), long(j)) / std::sqrt(shape(long(i), long(i)) * shape(long(j), long(j)));
    }
    fit.standard_error[a] = std::sqrt(fit.covariance[a * n + a]);
  }
}

// Directions that the data leave open, with the parameters that they move.
void find_open_directions(const Directions& d, LeastSquaresFit& fit) {
  for (long k = 0; k < d.singular.size(); ++k) {
    if (!d.open(k)) continue;
    Indistinguishable group{{}, LeastSquaresFit::unknown};
    for (std::size_t i = 0; i < d.free.size(); ++i) {
      const double part = std::abs(d.vectors(long(i), k));
      if (part > 0.1) fit.standard_error[std::size_t(d.free[i])] = std::numeric_limits<double>::infinity();
      if (part > 0.3) group.parameters.push_back(int(d.free[i]));
    }
    fit.indistinguishable.push_back(group);
  }
}

// Groups of parameters that are linked by close correlations, other than those of open directions.
void find_close_groups(LeastSquaresFit& fit) {
  const std::size_t n = fit.x.size();
  std::vector<bool> told(n, false);
  for (const Indistinguishable& open : fit.indistinguishable)
    for (const int j : open.parameters) told[std::size_t(j)] = true;
  for (std::size_t first = 0; first < n; ++first) {
    if (told[first]) continue;
    Indistinguishable group{{int(first)}, 0};
    for (std::size_t k = 0; k < group.parameters.size(); ++k)
      for (std::size_t a = std::size_t(group.parameters[k]), b = first + 1; b < n; ++b) {
        const double r = fit.correlation[a * n + b];
        if (a == b || told[b] || !(std::abs(r) > close_correlation)) continue;
        if (std::abs(r) > std::abs(group.correlation)) group.correlation = r;
        if (std::find(group.parameters.begin(), group.parameters.end(), int(b)) == group.parameters.end())
          group.parameters.push_back(int(b));
      }
    for (const int j : group.parameters) told[std::size_t(j)] = true;
    std::sort(group.parameters.begin(), group.parameters.end());
    if (group.parameters.size() > 1) fit.indistinguishable.push_back(group);
  }
}

void intervals(const Parameters& parameters, double confidence, LeastSquaresFit& fit) {
  const std::size_t n = parameters.size();
  fit.lower.assign(n, LeastSquaresFit::unknown);
  fit.upper = fit.lower;
  fit.open_below.assign(n, false);
  fit.open_above.assign(n, false);
  if (fit.freedom <= 0) return;
  const double t = student_quantile(0.5 + confidence / 2, double(fit.freedom));
  for (std::size_t j = 0; j < n; ++j) {
    if (std::isnan(fit.standard_error[j])) continue;
    fit.lower[j] = fit.x[j] - t * fit.standard_error[j];
    fit.upper[j] = fit.x[j] + t * fit.standard_error[j];
    fit.open_below[j] = fit.lower[j] <= parameters[j].from;
    fit.open_above[j] = fit.upper[j] >= parameters[j].to;
    fit.lower[j] = std::max(fit.lower[j], parameters[j].from);
    fit.upper[j] = std::min(fit.upper[j], parameters[j].to);
  }
}

// Another run that fits about as well (within what the noise can tell, or round-off), a twentieth of a range away or more.
const LeastSquaresRun* rival(const Parameters& parameters, const LeastSquaresFit& fit, double variance) {
  for (const LeastSquaresRun& run : fit.runs) {
    if (!(run.cost <= fit.cost + 2 * variance + 1e-9 * run.first_cost)) continue;
    for (std::size_t j = 0; j < parameters.size(); ++j)
      if (std::abs(run.x[j] - fit.x[j]) > 0.05 * range(parameters[j])) return &run;
  }
  return nullptr;
}

std::string list(const Parameters& parameters, const std::vector<int>& which) {
  std::vector<std::string> names;
  for (const int j : which) names.push_back(parameters[std::size_t(j)].name);
  return fmt::format("{}", fmt::join(names, ", "));
}

void write_notes(const Parameters& parameters, const LeastSquaresSettings& settings, const LeastSquaresRun* rival,
                 LeastSquaresFit& fit) {
  if (!fit.converged)
    fit.notes.push_back(
        fmt::format("The search did not converge within {} iterations: the values are not final.", settings.most_iterations));
  for (std::size_t j = 0; j < parameters.size(); ++j)
    if (fit.bound[j] != 0)
      fit.notes.push_back(fmt::format("{} ended at the {} end of its range, {:g}: the data suggest a value outside.",
                                      parameters[j].name, fit.bound[j] < 0 ? "lower" : "upper", fit.x[j]));
  for (const Indistinguishable& g : fit.indistinguishable) {
    if (!std::isnan(g.correlation))
      fit.notes.push_back(fmt::format("{} can hardly be distinguished: their estimates are correlated, up to {:.4f}.",
                                      list(parameters, g.parameters), g.correlation));
    else if (g.parameters.size() == 1)
      fit.notes.push_back(fmt::format("{} has too little influence on what was measured: the data do not determine it.",
                                      list(parameters, g.parameters)));
    else
      fit.notes.push_back(
          fmt::format("{} cannot be distinguished: changed together in a fixed proportion, they give the same fit.",
                      list(parameters, g.parameters)));
  }
  if (rival != nullptr) {
    std::vector<std::string> values;
    for (std::size_t j = 0; j < parameters.size(); ++j)
      values.push_back(fmt::format("{} = {:.4g}", parameters[j].name, rival->x[j]));
    fit.notes.push_back(fmt::format("The best fit is not unique: {} fits about as well.", fmt::join(values, ", ")));
  }
  if (fit.p < 0.01)
    fit.notes.push_back(
        fmt::format("The differences are larger than the noise (χ² is {:.3g} times its degrees of freedom): the model does not "
                    "explain the data, and the standard errors are too small.",
                    fit.reduced));
}

// Searches from all starts; the best Minimum, and what is known of all runs in `fit`.
Minimum search(const Residuals& scaled, const Parameters& parameters, const LeastSquaresSettings& settings,
               LeastSquaresFit& fit) {
  Minimum best;
  const Points from = starts(scaled, parameters, settings);
  if (settings.starts > 1) fit.evaluations += settings.scouts;
  for (const std::vector<double>& start : from) {
    Minimum found = levenberg_marquardt(scaled, start, {settings.step, settings.tolerance, settings.most_iterations});
    fit.evaluations += found.evaluations;
    fit.runs.push_back({physical(parameters, start), physical(parameters, found.u), found.first_cost, found.cost});
    if (best.u.empty() || found.cost < best.cost) best = std::move(found);
  }
  std::stable_sort(fit.runs.begin(), fit.runs.end(), [](const auto& a, const auto& b) { return a.cost < b.cost; });
  if (!std::isfinite(best.cost))
    throw std::runtime_error("least squares: the model fails at the start and at all other points tried");
  return best;
}

}  // namespace

LeastSquaresFit least_squares(const Residuals& residuals, const Parameters& parameters, const LeastSquaresSettings& settings) {
  check(parameters);
  const Residuals scaled = [&](const Points& points) {
    Points at;
    for (const auto& u : points) at.push_back(physical(parameters, u));
    return residuals(at);
  };
  LeastSquaresFit fit;
  const Minimum best = search(scaled, parameters, settings, fit);
  fit.x = physical(parameters, best.u);
  fit.cost = best.cost;
  fit.bound = best.bound;
  fit.converged = best.converged;
  fit.residuals = best.residuals.size();
  fit.freedom = fit.residuals - std::count(best.bound.begin(), best.bound.end(), 0);
  if (fit.freedom < 0)
    throw std::runtime_error(
        fmt::format("least squares: {} values cannot determine {} parameters", fit.residuals, parameters.size()));
  if (fit.freedom > 0) fit.reduced = 2 * fit.cost / double(fit.freedom);
  if (fit.freedom > 0 && settings.noise_known) fit.p = chi_squared_tail(2 * fit.cost, double(fit.freedom));

  const Directions d = directions(best, settings.noise_known ? 1 : std::sqrt(fit.reduced));
  covariance(parameters, d, fit);
  find_open_directions(d, fit);
  find_close_groups(fit);
  intervals(parameters, settings.confidence, fit);
  const double variance = settings.noise_known ? std::max(1.0, fit.reduced) : fit.reduced;
  const LeastSquaresRun* other = rival(parameters, fit, variance);
  fit.unique = other == nullptr;
  write_notes(parameters, settings, other, fit);
  return fit;
}

}  // namespace aleator::core::inference
