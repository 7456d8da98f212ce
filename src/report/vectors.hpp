// Vectors, quaternions (w first) and frames, as far as drawing needs them.
#pragma once

#include <array>
#include <cmath>

namespace aleator::core::report {

using Vector = std::array<double, 3>;
using Quaternion = std::array<double, 4>;

inline Vector operator+(const Vector& a, const Vector& b) { return {a[0] + b[0], a[1] + b[1], a[2] + b[2]}; }
inline Vector operator-(const Vector& a, const Vector& b) { return {a[0] - b[0], a[1] - b[1], a[2] - b[2]}; }
inline Vector operator*(double s, const Vector& a) { return {s * a[0], s * a[1], s * a[2]}; }
inline double dot(const Vector& a, const Vector& b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }
inline double norm(const Vector& a) { return std::sqrt(dot(a, a)); }
inline Vector cross(const Vector& a, const Vector& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}

// v turned by q:  v + 2 w (u × v) + 2 u × (u × v),  q = (w, u)
inline Vector rotated(const Quaternion& q, const Vector& v) {
  const Vector u = {q[1], q[2], q[3]}, uv = cross(u, v);
  return v + 2 * q[0] * uv + 2 * cross(u, uv);
}

// Where something is and how it is turned: its axes x, y, z = x × y are unit vectors.
struct Frame {
  Vector origin{};
  Vector x{1, 0, 0}, y{0, 1, 0}, z{0, 0, 1};

  Vector point(const Vector& local) const { return origin + direction(local); }
  Vector direction(const Vector& local) const { return local[0] * x + local[1] * y + local[2] * z; }
};

// `pose`: x y z qw qx qy qz. The quaternion need not be of length one to the last bit.
inline Frame frame_of(const double* pose) {
  Quaternion q = {pose[3], pose[4], pose[5], pose[6]};
  const double length = std::sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
  for (double& c : q) c /= length;
  return {{pose[0], pose[1], pose[2]}, rotated(q, {1, 0, 0}), rotated(q, {0, 1, 0}), rotated(q, {0, 0, 1})};
}

// Of the axes of a frame, from its largest component, which is well away from zero (Shepperd 1978).
inline Quaternion quaternion_of(const Frame& f) {
  const double xx = f.x[0], yy = f.y[1], zz = f.z[2];
  Quaternion q = {1 + xx + yy + zz, f.y[2] - f.z[1], f.z[0] - f.x[2], f.x[1] - f.y[0]};
  if (xx >= yy && xx >= zz && xx > xx + yy + zz) q = {f.y[2] - f.z[1], 1 + xx - yy - zz, f.x[1] + f.y[0], f.z[0] + f.x[2]};
  if (yy > xx && yy >= zz && yy > xx + yy + zz) q = {f.z[0] - f.x[2], f.x[1] + f.y[0], 1 + yy - zz - xx, f.y[2] + f.z[1]};
  if (zz > xx && zz > yy && zz > xx + yy + zz) q = {f.x[1] - f.y[0], f.z[0] + f.x[2], f.y[2] + f.z[1], 1 + zz - xx - yy};
  const double length = std::sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
  for (double& c : q) c /= length;
  return q;
}

}  // namespace aleator::core::report
