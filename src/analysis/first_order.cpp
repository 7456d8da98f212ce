#include "analysis/first_order.hpp"

#include <cmath>
#include <limits>

#include "analysis/time_integral.hpp"
#include "base/constants.hpp"

namespace aleator::core::analysis {

Linearisation linearise(std::span<const double> responses, std::span<const double> steps, std::span<const double> variance) {
  const std::size_t numbers = steps.size(), points = responses.size() / (1 + 2 * numbers);
  Linearisation l;
  l.center.assign(responses.begin(), responses.begin() + std::ptrdiff_t(points));
  l.shift.assign(points, 0);
  for (std::size_t j = 0; j < numbers; ++j) {
    const double *const plus = &responses[(1 + 2 * j) * points], *const minus = plus + points;
    std::vector<double>& slope = l.slopes.emplace_back(points);
    if (!(steps[j] > 0)) continue;  // it does not vary
    for (std::size_t i = 0; i < points; ++i) {
      slope[i] = (plus[i] - minus[i]) / (2 * steps[j]);
      l.shift[i] += (plus[i] - 2 * l.center[i] + minus[i]) / (2 * steps[j] * steps[j]) * variance[j];
    }
  }
  return l;
}

results::StudyStatistics first_order_statistics(const Linearisation& linear, std::span<const double> covariance,
                                                std::span<const int> group_of, std::vector<std::string> groups,
                                                std::span<const double> times, std::span<const double> nominal, int channels,
                                                double confidence, double normal_quantile) {
  const std::size_t numbers = linear.slopes.size(), nc = std::size_t(channels), nt = times.size(), ng = groups.size();
  const std::vector<double> weights = trapezoidal_weights(times);
  results::StudyStatistics s;
  s.confidence = confidence;
  s.channels.resize(nc);
  s.shares.groups = std::move(groups);
  s.shares.of.assign(nc, std::vector<results::SobolIndices::OfGroup>(ng));
  std::vector<double> of_group(ng);
  for (std::size_t c = 0; c < nc; ++c) {
    results::ChannelStatistics& x = s.channels[c];
    std::vector<double> integrated(ng);
    double total = 0;
    for (std::size_t t = 0; t < nt; ++t) {
      const std::size_t i = t * nc + c;
      of_group.assign(ng, 0);
      double variance = 0;
      for (std::size_t a = 0; a < numbers; ++a)
        for (std::size_t b = 0; b < numbers; ++b) {
          if (group_of[a] != group_of[b]) continue;
          const double part = linear.slopes[a][i] * covariance[a * numbers + b] * linear.slopes[b][i];
          of_group[std::size_t(group_of[a])] += part;
          variance += part;
        }
      const double mean = linear.center[i], std = std::sqrt(std::max(0.0, variance));
      x.nominal.push_back(nominal[i]);
      x.mean.push_back(mean);
      x.std.push_back(std);
      x.lower.push_back(mean - normal_quantile * std);
      x.upper.push_back(mean + normal_quantile * std);
      total += weights[t] * variance;
      for (std::size_t g = 0; g < ng; ++g) {
        integrated[g] += weights[t] * of_group[g];
        s.shares.of[c][g].first.push_back(variance > 0 ? of_group[g] / variance : nan);
      }
    }
    const std::vector<double> unknown(nt, nan);
    x.minimum = x.maximum = x.mean_error = x.std_error = x.lower_error = x.upper_error = unknown;
    for (std::size_t g = 0; g < ng; ++g) {
      results::SobolIndices::OfGroup& o = s.shares.of[c][g];
      o.total = o.first;  // a linear response has no interactions
      o.integrated_first = o.integrated_total = {total > 0 ? integrated[g] / total : nan, nan};
    }
  }
  return s;
}

}  // namespace aleator::core::analysis
