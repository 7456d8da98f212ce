// Vectors and matrices of three, on any scalar: double, a traced number, a dual number.
#pragma once

#include "numerics/dual.hpp"
#include "numerics/scalar.hpp"

namespace aleator::core {

template <class T>
struct Vec3 {
  T x = T(0), y = T(0), z = T(0);

  ALEATOR_HD T& operator[](int i) { return (&x)[i]; }
  ALEATOR_HD const T& operator[](int i) const { return (&x)[i]; }

  ALEATOR_HD Vec3& operator+=(const Vec3& b) {
    x += b.x, y += b.y, z += b.z;
    return *this;
  }
  ALEATOR_HD Vec3& operator-=(const Vec3& b) {
    x -= b.x, y -= b.y, z -= b.z;
    return *this;
  }
};

template <class T>
ALEATOR_HD Vec3<T> operator+(const Vec3<T>& a, const Vec3<T>& b) {
  return {a.x + b.x, a.y + b.y, a.z + b.z};
}
template <class T>
ALEATOR_HD Vec3<T> operator-(const Vec3<T>& a, const Vec3<T>& b) {
  return {a.x - b.x, a.y - b.y, a.z - b.z};
}
template <class T>
ALEATOR_HD Vec3<T> operator-(const Vec3<T>& a) {
  return {-a.x, -a.y, -a.z};
}
template <class T>
ALEATOR_HD Vec3<T> operator*(const T& s, const Vec3<T>& a) {
  return {s * a.x, s * a.y, s * a.z};
}
template <class T>
ALEATOR_HD T dot(const Vec3<T>& a, const Vec3<T>& b) {
  return a.x * b.x + a.y * b.y + a.z * b.z;
}
template <class T>
ALEATOR_HD Vec3<T> cross(const Vec3<T>& a, const Vec3<T>& b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
template <class T>
ALEATOR_HD T norm(const Vec3<T>& a) {
  return sqrt(dot(a, a));
}

// By rows: m[i][j] is row i, column j.
template <class T>
struct Mat3 {
  Vec3<T> row[3];

  ALEATOR_HD Vec3<T>& operator[](int i) { return row[i]; }
  ALEATOR_HD const Vec3<T>& operator[](int i) const { return row[i]; }
  ALEATOR_HD Vec3<T> column(int j) const { return {row[0][j], row[1][j], row[2][j]}; }

  ALEATOR_HD static Mat3 identity() { return diagonal({T(1), T(1), T(1)}); }
  ALEATOR_HD static Mat3 diagonal(const Vec3<T>& d) {
    const T o(0);
    return {{{d.x, o, o}, {o, d.y, o}, {o, o, d.z}}};
  }

  ALEATOR_HD Mat3& operator+=(const Mat3& b) {
    for (int i = 0; i < 3; ++i) row[i] += b.row[i];
    return *this;
  }
  ALEATOR_HD Mat3& operator-=(const Mat3& b) {
    for (int i = 0; i < 3; ++i) row[i] -= b.row[i];
    return *this;
  }
};

template <class T>
ALEATOR_HD Mat3<T> operator+(Mat3<T> a, const Mat3<T>& b) {
  return a += b;
}
template <class T>
ALEATOR_HD Mat3<T> operator-(Mat3<T> a, const Mat3<T>& b) {
  return a -= b;
}
template <class T>
ALEATOR_HD Mat3<T> operator-(const Mat3<T>& a) {
  return {{-a[0], -a[1], -a[2]}};
}
template <class T>
ALEATOR_HD Mat3<T> operator*(const T& s, const Mat3<T>& a) {
  return {{s * a[0], s * a[1], s * a[2]}};
}
template <class T>
ALEATOR_HD Vec3<T> operator*(const Mat3<T>& a, const Vec3<T>& v) {
  return {dot(a[0], v), dot(a[1], v), dot(a[2], v)};
}
template <class T>
ALEATOR_HD Mat3<T> operator*(const Mat3<T>& a, const Mat3<T>& b) {
  Mat3<T> c;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) c[i][j] = a[i].x * b[0][j] + a[i].y * b[1][j] + a[i].z * b[2][j];
  return c;
}
template <class T>
ALEATOR_HD Mat3<T> transpose(const Mat3<T>& a) {
  return {{a.column(0), a.column(1), a.column(2)}};
}
// aᵀ v and aᵀ b without forming the transpose
template <class T>
ALEATOR_HD Vec3<T> transposed_times(const Mat3<T>& a, const Vec3<T>& v) {
  return {a[0].x * v.x + a[1].x * v.y + a[2].x * v.z, a[0].y * v.x + a[1].y * v.y + a[2].y * v.z,
          a[0].z * v.x + a[1].z * v.y + a[2].z * v.z};
}
template <class T>
ALEATOR_HD Mat3<T> transposed_times(const Mat3<T>& a, const Mat3<T>& b) {
  Mat3<T> c;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) c[i][j] = a[0][i] * b[0][j] + a[1][i] * b[1][j] + a[2][i] * b[2][j];
  return c;
}
// Known numbers on another scalar.
template <class T>
ALEATOR_HD Vec3<T> known(const Vec3<double>& a) {
  return {T(a.x), T(a.y), T(a.z)};
}
template <class T>
ALEATOR_HD Mat3<T> known(const Mat3<double>& a) {
  return {{known<T>(a[0]), known<T>(a[1]), known<T>(a[2])}};
}
// a b aᵀ of a symmetric b
template <class T>
ALEATOR_HD Mat3<T> congruent(const Mat3<double>& a, const Mat3<T>& b) {
  Mat3<T> c, out;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) c[i][j] = T(a[i].x) * b[0][j] + T(a[i].y) * b[1][j] + T(a[i].z) * b[2][j];
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j <= i; ++j) out[i][j] = out[j][i] = c[i].x * T(a[j].x) + c[i].y * T(a[j].y) + c[i].z * T(a[j].z);
  return out;
}
template <class T>
ALEATOR_HD T trace(const Mat3<T>& a) {
  return a[0].x + a[1].y + a[2].z;
}
// a bᵀ
template <class T>
ALEATOR_HD Mat3<T> outer(const Vec3<T>& a, const Vec3<T>& b) {
  return {{a.x * b, a.y * b, a.z * b}};
}
// a~ with a~ b = a × b
template <class T>
ALEATOR_HD Mat3<T> skew(const Vec3<T>& a) {
  const T o(0);
  return {{{o, -a.z, a.y}, {a.z, o, -a.x}, {-a.y, a.x, o}}};
}

}  // namespace aleator::core
