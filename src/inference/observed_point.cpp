#include "inference/observed_point.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace aleator::core::inference {

ObservedPoint observed_point(const std::vector<double>& times, double t, int channel, const std::string& name) {
  const double slack = 1e-9 * std::max(times.back() - times.front(), std::abs(times.back()));
  if (!(t >= times.front() - slack && t <= times.back() + slack))
    throw std::invalid_argument(
        fmt::format("{}: time {} is outside the simulated {} to {}", name, t, times.front(), times.back()));
  if (times.size() == 1) return {0, 0, channel};
  const long after = std::upper_bound(times.begin(), times.end(), t) - times.begin();
  const long before = std::clamp(after - 1, 0l, long(times.size()) - 2);
  const double from = times[std::size_t(before)], to = times[std::size_t(before) + 1];
  return {int(before), std::clamp((t - from) / (to - from), 0.0, 1.0), channel};
}

}  // namespace aleator::core::inference
