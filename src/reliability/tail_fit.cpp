#include "reliability/tail_fit.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "reliability/normal_law.hpp"
#include "reliability/normal_numbers.hpp"

namespace aleator::core::reliability {
namespace {

constexpr int most_levels = 24;
constexpr double last_count = 5;  // their cov is 0.45
constexpr double least_c = 0.5, most_c = 4;
constexpr double nearest_b = 1e-3, farthest_b = 20;  // below the first level, in widths of the fitted range

struct TailPoints {
  std::vector<double> lambda, log_p, weight;
  double first = 0, width = 1;
};

// Weights: 1/(ln C⁺ − ln C⁻)², of 95 % bounds, which are finite for few counts as well.
TailPoints points_of(const TailLevels& levels, double shift) {
  TailPoints p;
  for (std::size_t i = 0; i < levels.lambda.size(); ++i) {
    const double count = levels.counts[i], share = count / levels.n;
    if (count < 1) continue;
    const double cv = std::sqrt((1 - share) / count);
    p.lambda.push_back(levels.lambda[i]);
    p.log_p.push_back(std::log(share) + shift * std::sqrt(std::log1p(cv * cv)));
    p.weight.push_back(1 / (4 * 1.96 * 1.96 * std::log1p(cv * cv)));
  }
  p.first = levels.lambda.front();
  p.width = std::max(levels.lambda.back() - p.first, 1e-300);
  return p;
}

// The straight line of ln P over (λ − b)^c; x: ln of the distance of b, and c.
TailCurve line_for(const TailPoints& p, double log_distance, double c) {
  TailCurve t;
  t.b = p.first - std::exp(log_distance) * p.width;
  t.c = c;
  double w = 0, wx = 0, wy = 0;
  std::vector<double> x(p.lambda.size());
  for (std::size_t i = 0; i < x.size(); ++i) {
    x[i] = std::pow((p.lambda[i] - t.b) / p.width, c);
    w += p.weight[i];
    wx += p.weight[i] * x[i];
    wy += p.weight[i] * p.log_p[i];
  }
  const double mx = wx / w, my = wy / w;
  double xx = 0, xy = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    xx += p.weight[i] * (x[i] - mx) * (x[i] - mx);
    xy += p.weight[i] * (x[i] - mx) * (p.log_p[i] - my);
  }
  const double slope = xx > 0 ? -xy / xx : 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    const double r = p.log_p[i] - my + slope * (x[i] - mx);
    t.misfit += p.weight[i] * r * r;
  }
  t.a = slope * std::pow(p.width, -c);
  t.q = std::exp(my + slope * mx);
  t.good = slope > 0 && std::isfinite(t.q);
  return t;
}

TailCurve search(const TailPoints& p) {
  TailCurve best;
  best.misfit = std::numeric_limits<double>::infinity();
  const double low = std::log(nearest_b), high = std::log(farthest_b);
  double at_b = 0, at_c = 1, step_b = (high - low) / 11, step_c = 0.35;
  const auto look = [&](double b, double c) {
    const TailCurve t = line_for(p, std::clamp(b, low, high), std::clamp(c, least_c, most_c));
    if (!t.good || !(t.misfit < best.misfit)) return false;
    best = t;
    at_b = std::clamp(b, low, high);
    at_c = std::clamp(c, least_c, most_c);
    return true;
  };
  for (double b = low; b <= high + 1e-9; b += step_b) {
    for (double c = least_c; c <= most_c + 1e-9; c += step_c) look(b, c);
  }
  // Around the best of the grid, ever closer; along the valley, too, where b and c make up for each other.
  for (int round = 0; round < 60 && step_c > 1e-3; ++round) {
    const double b = at_b, c = at_c;
    bool better = false;
    for (const auto& [i, j] : {std::array<double, 2>{1, 0}, {-1, 0}, {0, 1}, {0, -1}, {1, 1}, {-1, -1}, {1, -1}, {-1, 1}}) {
      better = look(b + i * step_b, c + j * step_c) || better;
    }
    if (!better) {
      step_b /= 2;
      step_c /= 2;
    }
  }
  return best;
}

