// Directional<T>: a value and its derivative in one direction, on any scalar T, for kernels that need the derivative of a short formula
// themselves. (Dual does the same for double, with all functions, and is what checks kernels.)
#pragma once

#include "numerics/scalar.hpp"

namespace aleator::core {

template <class T>
struct Directional {
  T v, d;

  Directional() = default;
  ALEATOR_HD Directional(double value) : v(value), d(0.0) {}
  ALEATOR_HD Directional(const T& value, const T& derivative) : v(value), d(derivative) {}

  friend ALEATOR_HD Directional operator+(const Directional& a, const Directional& b) { return {a.v + b.v, a.d + b.d}; }
  friend ALEATOR_HD Directional operator-(const Directional& a, const Directional& b) { return {a.v - b.v, a.d - b.d}; }
  friend ALEATOR_HD Directional operator-(const Directional& a) { return {-a.v, -a.d}; }
  friend ALEATOR_HD Directional operator*(const Directional& a, const Directional& b) {
    return {a.v * b.v, a.d * b.v + a.v * b.d};
  }
  friend ALEATOR_HD Directional operator/(const Directional& a, const Directional& b) {  // (a/b)' = (a' − (a/b) b') / b
    const T q = a.v / b.v;
    return {q, (a.d - q * b.d) / b.v};
  }
  friend ALEATOR_HD Directional multiply_add(const Directional& a, const Directional& b, const Directional& c) {
    return a * b + c;
  }
  friend ALEATOR_HD Directional sqrt(const Directional& a) {
    const T r = sqrt(a.v);
    return {r, T(0.5) * a.d / r};
  }
  ALEATOR_HD Directional& operator+=(const Directional& b) { return *this = *this + b; }
  ALEATOR_HD Directional& operator-=(const Directional& b) { return *this = *this - b; }
};

}  // namespace aleator::core
