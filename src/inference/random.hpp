// Random numbers, from wherever the caller has them: this room knows no generator.
#pragma once

#include <cmath>
#include <functional>
#include <numbers>

namespace aleator::core::inference {

using Uniform = std::function<double()>;  // independent uniform numbers on ]0, 1[

// A standard normal number of two uniform ones (Box & Muller).
inline double normal_of(double u, double v) { return std::sqrt(-2 * std::log(u)) * std::cos(2 * std::numbers::pi * v); }

inline double normal(const Uniform& uniform) {
  const double u = uniform();
  return normal_of(u, uniform());
}

}  // namespace aleator::core::inference
