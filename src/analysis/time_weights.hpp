// Integrals over time by the trapezoidal rule: ∫ x dt = Σ w_i x_i.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace aleator::analysis {

inline std::vector<double> time_weights(std::span<const double> times) {
  std::vector<double> w(times.size());
  for (std::size_t i = 1; i < times.size(); ++i) {
    const double half = (times[i] - times[i - 1]) / 2;
    w[i - 1] += half;
    w[i] += half;
  }
  if (times.size() == 1) w[0] = 1;  // no interval: that instant alone
  return w;
}

}  // namespace aleator::analysis