// Number of successes of n trials; by the normal law where both outcomes are many.
double binomial(double n, double p, const Source& source, std::uint64_t& next) {
  if (n * p > 40 && n * (1 - p) > 40) {
    const double z = normal_quantile(uniform_number(source, next++));
    return std::clamp(std::round(n * p + z * std::sqrt(n * p * (1 - p))), 0.0, n);
  }
  double k = 0;
  for (double i = 0; i < n; ++i) k += uniform_number(source, next++) < p ? 1 : 0;
  return k;
}

TailLevels resampled(const TailLevels& levels, std::uint64_t seed, std::uint64_t number) {
  const Source source{seed, number, 0x7461696c};
  std::uint64_t next = 0;
  TailLevels r = levels;
  double left = levels.n, of = levels.n;
  for (std::size_t i = 0; i < levels.counts.size(); ++i) {
    left = binomial(left, levels.counts[i] / of, source, next);
    of = levels.counts[i];
    r.counts[i] = left;
  }
  return r;
}

}  // namespace

double TailCurve::at(double lambda) const { return q * std::exp(-a * std::pow(std::max(lambda - b, 0.0), c)); }

TailLevels tail_levels(const std::vector<double>& sorted, double from) {
  TailLevels levels;
  levels.n = static_cast<double>(sorted.size());
  const double beyond_first = std::floor(from * levels.n);
  if (beyond_first < 4 * last_count) return levels;
  const double first = sorted[sorted.size() - static_cast<std::size_t>(beyond_first)],
               last = sorted[sorted.size() - static_cast<std::size_t>(last_count)];
  if (!(last > first)) return levels;
  for (int i = 0; i < most_levels; ++i) {
    const double lambda = first + (last - first) * i / (most_levels - 1);
    const double count = static_cast<double>(sorted.end() - std::upper_bound(sorted.begin(), sorted.end(), lambda));
    levels.lambda.push_back(lambda);
    levels.counts.push_back(std::max(count, 1.0));
  }
  return levels;
}

TailCurve fit_tail(const TailLevels& levels) { return search(points_of(levels, 0)); }

TailError tail_error(const TailLevels& levels, const TailCurve& fit, double at, std::uint64_t seed) {
  const int times = 200;
  std::vector<double> logs;
  for (int k = 0; k < times; ++k) {
    const TailCurve t = search(points_of(resampled(levels, seed, static_cast<std::uint64_t>(k)), 0));
    const double p = t.at(at);
    if (t.good && p > 0) logs.push_back(std::log(p));
  }
  TailError e;
  const double p = fit.at(at);
  if (logs.size() < times / 2) return e;
  std::sort(logs.begin(), logs.end());
  // The middle two thirds tell the spread: a few resamplings go astray.
  const auto quantile = [&](double share) {
    return logs[static_cast<std::size_t>(share * static_cast<double>(logs.size() - 1))];
  };
  const double spread = (quantile(0.84) - quantile(0.16)) / 2;
  e.cov = std::sqrt(std::expm1(spread * spread));
  // The bounds of all levels moved together, as in the paper.
  const TailCurve low = search(points_of(levels, -1.96)), high = search(points_of(levels, 1.96));
  e.lower = std::exp(quantile(0.025));
  e.upper = std::exp(quantile(0.975));
  for (const TailCurve& bound : {low, high}) {
    if (!bound.good) continue;
    e.lower = std::min(e.lower, bound.at(at));
    e.upper = std::max(e.upper, bound.at(at));
  }
  e.lower = std::min(e.lower, p);
  e.upper = std::min(1.0, std::max(e.upper, p));
  return e;
}

}  // namespace aleator::core::reliability
