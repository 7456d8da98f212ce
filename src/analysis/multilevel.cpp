#include "analysis/multilevel.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "analysis/accuracy.hpp"
#include "analysis/quantiles.hpp"
#include "analysis/time_integral.hpp"
#include "base/constants.hpp"
#include "base/parallel.hpp"

namespace aleator::core::analysis {

namespace {

// Mean and variance of a number, over the realizations of a level.
struct Sums {
  double mean = 0, variance = 0;
};
template <class F>
Sums sums(long n, const F& value) {
  Sums s;
  for (long k = 0; k < n; ++k) s.mean += value(k) / double(n);
  for (long k = 0; k < n; ++k) s.variance += (value(k) - s.mean) * (value(k) - s.mean) / double(n - 1);
  return s;
}

struct Telescoped {
  results::Estimate estimate;
  std::vector<double> variance;  // [levels] of one realization
};

// E{φ(f)} by levels, with φ(level, realization, fine?) the function of the response; with β where it is asked for, either that of
// these numbers of realizations or, to plan them, that of ever so many coarse ones.
enum class Beta { none, of_these, of_many };
template <class Phi>
Telescoped telescope(std::span<const LevelSample> levels, Beta fitted, const Phi& phi) {
  double beta = 1;
  const LevelSample& top = levels.back();
  if (fitted != Beta::none && levels.size() == 2) {
    const long n = top.realizations;
    const Sums g = sums(n, [&](long k) { return phi(1, k, false); });
    const Sums f = sums(n, [&](long k) { return phi(1, k, true); });
    double cov = 0;
    for (long k = 0; k < n; ++k) cov += (phi(1, k, true) - f.mean) * (phi(1, k, false) - g.mean) / double(n - 1);
    beta = g.variance > 0 ? cov / g.variance : 0;
    if (fitted == Beta::of_these) beta /= 1 + double(n) / double(levels[0].realizations);
  }
  Telescoped t;
  double square = 0;
  for (std::size_t l = 0; l < levels.size(); ++l) {
    const long n = levels[l].realizations;
    const Sums s = l == 0 ? sums(n, [&](long k) { return beta * phi(0, k, true); })
                          : sums(n, [&](long k) { return phi(l, k, true) - beta * phi(l, k, false); });
    t.estimate.value += s.mean;
    t.variance.push_back(s.variance);
    square += s.variance / double(n);
  }
  t.estimate.error = std::sqrt(square);
  return t;
}

// Of one output: mean, second central moment, and what a realization of each level contributes to their variances.
struct OutputMoments {
  Telescoped mean, second;
};
OutputMoments moments_of(std::span<const LevelSample> levels, Beta fitted, std::size_t points, std::size_t i) {
  std::vector<std::vector<double>> columns[2];  // coarse and fine, [levels][n]: next to each other, they are read several times
  for (const LevelSample& level : levels)
    for (const bool fine : {false, true}) {
      const std::vector<double>& all = fine ? level.fine : level.coarse;
      std::vector<double>& column = columns[fine].emplace_back();
      for (std::size_t at = i; at < all.size(); at += points) column.push_back(all[at]);
    }
  const auto value = [&](std::size_t l, long k, bool fine) { return columns[fine][l][std::size_t(k)]; };
  OutputMoments m;
  m.mean = telescope(levels, fitted, value);
  const double center = m.mean.estimate.value;
  m.second = telescope(levels, fitted, [&](std::size_t l, long k, bool fine) {
    const double d = value(l, k, fine) - center;
    return d * d;
  });
  return m;
}

std::vector<OutputMoments> all_moments(std::span<const LevelSample> levels, const MultilevelRequest& q, Beta beta) {
  const std::size_t points = q.times.size() * std::size_t(q.channels);
  std::vector<OutputMoments> all(points);
  each_in_parallel(points, [&](std::size_t i) { all[i] = moments_of(levels, q.fitted ? beta : Beta::none, points, i); });
  return all;
}

// One end of the band.
results::Estimate end_of_band(std::span<const double> coarse_sorted, double p, const Sums& coarse, const results::Estimate& mean,
                              const results::Estimate& std, bool of_model) {
  const results::Estimate q = quantile(coarse_sorted, p);
  const double ratio = coarse.variance > 0 ? std.value / std::sqrt(coarse.variance) : 1;
  const double distance = ratio * (q.value - coarse.mean);
  const double by_spread = std.value > 0 ? distance / std.value * std.error : 0;
  return {mean.value + distance, of_model ? std::hypot(mean.error, by_spread, ratio * q.error) : nan};
}

}  // namespace

results::StudyStatistics multilevel_statistics(std::span<const LevelSample> levels, const MultilevelRequest& q) {
  const std::size_t nc = std::size_t(q.channels), points = q.times.size() * nc;
  const std::vector<OutputMoments> all = all_moments(levels, q, Beta::of_these);
  std::vector<results::Estimate> lower(points), upper(points), std(points);
  each_in_parallel(points, [&](std::size_t i) {
    const results::Estimate &mean = all[i].mean.estimate, &second = all[i].second.estimate;
    const double sigma = std::sqrt(std::max(0.0, second.value));
    std[i] = {sigma, sigma > 0 ? second.error / (2 * sigma) : 0};
    std::vector<double> column;
    for (long k = 0; k < levels[0].realizations; ++k) column.push_back(levels[0].fine[std::size_t(k) * points + i]);
    const Sums coarse = sums(long(column.size()), [&](long k) { return column[std::size_t(k)]; });
    std::sort(column.begin(), column.end());
    lower[i] = end_of_band(column, (1 - q.confidence) / 2, coarse, mean, std[i], levels.size() == 1);
    upper[i] = end_of_band(column, (1 + q.confidence) / 2, coarse, mean, std[i], levels.size() == 1);
  });
  results::StudyStatistics s;
  s.confidence = q.confidence;
  s.realizations = levels.back().realizations;
  s.channels.resize(nc);
  for (std::size_t i = 0; i < points; ++i) {
    results::ChannelStatistics& c = s.channels[i % nc];
    c.nominal.push_back(q.nominal[i]);
    c.mean.push_back(all[i].mean.estimate.value);
    c.mean_error.push_back(all[i].mean.estimate.error);
    c.std.push_back(std[i].value);
    c.std_error.push_back(std[i].error);
    c.lower.push_back(lower[i].value);
    c.lower_error.push_back(lower[i].error);
    c.upper.push_back(upper[i].value);
    c.upper_error.push_back(upper[i].error);
    double least = std::numeric_limits<double>::infinity(), most = -least;
    for (long k = 0; k < levels.back().realizations; ++k) {
      least = std::min(least, levels.back().fine[std::size_t(k) * points + i]);
      most = std::max(most, levels.back().fine[std::size_t(k) * points + i]);
    }
    c.minimum.push_back(least);
    c.maximum.push_back(most);
  }
  settle(q.times, q.units, s);
  return s;
}

namespace {

// [channels] ∫ variance dt that is round-off.
std::vector<double> negligible(const MultilevelRequest& q) {
  const std::size_t nc = std::size_t(q.channels);
  std::vector<double> sizes(nc);
  double duration = 0;
  for (std::size_t i = 0; i < q.nominal.size(); ++i) sizes[i % nc] = std::max(sizes[i % nc], std::abs(q.nominal[i]));
  for (const double w : trapezoidal_weights(q.times)) duration += w;
  sizes = sizes_by_unit(std::move(sizes), q.units);
  for (double& x : sizes) x = round_off * round_off * x * x * duration;
  return sizes;
}

}  // namespace

std::vector<double> level_variances(std::span<const LevelSample> levels, const MultilevelRequest& q, bool planned) {
  const std::size_t nc = std::size_t(q.channels);
  const std::vector<OutputMoments> all = all_moments(levels, q, planned ? Beta::of_many : Beta::of_these);
  const std::vector<double> weights = trapezoidal_weights(q.times);
  const std::vector<double> zero = negligible(q);
  std::vector<double> of_mean(levels.size()), of_second(levels.size());
  for (std::size_t c = 0; c < nc; ++c) {
    double variance = 0, square = 0;
    std::vector<double> first(levels.size()), second(levels.size());
    for (std::size_t t = 0; t < q.times.size(); ++t) {
      const OutputMoments& m = all[t * nc + c];
      const double v = std::max(0.0, m.second.estimate.value);
      variance += weights[t] * v;
      square += weights[t] * v * v;
      for (std::size_t l = 0; l < levels.size(); ++l) {
        first[l] += weights[t] * m.mean.variance[l];
        second[l] += weights[t] * m.second.variance[l];
      }
    }
    for (std::size_t l = 0; l < levels.size(); ++l) {
      if (!(variance > zero[c])) continue;  // round-off
      of_mean[l] += first[l] / variance / double(nc);
      if (square > 0) of_second[l] += second[l] / (4 * square) / double(nc);  // of the standard deviation
    }
  }
  for (std::size_t l = 0; l < levels.size(); ++l) of_mean[l] = std::max(of_mean[l], of_second[l]);
  return of_mean;
}

namespace {

// ∫ variance dt of a function of each output of a realization, by channel.
template <class F>
std::vector<double> scatter(long realizations, const MultilevelRequest& q, const F& value) {
  const std::size_t nc = std::size_t(q.channels);
  const std::vector<double> weights = trapezoidal_weights(q.times);
  std::vector<double> out(nc);
  for (std::size_t i = 0; i < q.times.size() * nc; ++i)
    out[i % nc] += weights[i / nc] * sums(realizations, [&](long k) { return value(std::size_t(k), i); }).variance;
  return out;
}

double largest_ratio(const std::vector<double>& a, const std::vector<double>& b, const std::vector<double>& zero) {
  double worst = 0;
  for (std::size_t c = 0; c < a.size(); ++c) {
    if (!std::isfinite(a[c])) return std::numeric_limits<double>::infinity();
    if (b[c] > zero[c]) worst = std::max(worst, a[c] / b[c]);
  }
  return worst;
}

}  // namespace

double looseness(const LevelSample& level, const MultilevelRequest& q) {
  const std::size_t points = q.times.size() * std::size_t(q.channels);
  const auto correction = [&](std::size_t k, std::size_t i) { return level.fine[k * points + i] - level.coarse[k * points + i]; };
  const auto response = [&](std::size_t k, std::size_t i) { return level.fine[k * points + i]; };
  return largest_ratio(scatter(level.realizations, q, correction), scatter(level.realizations, q, response), negligible(q));
}

double relative_scatter(const LevelSample& level, const LevelSample& reference, const MultilevelRequest& q) {
  const std::size_t points = q.times.size() * std::size_t(q.channels);
  const auto of = [&](const LevelSample& l) {
    return scatter(l.realizations, q, [&](std::size_t k, std::size_t i) { return l.fine[k * points + i]; });
  };
  return largest_ratio(of(level), of(reference), negligible(q));
}

std::vector<long> allocate(std::span<const double> variances, std::span<const double> costs, double budget, long least) {
  std::vector<long> n(costs.size(), 0);  // 0: not fixed yet
  for (bool changed = true; changed;) {
    changed = false;
    double left = budget, sum = 0;
    for (std::size_t l = 0; l < costs.size(); ++l) {
      left -= double(n[l]) * costs[l];
      if (n[l] == 0) sum += std::sqrt(variances[l] * costs[l]);
    }
    // Those that would get too few get the least, and the others share what is left.
    for (std::size_t l = 0; l < costs.size(); ++l)
      if (n[l] == 0 && !(sum > 0 && left * std::sqrt(variances[l] / costs[l]) >= double(least) * sum))
        n[l] = least, changed = true;
    if (changed) continue;
    for (std::size_t l = 0; l < costs.size(); ++l)
      if (n[l] == 0) n[l] = long(std::floor(left * std::sqrt(variances[l] / costs[l]) / sum));
  }
  return n;
}

}  // namespace aleator::core::analysis
