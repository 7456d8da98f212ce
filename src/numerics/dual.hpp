// Dual: a value and its derivative in one direction, v + d e with e^2 = 0. Checks Jacobians of kernels.
// Where a function has branches (abs, min, max, select) the derivative is that of the branch taken; comparisons
// compare values; round and floor have derivative zero.
#pragma once

#include "numerics/scalar.hpp"

namespace aleator::core {

struct Dual {
  double v, d;

  Dual() = default;
  constexpr Dual(double value, double derivative = 0.0) : v(value), d(derivative) {}

  Dual& operator+=(const Dual& b) { return *this = *this + b; }
  Dual& operator-=(const Dual& b) { return *this = *this - b; }
  Dual& operator*=(const Dual& b) { return *this = *this * b; }
  Dual& operator/=(const Dual& b) { return *this = *this / b; }

  friend constexpr Dual operator+(const Dual& a) { return a; }
  friend constexpr Dual operator-(const Dual& a) { return {-a.v, -a.d}; }
  friend constexpr Dual operator+(const Dual& a, const Dual& b) { return {a.v + b.v, a.d + b.d}; }
  friend constexpr Dual operator-(const Dual& a, const Dual& b) { return {a.v - b.v, a.d - b.d}; }
  friend constexpr Dual operator*(const Dual& a, const Dual& b) { return {a.v * b.v, a.d * b.v + a.v * b.d}; }
  friend constexpr Dual operator/(const Dual& a, const Dual& b) {  // (a/b)' = (a' - (a/b) b') / b
    const double q = a.v / b.v;
    return {q, (a.d - q * b.d) / b.v};
  }

  friend constexpr bool operator<(const Dual& a, const Dual& b) { return a.v < b.v; }
  friend constexpr bool operator<=(const Dual& a, const Dual& b) { return a.v <= b.v; }
  friend constexpr bool operator>(const Dual& a, const Dual& b) { return a.v > b.v; }
  friend constexpr bool operator>=(const Dual& a, const Dual& b) { return a.v >= b.v; }
  friend constexpr bool operator==(const Dual& a, const Dual& b) { return a.v == b.v; }
  friend constexpr bool operator!=(const Dual& a, const Dual& b) { return a.v != b.v; }

  friend double value_of(const Dual& x) { return x.v; }
  friend Dual select(bool mask, const Dual& a, const Dual& b) { return mask ? a : b; }
  friend bool is_finite(const Dual& x) { return aleator::core::is_finite(x.v) & aleator::core::is_finite(x.d); }
  friend Dual min(const Dual& a, const Dual& b) { return b.v < a.v ? b : a; }
  friend Dual max(const Dual& a, const Dual& b) { return a.v < b.v ? b : a; }
  friend Dual abs(const Dual& x) { return std::signbit(x.v) ? -x : x; }
  friend Dual copysign(const Dual& magnitude, const Dual& sign) {
    return std::signbit(magnitude.v) == std::signbit(sign.v) ? magnitude : -magnitude;
  }
  friend Dual round(const Dual& x) { return std::round(x.v); }
  friend Dual floor(const Dual& x) { return std::floor(x.v); }
  friend Dual multiply_add(const Dual& a, const Dual& b, const Dual& c) {
    return {aleator::core::multiply_add(a.v, b.v, c.v), a.d * b.v + a.v * b.d + c.d};
  }

  friend Dual sqrt(const Dual& x) {
    const double r = std::sqrt(x.v);
    return {r, 0.5 * x.d / r};
  }
  friend Dual sin(const Dual& x) { return {aleator::core::sin(x.v), aleator::core::cos(x.v) * x.d}; }
  friend Dual cos(const Dual& x) { return {aleator::core::cos(x.v), -aleator::core::sin(x.v) * x.d}; }
  friend Dual tan(const Dual& x) {  // 1 + tan^2
    const double r = aleator::core::tan(x.v);
    return {r, (1.0 + r * r) * x.d};
  }
  friend Dual asin(const Dual& x) { return {aleator::core::asin(x.v), x.d / std::sqrt((1.0 - x.v) * (1.0 + x.v))}; }
  friend Dual acos(const Dual& x) { return {aleator::core::acos(x.v), -x.d / std::sqrt((1.0 - x.v) * (1.0 + x.v))}; }
  friend Dual atan2(const Dual& y, const Dual& x) {  // (x y' - y x') / (x^2 + y^2)
    return {aleator::core::atan2(y.v, x.v), (x.v * y.d - y.v * x.d) / (x.v * x.v + y.v * y.v)};
  }
  friend Dual tanh(const Dual& x) {  // 1 - tanh^2 = 1 / cosh^2
    const double c = std::cosh(x.v);
    return {aleator::core::tanh(x.v), x.d / (c * c)};
  }
  friend Dual exp(const Dual& x) {
    const double r = aleator::core::exp(x.v);
    return {r, r * x.d};
  }
  friend Dual log(const Dual& x) { return {aleator::core::log(x.v), x.d / x.v}; }
};

template <>
struct ScalarTraits<Dual> {
  static constexpr int lanes = 1;
  using Mask = bool;
  static double lane(const Dual& x, int) { return x.v; }
  static void set_lane(Dual& x, int, double value) { x = value; }
};

}  // namespace aleator::core
