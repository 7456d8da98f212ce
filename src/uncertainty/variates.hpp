// Random numbers of the usual laws from uniform ones, on any scalar: a draw by rejection is a loop over tries, and a try is a formula.
#pragma once

#include <cmath>
#include <numbers>

#include "numerics/functions.hpp"

namespace aleator::core {

// Box & Muller: normal, from two uniform numbers.
template <class T>
T normal_variate(const T& u, const T& v) {
  return sqrt(T(-2) * log(u)) * cos(T(2 * std::numbers::pi) * v);
}

// Gamma of rate 1 and shape ≥ 1 (Marsaglia & Tsang 2000): d (1 + c x)³ of a normal x, accepted by a uniform number.
struct GammaTry {
  explicit GammaTry(double shape) : d(shape - 1.0 / 3), c(1 / std::sqrt(9 * d)) {}
  double d, c;
};
template <class T>
struct TriedGamma {
  T value;
  MaskOf<T> accepted;
};
template <class T>
TriedGamma<T> tried_gamma(const T& d, const T& c, const T& x, const T& u) {
  const T root = T(1) + c * x, v = root * root * root;
  const auto inside = T(0) < root;
  const T positive = select(inside, v, T(1));
  const MaskOf<T> accepted = inside & (log(u) < T(0.5) * x * x + d * (T(1) - v + log(positive)));
  return {d * v, accepted};
}

}  // namespace aleator::core
