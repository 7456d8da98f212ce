// Rotations: unit quaternions (w first) and rotation vectors.
//   exp(θ) = [cos(|θ|/2), sin(|θ|/2) θ/|θ|],  R(q) takes body axes to inertial axes.
// A small body-fixed rotation δθ changes R to R exp(δθ~).
#pragma once

#include <initializer_list>

#include "numerics/vec3.hpp"

namespace aleator::core {

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

// R(q) v without the matrix:  v + 2 w (u × v) + 2 u × (u × v),  q = (w, u)
template <class T>
ALEATOR_HD Vec3<T> rotated(const Quaternion<T>& q, const Vec3<T>& v) {
  const T two(2);
  const Vec3<T> uv = cross(q.v, v);
  return v + two * q.w * uv + two * cross(q.v, uv);
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
// (1 − (x/2) cot(x/2)) / x², the coefficient of θ~² in the inverse tangent operator, and its derivative with respect to x². Without its
// first pole, at x = 2π, it is a quickly converging series, P(x²) = Σ 2 (ζ(2k) − ζ(2k−2)) (x/2π)^(2k−2), to round-off for |x| ≤ π.
template <class T>
struct CotCoefficient {
  T value, slope;
};
template <class T>
ALEATOR_HD CotCoefficient<T> cot_coefficient_with_slope(const T& x2) {
  constexpr double series[] = {3.289868133696453,      -0.028502197771725784,   -8.338566123156632e-05, -4.312023773500046e-07,
                               -2.538246127832674e-09, -1.5610488274870565e-11, -9.764810481082756e-14, -6.151023361807817e-16,
                               -3.886197593634541e-18, -2.4584645791332435e-20, -1.556142148044221e-22, -9.85242576942592e-25,
                               -6.238571112979254e-27};
  T p(series[12]), slope(0);
  for (int k = 11; k >= 0; --k) {
    slope = multiply_add(slope, x2, p);
    p = multiply_add(p, x2, T(series[k]));
  }
  const T inverse = T(1) / (T(39.47841760435743) - x2);  // 4π²
  const T value = p * inverse;
  return {value, (slope + value) * inverse};
}
template <class T>
ALEATOR_HD T cot_coefficient(const T& x2) {
  return cot_coefficient_with_slope(x2).value;
}
template <class T>
ALEATOR_HD T cot_coefficient_slope(const T& x2) {
  return cot_coefficient_with_slope(x2).slope;
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

// The same for the turn of one step, |θ| ≤ 6, by series of |θ|²/4: no function of the C library, so that lanes stay together.
template <class T>
ALEATOR_HD Quaternion<T> step_exponential(const Vec3<T>& theta) {
  constexpr double cosine[] = {1.0,
                               -0.5,
                               0.041666666666666664,
                               -0.001388888888888889,
                               2.48015873015873e-05,
                               -2.755731922398589e-07,
                               2.08767569878681e-09,
                               -1.1470745597729725e-11,
                               4.779477332387385e-14,
                               -1.5619206968586225e-16,
                               4.110317623312165e-19,
                               -8.896791392450574e-22,
                               1.6117375710961184e-24,
                               -2.4795962632247976e-27,
                               3.279889237069838e-30};
  constexpr double sinc[] = {1.0,
                             -0.16666666666666666,
                             0.008333333333333333,
                             -0.0001984126984126984,
                             2.7557319223985893e-06,
                             -2.505210838544172e-08,
                             1.6059043836821613e-10,
                             -7.647163731819816e-13,
                             2.8114572543455206e-15,
                             -8.22063524662433e-18,
                             1.9572941063391263e-20,
                             -3.868170170630684e-23,
                             6.446950284384474e-26,
                             -9.183689863795546e-29,
                             1.1309962886447716e-31};
  const T x2 = T(0.25) * dot(theta, theta);
  T c(cosine[14]), s(sinc[14]);
  for (int n = 13; n >= 0; --n) {
    c = multiply_add(c, x2, T(cosine[n]));
    s = multiply_add(s, x2, T(sinc[n]));
  }
  return {c, T(0.5) * s * theta};
}

// atan(√s)/√s for 0 ≤ s ≤ 1, to round-off: Chebyshev's series, as a polynomial of 2s − 1.
template <class T>
ALEATOR_HD T atan_ratio(const T& s) {
  constexpr double c[] = {0.8704197513671031,    -0.10187654235021819,    0.020851851207107995,   -0.005030863660250188,
                          0.0013155859496333734, -0.00036098208705173814, 0.00010227656107178913, -2.9650040743787852e-05,
                          8.744939003408735e-06, -2.614072586979947e-06,  7.898630221786108e-07,  -2.407998906962075e-07,
                          7.39496368005974e-08,  -2.2805845621452853e-08, 7.0806150516040426e-09, -2.268506442651753e-09,
                          7.146663335684404e-10, -1.782766787902618e-10,  5.448573613505836e-11,  -3.790552213236536e-11,
                          1.2378289303644325e-11};
  const T y = T(2) * s - T(1), z = y * y;
  T even(c[20]), odd(c[19]);  // two sums that do not wait for each other
  for (int k = 18; k >= 0; k -= 2) even = multiply_add(even, z, T(c[k]));
  for (int k = 17; k >= 1; k -= 2) odd = multiply_add(odd, z, T(c[k]));
  return multiply_add(odd, y, even);
}

// The rotation vector of a rotation matrix, |θ| < π:  s = sin|θ| n = ½ vee(R − Rᵀ),  c = cos|θ| = (tr R − 1)/2. With y = |s|/(1 + |c|) the
// angle is 2 atan y, or π less that when c < 0. No function of the C library, so that lanes stay together.
template <class T>
ALEATOR_HD Vec3<T> rotation_vector(const Mat3<T>& R) {
  const T half(0.5);
  const Vec3<T> s = {half * (R[2].y - R[1].z), half * (R[0].z - R[2].x), half * (R[1].x - R[0].y)};
  const T c = half * (trace(R) - T(1));
  const T s2 = dot(s, s), scale = T(1) / (T(1) + abs(c));
  const T near = T(2) * scale * atan_ratio(s2 * scale * scale);  // 2 atan(y) / |s|
  const auto far = c < T(0);
  const T n = sqrt(select(far & (s2 > T(1e-300)), s2, T(1)));
  return select(far, T(3.14159265358979323846) / n - near, near) * s;
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

}  // namespace aleator::core
