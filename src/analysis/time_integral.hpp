// Integrals over time of what is known at sampled times.
#pragma once

#include <span>
#include <vector>

namespace aleator::core::analysis {

// [times] of the trapezoidal rule. No interval: that instant alone.
inline std::vector<double> trapezoidal_weights(std::span<const double> times) {
  std::vector<double> w(times.size());
  for (std::size_t i = 1; i < times.size(); ++i) {
    const double half = (times[i] - times[i - 1]) / 2;
    w[i - 1] += half;
    w[i] += half;
  }
  if (w.size() == 1) w[0] = 1;
  return w;
}

}  // namespace aleator::core::analysis
