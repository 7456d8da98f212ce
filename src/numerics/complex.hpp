// Complex<T>: re + i im on any scalar, as far as the sparse solver needs it. (std::complex is defined for float and double only, and
// its product branches on infinities.)
#pragma once

#include "numerics/scalar.hpp"

namespace aleator::core {

template <class T>
struct Complex {
  T re, im;

  Complex() = default;
  ALEATOR_INLINE Complex(double value) : re(value), im(0.0) {}
  ALEATOR_INLINE Complex(const T& real, const T& imaginary) : re(real), im(imaginary) {}

  ALEATOR_INLINE Complex& operator+=(const Complex& b) { return *this = *this + b; }
  ALEATOR_INLINE Complex& operator-=(const Complex& b) { return *this = *this - b; }
  ALEATOR_INLINE Complex& operator*=(const Complex& b) { return *this = *this * b; }

  friend ALEATOR_INLINE Complex operator-(const Complex& a) { return {-a.re, -a.im}; }
  friend ALEATOR_INLINE Complex operator+(const Complex& a, const Complex& b) { return {a.re + b.re, a.im + b.im}; }
  friend ALEATOR_INLINE Complex operator-(const Complex& a, const Complex& b) { return {a.re - b.re, a.im - b.im}; }
  friend ALEATOR_INLINE Complex operator*(const Complex& a, const Complex& b) {
    return {multiply_add(-a.im, b.im, a.re * b.re), multiply_add(a.im, b.re, a.re * b.im)};
  }
  friend ALEATOR_INLINE Complex operator/(const Complex& a, const Complex& b) {
    const T scale = T(1.0) / multiply_add(b.im, b.im, b.re * b.re);
    return a * Complex{scale * b.re, -(scale * b.im)};
  }
  friend ALEATOR_INLINE Complex multiply_add(const Complex& a, const Complex& b, const Complex& c) {
    return {multiply_add(-a.im, b.im, multiply_add(a.re, b.re, c.re)), multiply_add(a.im, b.re, multiply_add(a.re, b.im, c.im))};
  }
  // |re| + |im|: within √2 of the modulus, which is near enough for judging pivots.
  friend ALEATOR_INLINE T abs(const Complex& a) {
    using aleator::core::abs;
    return abs(a.re) + abs(a.im);
  }
};

template <class T>
struct ScalarTraits<Complex<T>> {
  using Mask = typename ScalarTraits<T>::Mask;
};

}  // namespace aleator::core
