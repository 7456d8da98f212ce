#include "analysis/exceedance.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "analysis/replicates.hpp"
#include "base/wide.hpp"
#include "numerics/incomplete_beta.hpp"
#include "numerics/sampled.hpp"
#include "numerics/series.hpp"

namespace aleator::core::analysis {
namespace {

// The error is √(p̃ (1−p̃)/(n + 4)) at p̃ = (count + 2)/(n + 4), as if two more had and two more had not (Agresti & Coull 1998): of many
// √(p (1−p)/n), and of none √2/n, such that two of them reach 2.8/n, where "none of n" is 6 % likely.
results::Estimate share(double count, double n) {
  const double p = (count + 2) / (n + 4);
  return {count / n, std::sqrt(p * (1 - p) / (n + 4))};
}

// `passes(row)`: the values of one realization, x[0], x[stride], …
template <class Passes>
results::Probability counted(std::span<const double> times, const ResponseRows& y, int replicates, const Passes& passes) {
  const std::size_t groups = std::size_t(replicates);
  std::vector<double> count(groups), there(groups);
  double n = 0;
  for (std::size_t k = 0; k < y.rows; ++k) {
    const double* const x = y.x + k * y.row_stride;
    bool finite = true;
    for (std::size_t t = 0; t < times.size(); ++t) finite = finite && std::isfinite(x[t * std::size_t(y.stride)]);
    if (!finite) continue;
    const std::size_t r = k % groups;
    ++there[r], ++n;
    count[r] += passes(x) ? 1 : 0;
  }
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  return n > 0 ? probability_of(count, there, replicate_factor(groups)) : results::Probability{{nan, nan}, {}};
}

}  // namespace

ALEATOR_WIDE bool count_above(const double* x, std::size_t times, double sign, double level, double* counts) {
  const double bound = sign * level;
  double most = 0;
  for (std::size_t t = 0; t < times; ++t) {
    const double exceeds = sign * x[t] > bound ? 1 : 0;
    counts[t] += exceeds;
    most = exceeds > most ? exceeds : most;
  }
  return most > 0;
}

bool extreme_passes(std::span<const double> times, const double* x, int stride, double level, bool above) {
  const double sign = above ? 1 : -1;
  const double* const own = contiguous(x, times.size(), stride);
  return !times.empty() && all_finite({own, times.size()}) && passes({times, own, 1}, sign, sign * level);
}

double ranks_by_replicates(std::span<const double> counted, std::span<const double> there, double factor) {
  std::vector<double> shares;
  double n = 0;
  for (std::size_t r = 0; r < counted.size(); ++r) shares.push_back(counted[r] / there[r]), n += there[r];
  return n * factor * scatter_of_mean(shares);
}

// Numbers of realizations are whole. Where replicates of a uniform design differ by one at most, a fraction f of them has one more, and
// R replicates of which none has say only that f is small: up to z²/(R + z²) with z = 2 (Wilson 1927). Two standard errors are at least so
// many realizations of each, 1/3 for eight replicates; the scatter alone would be 0 although f = 0.2 is 17 % likely to do that.
results::Estimate share_of(std::span<const double> counted, std::span<const double> there, double factor) {
  double sum = 0, n = 0;
  for (std::size_t r = 0; r < counted.size(); ++r) sum += counted[r], n += there[r];
  if (counted.size() == 1) return share(sum, n);
  const double r = double(counted.size()), unseen = r * 4 / (r + 4) / 2;
  return {sum / n, std::max(ranks_by_replicates(counted, there, factor), unseen) / n};
}

results::Probability with_interval(const results::Estimate& e, double n) {
  if (std::isnan(e.error)) return {e, {}};
  results::Probability p{e, {std::max(0.0, e.value - 2 * e.error), std::min(1.0, e.value + 2 * e.error)}};
  if (!(e.value > 0)) p.interval.high = std::max(p.interval.high, clopper_pearson(0, n).upper);
  if (!(e.value < 1)) p.interval.low = std::min(p.interval.low, clopper_pearson(n, n).lower);
  return p;
}

results::Probability probability_of(std::span<const double> counted, std::span<const double> there, double factor) {
  const results::Estimate e = share_of(counted, there, factor);
  double sum = 0, n = 0;
  for (std::size_t r = 0; r < counted.size(); ++r) sum += counted[r], n += there[r];
  if (!(n > 0)) return {e, {}};
  if (counted.size() > 1) return with_interval(e, n);
  const CountInterval exact = clopper_pearson(sum, n);
  return {e, {exact.lower, exact.upper}};
}

results::Probability exceedance(std::span<const double> times, const ResponseRows& y, double level, bool above, int replicates) {
  const double sign = above ? 1 : -1;
  return counted(times, y, replicates, [&](const double* x) {
    for (std::size_t t = 0; t < times.size(); ++t)
      if (sign * x[t * std::size_t(y.stride)] > sign * level) return true;
    return extreme_passes(times, x, y.stride, level, above);
  });
}

results::Probability exceedance_at(std::span<const double> times, std::size_t time, const ResponseRows& y, double level,
                                   bool above, int replicates) {
  const double sign = above ? 1 : -1;
  return counted(times, y, replicates, [&](const double* x) { return sign * x[time * std::size_t(y.stride)] > sign * level; });
}

}  // namespace aleator::core::analysis
