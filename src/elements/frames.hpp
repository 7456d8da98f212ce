// What moves, as elements see it: the frames of bodies and of markers, and what elements give back: wrenches,
// and their derivatives. All vectors in inertial axes unless a name says otherwise.
//
// A marker is a point and a set of axes fixed to a body: offset ρ from the centre of mass and axes A, both in body axes;
//   p = x + R ρ,   R_m = R A,   v_p = v + ω × Rρ,   p̈ = ẍ + α × Rρ + ω × (ω × Rρ).
// A small motion of a body is (δx, δφ) with R → exp(δφ~) R; of a marker (δp, δφ), δp = δx + δφ × Rρ.
#pragma once

#include "numerics/rotation.hpp"
#include "numerics/vec3.hpp"

namespace aleator::core {

template <class T>
struct BodyFrame {
  Vec3<T> x;      // centre of mass
  Mat3<T> R;      // body axes → inertial axes
  Vec3<T> v;      // velocity of the centre of mass
  Vec3<T> omega;  // angular velocity in body axes
  Vec3<T> w;      // the same in inertial axes
};

template <class T>
struct MarkerFrame {
  Vec3<T> p;      // position
  Mat3<T> R;      // marker axes → inertial axes
  Vec3<T> v;      // velocity of the point
  Vec3<T> w;      // angular velocity
  Vec3<T> a;      // ω × (ω × Rρ): acceleration of the point when the body's accelerations are zero
  Vec3<T> arm;    // Rρ
  Vec3<T> alpha;  // angular acceleration then: zero on a rigid body
};

// Numbers of a marker in a realization.
template <class T>
struct MarkerParameters {
  Vec3<T> offset;  // ρ, body axes
  Mat3<T> axes;    // A, body axes
};

template <class T>
struct Wrench {
  Vec3<T> F;
  Vec3<T> M;  // about the marker's point, or the body's centre of mass
};

// The wrenches of an element on its two markers, and the gradient of a scalar with respect to two markers (same shape:
// δg = Fa·δpa + Ma·δφa + Fb·δpb + Mb·δφb).
template <class T>
struct PairWrench {
  Wrench<T> a, b;
};

// Derivatives of a PairWrench: rows (Fa, Ma, Fb, Mb); columns (δpa, δφa, δpb, δφb) for K, the corresponding velocities
// (va, ωa, vb, ωb) for C.
template <class T>
struct PairTangent {
  Mat3<T> K[4][4];
  Mat3<T> C[4][4];
};

// A scalar function of two markers: value, gradient, and what its second derivative in time is when all accelerations
// of the bodies vanish.
template <class T>
struct PairScalar {
  T value = T(0);
  PairWrench<T> gradient;
  T bias = T(0);
};

// Lanes in which an element could not do its work (a collapsed spring, say). The driver decides what to do about them.
template <class T>
struct Status {
  typename ScalarTraits<T>::Mask failed{};
  ALEATOR_HD void flag(const typename ScalarTraits<T>::Mask& m) { failed = failed | m; }
};

template <class T>
ALEATOR_HD MarkerFrame<T> marker_frame(const BodyFrame<T>& body, const MarkerParameters<T>& m) {
  const Vec3<T> arm = body.R * m.offset;
  const Vec3<T> turning = cross(body.w, arm);
  return {body.x + arm, body.R * m.axes, body.v + turning, body.w, cross(body.w, turning), arm, {}};
}

// Rate of a scalar along the motion: gradient · (va, ωa, vb, ωb).
template <class T>
ALEATOR_HD T rate(const PairWrench<T>& g, const MarkerFrame<T>& a, const MarkerFrame<T>& b) {
  return dot(g.a.F, a.v) + dot(g.a.M, a.w) + dot(g.b.F, b.v) + dot(g.b.M, b.w);
}

}  // namespace aleator::core
