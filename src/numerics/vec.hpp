// Vectors of D entries on any scalar, for kernels that are written once for the plane and for space.
#pragma once

#include "numerics/dual.hpp"
#include "numerics/scalar.hpp"

namespace aleator::core {

template <class T, int D>
struct Vec {
  T x[D];

  ALEATOR_HD static Vec zero() {
    Vec r;
    for (int i = 0; i < D; ++i) r.x[i] = T(0);
    return r;
  }
  ALEATOR_HD T& operator[](int i) { return x[i]; }
  ALEATOR_HD const T& operator[](int i) const { return x[i]; }

  ALEATOR_HD Vec& operator+=(const Vec& b) {
    for (int i = 0; i < D; ++i) x[i] += b.x[i];
    return *this;
  }
  ALEATOR_HD Vec& operator-=(const Vec& b) {
    for (int i = 0; i < D; ++i) x[i] -= b.x[i];
    return *this;
  }
};

template <class T, int D>
ALEATOR_HD Vec<T, D> operator+(Vec<T, D> a, const Vec<T, D>& b) {
  return a += b;
}
template <class T, int D>
ALEATOR_HD Vec<T, D> operator-(Vec<T, D> a, const Vec<T, D>& b) {
  return a -= b;
}
template <class T, int D>
ALEATOR_HD Vec<T, D> operator*(const T& s, Vec<T, D> a) {
  for (int i = 0; i < D; ++i) a.x[i] = s * a.x[i];
  return a;
}
// Sums of products are fused where the instruction set can (scalar.hpp): half the operations of the kernels that live on them.
template <class T, int D>
ALEATOR_HD T dot(const Vec<T, D>& a, const Vec<T, D>& b) {
  T r = a.x[0] * b.x[0];
  for (int i = 1; i < D; ++i) r = multiply_add(a.x[i], b.x[i], r);
  return r;
}
// b + s a
template <class T, int D>
ALEATOR_HD Vec<T, D> add_scaled(const T& s, const Vec<T, D>& a, const Vec<T, D>& b) {
  Vec<T, D> r;
  for (int i = 0; i < D; ++i) r.x[i] = multiply_add(s, a.x[i], b.x[i]);
  return r;
}

// a × b: three entries in space; in the plane one, about the normal.
template <class T>
ALEATOR_HD Vec<T, 1> cross(const Vec<T, 2>& a, const Vec<T, 2>& b) {
  return {{a[0] * b[1] - a[1] * b[0]}};
}
template <class T>
ALEATOR_HD Vec<T, 3> cross(const Vec<T, 3>& a, const Vec<T, 3>& b) {
  return {{a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]}};
}

}  // namespace aleator::core
