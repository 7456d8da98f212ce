#include "analysis/accuracy.hpp"

#include <cmath>
#include <limits>

#include "analysis/time_integral.hpp"

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

}  // namespace aleator::core::analysis
