// Rigid body: position of the centre of mass, orientation as a unit quaternion, velocity, angular velocity in body axes.
//   m ẍ = F,   J Ω̇ + Ω × JΩ = Rᵀ M   (J about the centre of mass, body axes: constant)
#pragma once

#include "elements/frames.hpp"

namespace aleator::core {

struct RigidBody {
  static constexpr int positions = 7;   // x y z qw qx qy qz
  static constexpr int velocities = 6;  // vx vy vz Ωx Ωy Ωz

  template <class T>
  struct Parameters {
    T mass;
    Mat3<T> inertia;  // about the centre of mass, body axes
  };

  template <class T>
  ALEATOR_HD static Quaternion<T> orientation(const T* q) {
    return {q[3], {q[4], q[5], q[6]}};
  }

  template <class T>
  ALEATOR_HD static BodyFrame<T> frame(const T* q, const T* v) {
    const Mat3<T> R = rotation_matrix(orientation(q));
    const Vec3<T> omega = {v[3], v[4], v[5]};
    return {{q[0], q[1], q[2]}, R, {v[0], v[1], v[2]}, omega, R * omega};
  }

  // q ∘ exp(step): the motion by `step` (translation in inertial axes, rotation vector in body axes)
  template <class T>
  ALEATOR_HD static void move(const T* q, const T* step, T* out) {
    for (int i = 0; i < 3; ++i) out[i] = q[i] + step[i];
    const Quaternion<T> turned = normalized(orientation(q) * step_exponential(Vec3<T>{step[3], step[4], step[5]}));
    out[3] = turned.w;
    for (int i = 0; i < 3; ++i) out[4 + i] = turned.v[i];
  }

  template <class T>
  ALEATOR_HD static void normalize(T* q) {
    const Quaternion<T> n = normalized(orientation(q));
    q[3] = n.w, q[4] = n.v.x, q[5] = n.v.y, q[6] = n.v.z;
  }

  // q̇ as a plain vector of seven: quaternion rate ½ q ∘ (0, Ω)
  template <class T>
  ALEATOR_HD static void derivative(const T* q, const T* v, T* out) {
    for (int i = 0; i < 3; ++i) out[i] = v[i];
    const Quaternion<T> d = orientation(q) * Quaternion<T>{T(0), {T(0.5) * v[3], T(0.5) * v[4], T(0.5) * v[5]}};
    out[3] = d.w;
    for (int i = 0; i < 3; ++i) out[4 + i] = d.v[i];
  }

  // J − J_kk: when k is an axis whose moment of inertia another axis shares, little is left of the inertia of a body of revolution.
  template <class T>
  ALEATOR_HD static Mat3<T> deviation(const Mat3<T>& J, int k) {
    Mat3<T> out = J;
    for (int i = 0; i < 3; ++i) out[i][i] = J[i][i] - J[k][k];
    return out;
  }
  // Ω × JΩ
  template <class T>
  ALEATOR_HD static Vec3<T> gyroscopic(const Mat3<T>& J, int k, const Vec3<T>& omega) {
    return cross(omega, deviation(J, k) * omega);
  }
  // R J Rᵀ
  template <class T>
  ALEATOR_HD static Mat3<T> turned_inertia(const Mat3<T>& R, const Mat3<T>& J, int k) {
    const Mat3<T> less = deviation(J, k);
    const Mat3<T> N = less * transpose(R);
    Mat3<T> out;
    for (int i = 0; i < 3; ++i)
      for (int j = i; j < 3; ++j) {
        T sum = R[i].x * N[0][j] + R[i].y * N[1][j] + R[i].z * N[2][j];
        if (i == j) sum += J[k][k];
        out[i][j] = out[j][i] = sum;
      }
    return out;
  }

  template <class T>
  ALEATOR_HD static T kinetic_energy(const Parameters<T>& p, const BodyFrame<T>& f) {
    return T(0.5) * (p.mass * dot(f.v, f.v) + dot(f.omega, p.inertia * f.omega));
  }
};

}  // namespace aleator::core
