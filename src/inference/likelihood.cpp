#include "inference/likelihood.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>
#include <stdexcept>

#include "analysis/quantiles.hpp"
#include "base/parallel.hpp"
#include "numerics/dense.hpp"

namespace aleator::core::inference {
namespace {

using Eigen::Index;

// Cholesky factor. What does not scatter in some direction gets 1e-12 of the mean variance there: its density is finite, and
// so low elsewhere that a search turns back.
Eigen::MatrixXd factor(Eigen::MatrixXd covariance) {
  const double mean = std::max(covariance.trace() / double(covariance.rows()), 1e-200);
  for (double more = 1e-12;; more *= 100) {
    covariance.diagonal().array() += more * mean;
    Eigen::MatrixXd lower = covariance;
    if (dense::cholesky(lower)) return lower;
  }
}

// N(0, C) as a standard normal law, in axes in which the noise is independent: x = Qᵀ L⁻¹ (η − m), C = L Lᵀ,
// L⁻¹ S L⁻ᵀ = Q diag(noise) Qᵀ.
struct Whitened {
  Eigen::RowVectorXd mean;
  Eigen::MatrixXd map;     // Qᵀ L⁻¹
  Eigen::MatrixXd places;  // [N][q] of the simulations
  Eigen::ArrayXd noise;    // [q] variances
  double log_volume = 0;   // of the map: log |L|

