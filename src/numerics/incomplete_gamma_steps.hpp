// The regularised incomplete gamma functions and their inverse, step by step, on any scalar: lanes take the steps of a number alone.
#pragma once

#include <cmath>
#include <limits>
#include <numbers>

#include "numerics/functions.hpp"
#include "numerics/normal_quantile.hpp"

namespace aleator::core::gamma_steps {

constexpr double epsilon = std::numeric_limits<double>::epsilon();

// ln Γ(a + 1) − (a + ½) ln a + a − ½ ln 2π (Abramowitz & Stegun 6.1.41), exact to round-off from 16 on.
inline double stirling_error(double a) {
  const double y = 1 / (a * a);
  return (1.0 / 12 - y * (1.0 / 360 - y * (1.0 / 1260 - y * (1.0 / 1680 - y / 1188)))) / a;
}

inline double log_gamma(double x) {
  int sign;
  return ::lgamma_r(x, &sign);  // std::lgamma writes a global variable
}

// t − ln(1 + t), also where both nearly cancel: with r = t/(2 + t), ln(1 + t) = 2 (r + r³/3 + r⁵/5 + …) and t − 2r = r t. For |t| ≤ 0.2 the first
// term left out is below 2⁻⁶⁰ of the result.
template <class T>
ALEATOR_INLINE T minus_log(const T& t) {
  const T r = t / (T(2) + t), z = r * r;
  const T series =
      z * functions::detail::polynomial(z, {1.0 / 17, 1.0 / 15, 1.0 / 13, 1.0 / 11, 1.0 / 9, 1.0 / 7, 1.0 / 5, 1.0 / 3});
  return select(abs(t) <= T(0.2), r * t - T(2) * (r * series), t - functions::log1p(t));
}

// What functions of one a have in common.
struct Shape {
  explicit Shape(double shape) : a(shape), log_gamma_above(log_gamma(shape + 1)), stirling(stirling_error(shape)) {}
  double a, log_gamma_above, stirling;

  // xᵃ e⁻ˣ / Γ(a + 1) for x > 0. Of large a the powers cancel: a ln x − x − ln Γ(a + 1) = −a (t − ln(1 + t)) − …, t = x/a − 1 (Loader 2000).
  template <class T>
  ALEATOR_INLINE T front(const T& x) const {
    const T plain = exp(T(a) * log(x) - x - T(log_gamma_above));
    if (a < 16) return plain;
    const T near = exp(T(-a) * minus_log((x - T(a)) / T(a)) - T(stirling)) / T(std::sqrt(2 * std::numbers::pi * a));
    return select(x < T(0.1 * a), plain, near);
  }
};

// P(a, x) = xᵃ e⁻ˣ / Γ(a+1) · (1 + x/(a+1) + x²/((a+1)(a+2)) + …), good for x < a + 1 (Abramowitz & Stegun 6.5.29): the sum.
template <class T>
struct Series {
  T term = T(1), sum = T(1);
  ALEATOR_INLINE auto take(double a, const T& x, const T& n) {  // the n-th term; whether it counts
    const auto going = term > T(epsilon) * sum;
    const T next = term * (x / (T(a) + n));
    sum = select(going, sum + next, sum);
    term = select(going, next, term);
    return going;
  }
};

// Q(a, x) = a xᵃ e⁻ˣ / Γ(a+1) times a continued fraction (6.5.31), by Lentz's method; good for x > a + 1.
template <class T>
struct Fraction {
  T b, c, d, value, factor;
  Fraction() = default;
  ALEATOR_INLINE Fraction(double a, const T& x)
      : b(x + T(1) - T(a)), c(T(std::numeric_limits<double>::max())), d(T(1) / b), value(d), factor(T(0)) {}
  ALEATOR_INLINE auto take(double a, const T& n) {
    const T gap = factor - T(1);
    const auto going = (gap > T(epsilon)) | (gap < T(-epsilon));
    const T numerator = -n * (n - T(a));
    b = b + T(2);
    d = T(1) / (numerator * d + b);
    c = b + numerator / c;
    factor = select(going, c * d, factor);
    value = select(going, value * factor, value);
    return going;
  }
};

// P and Q of one x by its sum, or its fraction, and its front.
template <class T>
struct Tails {
  T lower, upper;
};
template <class T>
ALEATOR_INLINE Tails<T> tails(const Shape& s, const T& x, const T& sum, const T& front) {
  const auto by_series = x < T(s.a + 1);
  const T lower = sum * front, upper = sum * T(s.a) * front;
  return {select(by_series, lower, T(1) - upper), select(by_series, T(1) - lower, upper)};
}

// Newton's method on the logarithm of the smaller tail, which is nearly straight far out: ln P over ln x, ln Q over x.
template <class T>
struct Search {
  T from_below;                                                                // 1, or 0: from above
  T wanted, below = T(0), above = T(std::numeric_limits<double>::infinity());  // bounds of x, by the values seen
  T x, steps = T(0);

  Search() = default;
  // Where it begins: the cube root of x is nearly normal (Wilson & Hilferty 1931); far below, P is nearly a power.
  ALEATOR_INLINE Search(const Shape& s, const T& lower, const T& upper) {
    const auto is_below = lower < upper;
    from_below = select(is_below, T(1), T(0));
    const T log_lower = log(lower), log_upper = log(upper);
    wanted = select(is_below, log_lower, log_upper);
    const double a = s.a;
    const T z = normal_between(lower, upper);
    const T root = T(1 - 1 / (9 * a)) + z / T(3 * std::sqrt(a));
    const T power = exp((log_lower + T(s.log_gamma_above)) / T(a));
    const T far = select(is_below | (power < T(a)), power, T(a + 1) - log_upper);
    x = a < 0.5 ? far : select(root < T(0.4), far, T(a) * root * root * root);
  }

  // Of another one, where the mask is set.
  template <class Mask>
  ALEATOR_INLINE void keep(const Mask& m, const Search& other) {
    below = select(m, other.below, below), above = select(m, other.above, above);
    x = select(m, other.x, x), steps = select(m, other.steps, steps);
  }

  // With the sum of the series at x, or the fraction. Whether it has ended.
  ALEATOR_INLINE auto step(const Shape& s, const T& sum) {
    const auto is_below = T(0) < from_below;
    const T infinity(std::numeric_limits<double>::infinity());
    const T front = s.front(x);
    const Tails<T> there = tails(s, x, sum, front);
    const T tail = select(is_below, there.lower, there.upper);
    const T gap = log(tail) - wanted, slope = front * T(s.a) / x / tail;
    const auto too_far = select(is_below, T(1), T(-1)) * gap > T(0);
    above = select(too_far, x, above), below = select(too_far, below, x);
    const auto bounded = above < infinity;
    const T newton = select(is_below, x * exp(-gap / (slope * x)), x + gap / slope);
    const auto inside = (newton >= below) & (newton <= above) & (newton < T(10) * x);
    const T halved = select(below > T(0), sqrt(below * select(bounded, above, T(1))), T(0.1) * x);
    const T next = select(inside, newton, select(bounded, halved, T(10) * x));
    const T size = abs(next - x);
    x = next;
    steps = steps + T(1);
    const auto near = inside & (size < T(1e-8) * x);  // the next step would be its square
    const auto narrow = bounded & (select(bounded, above, T(0)) - below <= T(2 * epsilon) * above);
    return near | narrow | (steps >= T(200)) | !(x > T(0));
  }
};

}  // namespace aleator::core::gamma_steps
