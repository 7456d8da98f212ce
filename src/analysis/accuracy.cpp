#include "analysis/accuracy.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include "analysis/time_integral.hpp"
#include "base/constants.hpp"

namespace aleator::core::analysis {

results::Accuracy accuracy_of(std::span<const double> times, const results::ChannelStatistics& c) {
  const std::vector<double> w = trapezoidal_weights(times);
  const auto ratio = [&](const auto& error, const auto& size) {
    double errors = 0, sizes = 0;
    for (std::size_t t = 0; t < w.size(); ++t) errors += w[t] * error(t), sizes += w[t] * size(t);
    return sizes > 0 ? errors / sizes : std::numeric_limits<double>::quiet_NaN();
  };
  results::Accuracy a;
  a.mean = ratio([&](std::size_t t) { return c.mean_error[t]; }, [&](std::size_t t) { return std::hypot(c.mean[t], c.std[t]); });
  a.std = ratio([&](std::size_t t) { return c.std_error[t]; }, [&](std::size_t t) { return c.std[t]; });
  if (!c.lower.empty())
    a.band = ratio([&](std::size_t t) { return (c.lower_error[t] + c.upper_error[t]) / 2; },
                   [&](std::size_t t) { return c.upper[t] - c.lower[t]; });
  return a;
}

std::vector<double> sizes_by_unit(std::vector<double> own, std::span<const std::string> units) {
  std::map<std::string_view, double> largest;
  for (std::size_t c = 0; c < units.size(); ++c) largest[units[c]] = std::max(largest[units[c]], own[c]);
  for (std::size_t c = 0; c < units.size(); ++c) own[c] = largest[units[c]];
  return own;
}

namespace {

void forget(results::SobolIndices::OfGroup& g) {
  for (auto* x : {&g.first, &g.total, &g.first_error, &g.total_error}) std::fill(x->begin(), x->end(), nan);
  g.integrated_first = g.integrated_total = {nan, nan};
}

}  // namespace

void settle(std::span<const double> times, std::span<const std::string> units, results::StudyStatistics& s) {
  std::vector<double> sizes;
  for (const results::ChannelStatistics& c : s.channels) {
    double& size = sizes.emplace_back(0);
    for (const auto* x : {&c.nominal, &c.mean})
      for (const double value : *x)
        if (std::isfinite(value)) size = std::max(size, std::abs(value));
  }
  sizes = sizes_by_unit(std::move(sizes), units);
  for (std::size_t c = 0; c < s.channels.size(); ++c) {
    results::ChannelStatistics& x = s.channels[c];
    x.varies = std::any_of(x.std.begin(), x.std.end(), [&](double std) { return !(std <= round_off * sizes[c]); });
    x.accuracy = x.varies ? accuracy_of(times, x) : results::Accuracy();
    if (!x.varies && c < s.shares.of.size())
      for (results::SobolIndices::OfGroup& g : s.shares.of[c]) forget(g);
  }
}

}  // namespace aleator::core::analysis
