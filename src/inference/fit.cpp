#include "inference/fit.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numeric>
#include <stdexcept>

#include "analysis/quantiles.hpp"
#include "base/cancellation.hpp"
#include "inference/predicted_bands.hpp"
#include "inference/verdict.hpp"
#include "numerics/dense.hpp"

namespace aleator::core::inference {
namespace {

using Eigen::Index;

constexpr int draws = 9999;        // of sets of specimens: the least p is 1e-4
constexpr double effort = 1e7;     // observed points of fresh specimens, about: a second
constexpr double rounding = 1e-6;  // scaled variance of a point that may come from the digits of a file
constexpr double significant = 0.01;

// Specimens of one pattern: the measured ones first, then fresh ones.
struct Pool {
  std::size_t measured = 0;
  std::vector<double> log_density, residual;  // [all]
  Eigen::MatrixXd sides;                      // [all][components] bounded directions from the mean of the pool
  std::vector<std::vector<double>> inside;    // [all][channels] points inside the band
  std::vector<double> points;                 // [channels]
};

// A realization as it would have been measured, less the mean of the reference, scaled.
Eigen::VectorXd observe(const Responses& r, std::size_t realization, const Pattern& pattern, const Eigen::VectorXd& scale,
                        const Uniform& uniform) {
  const double* z = &r.values[realization * r.times.size() * std::size_t(r.channels)];
  Eigen::VectorXd y(pattern.points.size());
  for (Index i = 0; i < y.size(); ++i) {
    const ObservedPoint& p = pattern.points[std::size_t(i)];
    y[i] = p.of([&](int t) { return z[t * r.channels + p.channel]; }) / scale[p.channel] - pattern.mean[i];
    if (pattern.noise[i] > 0) y[i] += pattern.noise[i] * normal(uniform);
  }
  return y;
}

// The band at the points of a pattern, in the units of deviations.
struct BandAtPoints {
  Eigen::VectorXd lower, upper;
};

BandAtPoints band_at(const Pattern& pattern, const std::vector<results::PredictedBand>& bands, const Eigen::VectorXd& scale) {
  BandAtPoints b{Eigen::VectorXd(pattern.points.size()), Eigen::VectorXd(pattern.points.size())};
  for (Index i = 0; i < b.lower.size(); ++i) {
    const ObservedPoint& p = pattern.points[std::size_t(i)];
    const results::PredictedBand& band = bands[std::size_t(p.channel)];
    b.lower[i] = p.of([&](int t) { return band.lower[std::size_t(t)]; }) / scale[p.channel] - pattern.mean[i];
    b.upper[i] = p.of([&](int t) { return band.upper[std::size_t(t)]; }) / scale[p.channel] - pattern.mean[i];
  }
  return b;
}

// Fresh specimens for a pattern: as many as the effort allows, and enough in all for a small p.
std::size_t fresh_count(const Reduction& reduction, long available) {
  double points = 0;
  for (const Pattern& p : reduction.patterns()) points += double(p.points.size());
  const double wanted = std::max(effort / points, std::ceil(2000.0 / double(reduction.specimens().size())));
  return std::size_t(std::min(double(available), wanted));
}

// Where each specimen is, seen from the mean, with a length below 1: specimens may each be typical and yet all be on one side, and
// far ones, of which heavy tails have a few, must not hide it.
Eigen::MatrixXd sides(const Eigen::MatrixXd& observed) {
  const Eigen::MatrixXd centred = observed.rowwise() - observed.colwise().mean();
  Eigen::MatrixXd lower = dense::transposed_times(centred, centred) / double(observed.rows());
  if (!dense::cholesky(lower)) return Eigen::MatrixXd::Zero(observed.rows(), observed.cols());
  Eigen::MatrixXd white = centred.transpose();
  dense::solve_lower(lower, white);
  Eigen::MatrixXd x = white.transpose();
  x.array().colwise() /= (1 + x.rowwise().squaredNorm().array()).sqrt();
  return x.rowwise() - x.colwise().mean();
}

Pool make_pool(const Reduction& reduction, int number, const Reduced& simulated, const Responses& fresh,
               const std::vector<results::PredictedBand>& bands, const Uniform& uniform, Density density) {
  const Pattern& pattern = reduction.patterns()[std::size_t(number)];
  const BandAtPoints band = band_at(pattern, bands, reduction.scale());
  const std::size_t extra = fresh_count(reduction, fresh.count()), channels = bands.size();
  Pool pool;
  pool.points.assign(channels, 0.0);
  for (const auto& p : pattern.points) ++pool.points[std::size_t(p.channel)];

  std::vector<Eigen::VectorXd> reduced;
  const auto add = [&](const Eigen::VectorXd& deviation) {
    reduced.push_back(pattern.projection * deviation);
    const Eigen::VectorXd rest = deviation - pattern.basis * reduced.back();
    pool.residual.push_back((rest.array().square() * pattern.weights.array()).sum());
    std::vector<double>& inside = pool.inside.emplace_back(channels, 0.0);
    for (Index i = 0; i < deviation.size(); ++i)
      if (deviation[i] >= band.lower[i] && deviation[i] <= band.upper[i])
        ++inside[std::size_t(pattern.points[std::size_t(i)].channel)];
  };
  for (const ReducedSpecimen& s : reduction.specimens())
    if (s.pattern == number) add(s.deviation), ++pool.measured;
  for (std::size_t i = 0; i < extra; ++i) add(observe(fresh, i, pattern, reduction.scale(), uniform));

  Eigen::MatrixXd observed(reduced.size(), reduction.components());
  for (std::size_t i = 0; i < reduced.size(); ++i) observed.row(Index(i)) = reduced[i].transpose();
  pool.log_density = log_densities(simulated.pattern(number), pattern.covariance, observed, density);
  pool.sides = sides(observed);
  return pool;
}

// As many members of a pool as were measured, all different: the first `measured` of `order` after the call.
void shuffle(std::vector<std::size_t>& order, std::size_t count, const Uniform& uniform) {
  for (std::size_t i = 0; i < count; ++i)
    std::swap(order[i], order[i + std::min(std::size_t(uniform() * double(order.size() - i)), order.size() - i - 1)]);
}

struct Tails {
  double below = 1, above = 1;  // probability of a statistic no larger, and no smaller
};

using Chosen = std::vector<std::vector<std::size_t>>;  // [pools] members, of which the first `measured` count

// Were measured and fresh specimens of one kind, any of a pattern's pool could as well be the measured ones: a permutation
// test, exact for any number of specimens and patterns. Statistics within `slack` count as equal.
template <class Statistic>
Tails permutation_test(const std::vector<Pool>& pools, Statistic statistic, double slack, const Uniform& uniform) {
  Chosen orders;
  for (const Pool& p : pools) {
    std::vector<std::size_t>& order = orders.emplace_back(p.log_density.size());
    std::iota(order.begin(), order.end(), 0u);
  }
  const double measured = statistic(orders);
  slack += 1e-12 * std::abs(measured);
  int below = 1, above = 1;
  for (int k = 0; k < draws; ++k) {
    throw_if_cancelled();
    for (std::size_t p = 0; p < pools.size(); ++p) shuffle(orders[p], pools[p].measured, uniform);
    const double value = statistic(orders);
    below += value <= measured + slack;
    above += value >= measured - slack;
  }
  return {double(below) / (draws + 1), double(above) / (draws + 1)};
}

auto sum_of(const std::vector<Pool>& pools, std::vector<double> Pool::*value) {
  return [&pools, value](const Chosen& chosen) {
    double sum = 0;
    for (std::size_t p = 0; p < pools.size(); ++p)
      for (std::size_t i = 0; i < pools[p].measured; ++i) sum += (pools[p].*value)[chosen[p][i]];
    return sum;
  };
}

auto to_one_side(const std::vector<Pool>& pools) {
  return [&pools](const Chosen& chosen) {
    Eigen::RowVectorXd sum = Eigen::RowVectorXd::Zero(pools[0].sides.cols());
    for (std::size_t p = 0; p < pools.size(); ++p)
      for (std::size_t i = 0; i < pools[p].measured; ++i) sum += pools[p].sides.row(Index(chosen[p][i]));
    return sum.squaredNorm();
  };
}

// The output whose points are inside the band unexpectedly often or rarely, in standard deviations of what specimens of its patterns
// have: points of one specimen go together, so that specimens are counted, not points.
auto away_from_coverage(const std::vector<Pool>& pools) {
  const std::size_t channels = pools[0].points.size();
  Eigen::ArrayXd expected = Eigen::ArrayXd::Zero(Index(channels)), variance = expected;
  for (const Pool& p : pools) {
    const double n = double(p.inside.size());
    for (std::size_t c = 0; c < channels; ++c) {
      double mean = 0, square = 0;
      for (const auto& inside : p.inside) mean += inside[c] / n, square += inside[c] * inside[c] / n;
      expected[Index(c)] += double(p.measured) * mean;
      variance[Index(c)] += double(p.measured) * std::max(square - mean * mean, 0.0);
    }
  }
  return [&pools, expected, variance, inside = expected](const Chosen& chosen) mutable {
    inside.setZero();
    for (std::size_t p = 0; p < pools.size(); ++p)
      for (std::size_t i = 0; i < pools[p].measured; ++i)
        inside += Eigen::Map<const Eigen::ArrayXd>(pools[p].inside[chosen[p][i]].data(), inside.size());
    return ((inside - expected).square() / (variance + 1e-9)).maxCoeff();
  };
}

// Shares of measured points inside the band, with the range of shares of as many fresh specimens: points of one specimen
// go together, so that only simulation tells it.
std::vector<results::Coverage> coverage(const std::vector<Pool>& pools, std::size_t channels, const Uniform& uniform) {
  constexpr int sets = 2000;
  std::vector<results::Coverage> result(channels);
  std::vector<double> points(channels), inside(channels);
  std::vector<std::vector<double>> shares(channels);
  for (const Pool& p : pools)
    for (std::size_t c = 0; c < channels; ++c) {
      points[c] += p.points[c] * double(p.measured);
      for (std::size_t i = 0; i < p.measured; ++i) inside[c] += p.inside[i][c];
    }
  for (int k = 0; k < sets; ++k) {
    throw_if_cancelled();
    std::vector<double> sum(channels);
    for (const Pool& p : pools)
      for (std::size_t i = 0; i < p.measured; ++i) {
        const std::size_t fresh = p.inside.size() - p.measured;
        const auto& drawn = p.inside[p.measured + std::min(std::size_t(uniform() * double(fresh)), fresh - 1)];
        for (std::size_t c = 0; c < channels; ++c) sum[c] += drawn[c];
      }
    for (std::size_t c = 0; c < channels; ++c) shares[c].push_back(points[c] > 0 ? sum[c] / points[c] : 0);
  }
  for (std::size_t c = 0; c < channels; ++c) {
    std::sort(shares[c].begin(), shares[c].end());
    result[c] = {points[c] > 0 ? inside[c] / points[c] : 0, analysis::quantile(shares[c], 0.025).value,
                 analysis::quantile(shares[c], 0.975).value};
  }
  return result;
}

double residual_ratio(const std::vector<Pool>& pools) {
  double measured = 0, expected = 0;
  for (const Pool& p : pools) {
    const auto first_fresh = p.residual.begin() + long(p.measured);
    measured = std::accumulate(p.residual.begin(), first_fresh, measured);
    expected += std::accumulate(first_fresh, p.residual.end(), 0.0) / double(p.residual.end() - first_fresh) * double(p.measured);
  }
  return std::sqrt(measured / std::max(expected, 1e-12));
}

}  // namespace

Fit check_fit(const Reduction& reduction, const results::Measurements& measured, const Responses& simulated,
              const Responses& fresh, const Uniform& uniform, const FitSettings& settings) {
  if (fresh.count() < 2 || fresh.channels != simulated.channels || fresh.times != simulated.times)
    throw std::invalid_argument("the check of a fit needs new responses at the times of the others");
  Fit fit;
  fit.bands = predicted_bands(simulated, measured.noise, settings.confidence);
  const Reduced reduced = reduction.reduce(simulated);
  std::vector<Pool> pools;
  double slack = 0;
  for (std::size_t k = 0; k < reduction.patterns().size(); ++k) {
    pools.push_back(make_pool(reduction, int(k), reduced, fresh, fit.bands, uniform, settings.density));
    slack += rounding * reduction.patterns()[k].weights.sum() * double(pools.back().measured);
  }
  const Tails likely = permutation_test(pools, sum_of(pools, &Pool::log_density), 0, uniform);
  fit.too_alike = likely.above < likely.below;
  fit.likelihood_p = std::min(1.0, 2 * std::min(likely.below, likely.above));
  fit.residual_p = permutation_test(pools, sum_of(pools, &Pool::residual), slack, uniform).above;
  fit.side_p = permutation_test(pools, to_one_side(pools), 0, uniform).above;
  fit.coverage_p = permutation_test(pools, away_from_coverage(pools), 0, uniform).above;
  fit.residual_ratio = residual_ratio(pools);
  fit.misfit_p = settings.misfit_p, fit.misfit = settings.misfit;
  fit.p = std::min({1.0, 3 * std::min({fit.likelihood_p, fit.side_p, fit.residual_p}), fit.coverage_p, fit.misfit_p});
  fit.explained = fit.p >= significant;
  fit.coverage = coverage(pools, fit.bands.size(), uniform);
  fit.verdict = verdict(fit, measured.channels, settings.confidence);
  return fit;
}

}  // namespace aleator::core::inference
