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
constexpr double tie = 0.3;       // of a count: levels with equal counts differ by so much at least
constexpr double least_c = 0.5, most_c = 4;
constexpr double nearest_b = 1e-3, farthest_b = 20;  // below the first level, in widths of the fitted range

// H = −ln(1 − P) at the levels. Residuals of ln H over v are a Brownian motion in t = (1 − P)/P: cov(ln Hᵢ, ln Hⱼ) = vⱼ/(n Hᵢ) for λᵢ < λⱼ. Their increments are
// independent, which makes least squares efficient.
struct TailPoints {
  std::vector<double> lambda, log_h;
  std::vector<double> v, deviation;  // of P as it is known: scale, and standard deviation of the increment up to this level
  double first = 0, width = 1;
};

double expected(double share) { return -std::log1p(-share); }

TailPoints points_of(const TailLevels& levels, const std::vector<double>& known) {
  TailPoints p;
  double last = 0;
  for (std::size_t i = 0; i < levels.lambda.size(); ++i) {
    const double share = std::min(std::max(levels.counts[i], 0.5) / levels.n, 1 - 0.5 / levels.n), like = known[i];
    const double t = (1 - like) / like, count = std::max(1.0, like * levels.n);
    p.lambda.push_back(levels.lambda[i]);
    p.log_h.push_back(std::log(expected(share)));
    p.v.push_back(like / ((1 - like) * expected(like)));
    p.deviation.push_back(std::sqrt(std::max(t - last, tie * levels.n / (count * count)) / levels.n));
    last = t;
  }
  p.first = levels.lambda.front();
  p.width = std::max(levels.lambda.back() - p.first, 1e-300);
  return p;
}

// The straight line of ln H over (λ − b)^c.
TailCurve line_for(const TailPoints& p, double log_distance, double c) {
  TailCurve t;
  t.b = p.first - std::exp(log_distance) * p.width;
  t.c = c;
  const std::size_t n = p.lambda.size();
  // Rows: increments of (1, −x, ln H)/v, over their standard deviations.
  double aa = 0, ab = 0, bb = 0, ay = 0, by = 0, yy = 0, a0 = 0, b0 = 0, y0 = 0;
  for (std::size_t i = 0; i < n; ++i) {
    const double x = std::pow((p.lambda[i] - t.b) / p.width, c);
    const double a1 = 1 / p.v[i], b1 = -x / p.v[i], y1 = p.log_h[i] / p.v[i], s = 1 / p.deviation[i];
    const double a = (a1 - a0) * s, b = (b1 - b0) * s, y = (y1 - y0) * s;
    aa += a * a;
    ab += a * b;
    bb += b * b;
    ay += a * y;
    by += b * y;
    yy += y * y;
    a0 = a1;
    b0 = b1;
    y0 = y1;
  }
  const double determinant = aa * bb - ab * ab;
  if (!(determinant > 0)) return t;
  const double log_q = (ay * bb - by * ab) / determinant, slope = (by * aa - ay * ab) / determinant;
  t.misfit = std::max(0.0, yy - log_q * ay - slope * by);
  t.a = slope * std::pow(p.width, -c);
  t.q = std::exp(log_q);
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

// P at the levels, by the fit: counts know it less well.
std::vector<double> shares_of(const TailLevels& levels, const TailCurve& fit) {
  std::vector<double> shares;
  for (const double lambda : levels.lambda) shares.push_back(std::clamp(fit.at(lambda), 0.5 / levels.n, 1 - 0.5 / levels.n));
  return shares;
}

}  // namespace

double TailCurve::at(double lambda) const { return -std::expm1(-q * std::exp(-a * std::pow(std::max(lambda - b, 0.0), c))); }

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

TailCurve fit_tail(const TailLevels& levels) {
  std::vector<double> known;
  for (const double c : levels.counts) known.push_back(std::clamp(c / levels.n, 0.5 / levels.n, 1 - 0.5 / levels.n));
  TailCurve fit = search(points_of(levels, known));
  for (int again = 0; again < 2 && fit.good; ++again) fit = search(points_of(levels, shares_of(levels, fit)));
  return fit;
}

TailError tail_error(const TailLevels& levels, const TailCurve& fit, double at, std::uint64_t seed) {
  const int times = 200;
  const std::vector<double> known = shares_of(levels, fit);
  std::vector<double> logs;
  for (int k = 0; k < times; ++k) {
    const TailCurve t = search(points_of(resampled(levels, seed, static_cast<std::uint64_t>(k)), known));
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
  e.lower = std::exp(quantile(0.025));
  e.upper = std::exp(quantile(0.975));
  e.lower = std::min(e.lower, p);
  e.upper = std::min(1.0, std::max(e.upper, p));
  return e;
}

}  // namespace aleator::core::reliability