  Whitened(const Eigen::MatrixXd& simulated, const Eigen::MatrixXd& noise_covariance) : mean(simulated.colwise().mean()) {
    const Eigen::MatrixXd centred = simulated.rowwise() - mean;
    const Eigen::MatrixXd lower = factor(dense::transposed_times(centred, centred) / double(simulated.rows() - 1));
    Eigen::MatrixXd half = noise_covariance;
    dense::solve_lower(lower, half);
    Eigen::MatrixXd white_noise = half.transpose();
    dense::solve_lower(lower, white_noise);
    const dense::SymmetricEigen axes = dense::symmetric_eigen(white_noise);
    map.setIdentity(mean.size(), mean.size());
    dense::solve_lower(lower, map);
    map = dense::transposed_times(axes.vectors, map);
    noise = axes.values.array().max(0);
    places = dense::times_transposed(centred, map);
    log_volume = lower.diagonal().array().log().sum();
  }
};

double width(Index n, Index q) { return std::pow(4 / (double(n) * double(q + 2)), 1 / double(q + 4)); }

double log_two_pi() { return std::log(2 * std::numbers::pi); }

constexpr Index pilots = 1000;     // kernels of the first estimate, at most
constexpr double widest = 5;       // λ; beyond, a few lone simulations would spread over everything
constexpr double emptiest = 1e-9;  // p̃, of the largest possible: the place is alone

// On a line thousands of simulations leave no gaps, and one width serves; but not that of the variance, where tails make it large
// (Silverman 1986): the quartiles of a standard normal law are 1.349 apart. Where more than half of the simulations are the same
// their distance is none, and tells nothing.
double robust_width(std::vector<double> x) {
  std::sort(x.begin(), x.end());
  const double apart = analysis::quantile(x, 0.75).value - analysis::quantile(x, 0.25).value;
  return apart > 0 ? std::min(1.0, apart / 1.349) : 1.0;
}

}  // namespace

Eigen::ArrayXd kernel_widths(const Eigen::MatrixXd& simulated) {
  const Index n = simulated.rows(), q = simulated.cols();
  const Eigen::MatrixXd places = Whitened(simulated, Eigen::MatrixXd::Zero(q, q)).places;
  if (q == 1) return Eigen::ArrayXd::Constant(n, robust_width({places.data(), places.data() + n}));
  const Eigen::MatrixXd x = places / width(n, q);
  // Evenly from all: simulations may come in some order.
  const Eigen::MatrixXd pilot = x(Eigen::seq(0, n - 1, (n + pilots - 1) / pilots), Eigen::all);
  Eigen::ArrayXd logs(n);
  const Index portion = 64;  // rows at a time
  each_in_parallel(std::size_t((n + portion - 1) / portion), [&](std::size_t part) {
    Eigen::ArrayXd distance(pilot.rows());
    for (Index i = Index(part) * portion; i < std::min(n, Index(part + 1) * portion); ++i) {
      distance.setZero();
      for (Index j = 0; j < q; ++j) distance += (pilot.col(j).array() - x(i, j)).square();
      logs[i] = std::log((-0.5 * distance).exp().mean() + emptiest);
    }
  });
  return (-(logs - logs.mean()) / double(q)).exp().min(widest);
}

std::vector<double> log_densities(const Eigen::MatrixXd& simulated, const Eigen::MatrixXd& noise, const Eigen::MatrixXd& observed,
                                  Density density, const Eigen::ArrayXd& widths) {
  const Index n = simulated.rows(), q = simulated.cols();
  if (n < q + 2) throw std::invalid_argument(fmt::format("{} simulations are too few for a density of {} components", n, q));
  const Whitened white(simulated, noise);
  const Eigen::MatrixXd at = dense::times_transposed(white.map, observed.rowwise() - white.mean);
  const double level = -0.5 * double(q) * log_two_pi() - white.log_volume;
  std::vector<double> logs(std::size_t(observed.rows()));
  if (density == Density::moments) {
    const Eigen::ArrayXd variance = 1 + white.noise;
    for (Index k = 0; k < observed.rows(); ++k)
      logs[std::size_t(k)] = level - 0.5 * ((at.col(k).array().square() / variance).sum() + variance.log().sum());
    return logs;
  }
  const Eigen::ArrayXd lambda = widths.size() == 0 ? kernel_widths(simulated) : widths;
  const double s = width(n, q), a = 1 / std::sqrt(double(n - 1) / double(n) + s * s * lambda.square().mean());
  Eigen::ArrayXXd variance(n, q);
  for (Index j = 0; j < q; ++j) variance.col(j) = (a * s * lambda).square() + white.noise[j];
  const Eigen::ArrayXXd inverse = 0.5 * variance.inverse(), centres = a * white.places.array();
  const Eigen::ArrayXd heights = -0.5 * variance.log().rowwise().sum();
  Eigen::ArrayXd terms(n);
  for (Index k = 0; k < observed.rows(); ++k) {
    terms = heights;
    for (Index j = 0; j < q; ++j) terms -= inverse.col(j) * (centres.col(j) - at(j, k)).square();
    const double largest = terms.maxCoeff();  // taken out of the sum, or nothing might be left of it
    logs[std::size_t(k)] = level + largest + std::log((terms - largest).exp().sum() / double(n));
  }
  return logs;
}

std::vector<double> log_densities(const Reduction& reduction, const Reduced& simulated, Density density) {
  const auto& specimens = reduction.specimens();
  std::vector<double> logs(specimens.size());
  // The widths are those of the pattern with most points, for all: they only say which simulations are lonely.
  Eigen::ArrayXd widths;
  if (density == Density::kernel) {
    const auto fullest = std::max_element(reduction.patterns().begin(), reduction.patterns().end(),
                                          [](const Pattern& a, const Pattern& b) { return a.points.size() < b.points.size(); });
    widths = kernel_widths(simulated.pattern(int(fullest - reduction.patterns().begin())));
  }
  for (std::size_t p = 0; p < reduction.patterns().size(); ++p) {
    std::vector<std::size_t> members;
    for (std::size_t k = 0; k < specimens.size(); ++k)
      if (specimens[k].pattern == int(p)) members.push_back(k);
    Eigen::MatrixXd observed(members.size(), reduction.components());
    for (std::size_t i = 0; i < members.size(); ++i) observed.row(Index(i)) = specimens[members[i]].reduced.transpose();
    const auto values = log_densities(simulated.pattern(int(p)), reduction.patterns()[p].covariance, observed, density, widths);
    for (std::size_t i = 0; i < members.size(); ++i) logs[members[i]] = values[i];
  }
  return logs;
}

double log_likelihood(const Reduction& reduction, const Reduced& simulated, Density density) {
  const std::vector<double> logs = log_densities(reduction, simulated, density);
  return std::accumulate(logs.begin(), logs.end(), 0.0);
}

}  // namespace aleator::core::inference
