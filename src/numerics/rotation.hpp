// Rotations: unit quaternions (w first) and rotation vectors.
//   exp(θ) = [cos(|θ|/2), sin(|θ|/2) θ/|θ|],  R(q) takes body axes to inertial axes.
// A small body-fixed rotation δθ changes R to R exp(δθ~).
#pragma once

#include "numerics/vec3.hpp"

namespace aleator {

template <class T>
struct Quaternion {
  T w = T(1);
  Vec3<T> v;
};

template <class T>
ALEATOR_HD Quaternion<T> operator*(const Quaternion<T>& a, const Quaternion<T>& b) {
  return {a.w * b.w - dot(a.v, b.v), a.w * b.v + b.w * a.v + cross(a.v, b.v)};
}

template <class T>
ALEATOR_HD Quaternion<T> normalized(const Quaternion<T>& q) {
  const T s = T(1) / sqrt(q.w * q.w + dot(q.v, q.v));
  return {s * q.w, s * q.v};
}

template <class T>
ALEATOR_HD Mat3<T> rotation_matrix(const Quaternion<T>& q) {
  const T two(2), one(1);
  const T x = q.v.x, y = q.v.y, z = q.v.z, w = q.w;
  return {{{one - two * (y * y + z * z), two * (x * y - w * z), two * (x * z + w * y)},
           {two * (x * y + w * z), one - two * (x * x + z * z), two * (y * z - w * x)},
           {two * (x * z - w * y), two * (y * z + w * x), one - two * (x * x + y * y)}}};
}

// The quaternion of a rotation matrix, w ≥ 0: the largest of the four squares is divided by.
template <class T>
ALEATOR_HD Quaternion<T> quaternion_of(const Mat3<T>& R) {
  const T one(1), q(0.25), o(0);
  const T w2 = q * (one + R[0].x + R[1].y + R[2].z), x2 = q * (one + R[0].x - R[1].y - R[2].z);
  const T y2 = q * (one - R[0].x + R[1].y - R[2].z), z2 = q * (one - R[0].x - R[1].y + R[2].z);
  const T wx = q * (R[2].y - R[1].z), wy = q * (R[0].z - R[2].x), wz = q * (R[1].x - R[0].y);
  const T xy = q * (R[0].y + R[1].x), xz = q * (R[0].z + R[2].x), yz = q * (R[1].z + R[2].y);
  const auto use_w = (w2 >= x2) & (w2 >= y2) & (w2 >= z2);
  const auto use_x = (x2 >= y2) & (x2 >= z2);
  const auto use_y = y2 >= z2;
  const T four[4][4] = {{w2, wx, wy, wz}, {wx, x2, xy, xz}, {wy, xy, y2, yz}, {wz, xz, yz, z2}};
  T out[4];
  for (int i = 0; i < 4; ++i)
    out[i] = select(use_w, four[0][i], select(use_x, four[1][i], select(use_y, four[2][i], four[3][i])));
  const T scale = one / sqrt(out[0] * out[0] + out[1] * out[1] + out[2] * out[2] + out[3] * out[3]);
  const T s = select(out[0] < o, -scale, scale);
  return {s * out[0], {s * out[1], s * out[2], s * out[3]}};
}

// sin(x)/x and its relatives, in terms of x²; series below x² = 1e-3, whose first omitted term is below round-off there.
template <class T>
ALEATOR_HD T sinc(const T& x2) {  // sin x / x
  const auto small = x2 < T(1e-3);
  const T x = sqrt(select(small, T(1), x2));
  const T series = T(1) - x2 / T(6) * (T(1) - x2 / T(20) * (T(1) - x2 / T(42) * (T(1) - x2 / T(72))));
  return select(small, series, sin(x) / x);
}
template <class T>
ALEATOR_HD T cosc(const T& x2) {  // (1 − cos x) / x² = ½ sinc²(x/2)
  const T s = sinc(T(0.25) * x2);
  return T(0.5) * s * s;
}
// (1 − sin x / x) / x²
template <class T>
ALEATOR_HD T sinc_remainder(const T& x2) {
  const auto small = x2 < T(0.25);
  T series(1);
  for (const double n : {210.0, 156.0, 110.0, 72.0, 42.0, 20.0}) series = T(1) - x2 * T(1 / n) * series;
  return select(small, T(1.0 / 6) * series, (T(1) - sinc(x2)) / select(small, T(1), x2));
}
// (1 − (x/2) cot(x/2)) / x², the coefficient of θ~² in the inverse tangent operator
template <class T>
ALEATOR_HD T cot_coefficient(const T& x2) {
  const auto small = x2 < T(0.25);
  const T half = T(0.5) * sqrt(select(small, T(1), x2));
  const T series =
      T(1.0 / 12) +
      x2 * (T(1.0 / 720) +
            x2 * (T(1.0 / 30240) + x2 * (T(1.0 / 1209600) + x2 * (T(1.0 / 47900160) + x2 * T(691.0 / 1307674368000.0)))));
  return select(small, series, (T(1) - half * cos(half) / sin(half)) / select(small, T(1), x2));
}
// Its derivative with respect to x².
template <class T>
ALEATOR_HD T cot_coefficient_slope(const T& x2) {
  const auto small = x2 < T(0.25);
  const T y2 = select(small, T(1), x2);
  const T half = T(0.5) * sqrt(y2);
  const T s = sin(half), c = cos(half);
  // d/d(x²) [1/x² − cot(x/2)/(2x)] = −1/x⁴ + cot(x/2)/(4x³) + 1/(8 x² sin²(x/2))
  const T closed = -T(1) / (y2 * y2) + c / (s * T(8) * half * y2) + T(1) / (T(8) * y2 * s * s);
  const T series = T(1.0 / 720) + x2 * (T(2.0 / 30240) +
                                        x2 * (T(3.0 / 1209600) + x2 * (T(4.0 / 47900160) + x2 * T(5 * 691.0 / 1307674368000.0))));
  return select(small, series, closed);
}

template <class T>
ALEATOR_HD Quaternion<T> exponential(const Vec3<T>& theta) {
  const T quarter = T(0.25) * dot(theta, theta);
  const T s = sinc(quarter);  // sin(|θ|/2) / (|θ|/2)
  const auto small = quarter < T(1e-3);
  const T series = T(1) - quarter * T(0.5) * (T(1) - quarter / T(12) * (T(1) - quarter / T(30) * (T(1) - quarter / T(56))));
  const T c = select(small, series, cos(sqrt(select(small, T(1), quarter))));
  return {c, T(0.5) * s * theta};
}

// The rotation vector of a rotation matrix, |θ| < π:  sin|θ| n = ½ vee(R − Rᵀ),  cos|θ| = (tr R − 1)/2.
template <class T>
ALEATOR_HD Vec3<T> rotation_vector(const Mat3<T>& R) {
  const T half(0.5);
  const Vec3<T> s = {half * (R[2].y - R[1].z), half * (R[0].z - R[2].x), half * (R[1].x - R[0].y)};
  const T c = half * (trace(R) - T(1));
  const T s2 = dot(s, s);
  const auto small = (s2 < T(1e-6)) & (c > T(0));
  // asin(x)/x = 1 + x²/6 + 3x⁴/40 + 15x⁶/336 + …
  const T series = T(1) + s2 * (T(1.0 / 6) + s2 * (T(3.0 / 40) + s2 * T(15.0 / 336)));
  const T n = sqrt(select(small, T(1), s2));
  return select(small, series, atan2(n, c) / select(n > T(1e-300), n, T(1))) * s;
}

// T(θ): the body-fixed rotation caused by a change of the rotation vector, δψ = T(θ) δθ for R = exp(θ~):
//   T = I − (1−cos x)/x² θ~ + (1 − sin x / x)/x² θ~².   Its inverse: I + ½ θ~ + c θ~²  (c = cot_coefficient).
template <class T>
ALEATOR_HD Vec3<T> tangent_times(const Vec3<T>& theta, const Vec3<T>& u) {
  const T x2 = dot(theta, theta);
  const Vec3<T> w = cross(theta, u);
  return u - cosc(x2) * w + sinc_remainder(x2) * cross(theta, w);
}
template <class T>
ALEATOR_HD Vec3<T> inverse_tangent_times(const Vec3<T>& theta, const Vec3<T>& u) {
  const T c = cot_coefficient(dot(theta, theta));
  const Vec3<T> w = cross(theta, u);
  return u + T(0.5) * w + c * cross(theta, w);
}
template <class T>
ALEATOR_HD Mat3<T> inverse_tangent(const Vec3<T>& theta) {
  const Mat3<T> s = skew(theta);
  return Mat3<T>::identity() + T(0.5) * s + cot_coefficient(dot(theta, theta)) * (s * s);
}

}  // namespace aleator
