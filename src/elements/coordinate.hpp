// Scalar coordinates between two markers a and b, r = p_b − p_a: what springs act on, gears couple and rods hold.
//   translation:  q = a_i · r               along axis i of a
//   angle:        q = atan2(a_j·b_k, a_l·b_m), counted on over full turns
//   distance:     q = |r|
// with value, gradient, bias (q̈ when all accelerations vanish) and second derivative.
#pragma once

#include "elements/evaluation.hpp"

namespace aleator::core {

struct Coordinate {
  enum Kind { translation, angle, distance };
  int kind;
  int a, b;       // markers
  int axis;       // of a translation
  int sine[2];    // of an angle: axes (of a, of b) whose product is the sine …
  int cosine[2];  // … and the cosine
  int turn;       // of an angle: its slot in State::turns, −1 otherwise
};

// a · b of a vector fixed to marker a and one fixed to marker b.
//   δ(a·b) = (a×b)·(δφa − δφb);   with w = ω_a − ω_b its rate is (a×b)·w, and the rate of that, without angular accelerations,
//   ((ω_a×a)×b + a×(ω_b×b))·w = a·((b×w)×ω_a + (ω_b×b)×w): several a with the same b share the second factor.
template <class T>
ALEATOR_HD PairScalar<T> product(const Vec3<T>& a, const Vec3<T>& wa, const Vec3<T>& b, const Vec3<T>& wb) {
  PairScalar<T> s;
  const Vec3<T> n = cross(a, b), w = wa - wb;
  s.value = dot(a, b);
  s.gradient.a.M = n;
  s.gradient.b.M = -n;
  s.bias = dot(a, cross(cross(b, w), wa) + cross(cross(wb, b), w));
  return s;
}
// K += scale · second derivative of a·b:  δ(a×b) = b~a~ δφa − a~b~ δφb
template <class T>
ALEATOR_HD void add_product_curvature(const Vec3<T>& a, const Vec3<T>& b, const T& scale, PairTangent<T>& t) {
  const Mat3<T> ba = scale * (skew(b) * skew(a)), ab = scale * (skew(a) * skew(b));
  t.K[1][1] += ba;
  t.K[1][3] -= ab;
  t.K[3][1] -= ba;
  t.K[3][3] += ab;
}

// a · (p_b − p_a), a fixed to marker a turning at wa. Without accelerations the second rate is a·(wa × (wa × r − 2ṙ)).
template <class T>
ALEATOR_HD PairScalar<T> projection(const Vec3<T>& a, const MarkerFrame<T>& A, const MarkerFrame<T>& B) {
  PairScalar<T> s;
  const Vec3<T> r = B.p - A.p;
  s.value = dot(a, r);
  s.gradient.a = {-a, cross(a, r)};
  s.gradient.b = {a, {}};
  s.bias = dot(a, cross(A.w, cross(A.w, r) - T(2) * (B.v - A.v)));
  return s;
}
// K += second derivative of F·r for F fixed to marker a (F = Σ scale_i a_i over several directions at once):
//   δF = −F~ δφa;   δ(F×r) = r~F~ δφa + F~ (δp_b − δp_a)
template <class T>
ALEATOR_HD void add_projection_curvature(const Vec3<T>& F, const Vec3<T>& r, PairTangent<T>& t) {
  const Mat3<T> f = skew(F);
  t.K[0][1] += f;
  t.K[2][1] -= f;
  t.K[1][1] += skew(r) * f;
  t.K[1][0] -= f;
  t.K[1][2] += f;
}

template <class T>
ALEATOR_HD PairScalar<T> measure(const Coordinate& c, const Evaluation<T>& e) {
  const MarkerFrame<T>&A = e.marker[c.a], &B = e.marker[c.b];
  if (c.kind == Coordinate::translation) return projection(A.R.column(c.axis), A, B);

  if (c.kind == Coordinate::distance) {
    PairScalar<T> s;
    const Vec3<T> r = B.p - A.p, dr = B.v - A.v;
    const T l = sqrt(dot(r, r));
    const auto collapsed = !(l > T(1e-12));
    e.status->flag(collapsed);
    const T inverse = T(1) / select(collapsed, T(1), l);
    const Vec3<T> n = inverse * r;
    const T along = dot(n, dr);
    s.value = l;
    s.gradient.a.F = -n;
    s.gradient.b.F = n;
    s.bias = inverse * (dot(dr, dr) - along * along);
    return s;
  }

  // φ = atan2(s, c):  δφ = (c δs − s δc)/ρ²,  φ̈ = (c s̈ − s c̈)/ρ² − 2 φ̇ (c ċ + s ṡ)/ρ²,  ρ² = s² + c²
  const PairScalar<T> sine = product(A.R.column(c.sine[0]), A.w, B.R.column(c.sine[1]), B.w);
  const PairScalar<T> cosine = product(A.R.column(c.cosine[0]), A.w, B.R.column(c.cosine[1]), B.w);
  const T scale = T(1) / (sine.value * sine.value + cosine.value * cosine.value);
  const T fs = scale * cosine.value, fc = -scale * sine.value;
  const Vec3<T> w = A.w - B.w;
  const T ds = dot(sine.gradient.a.M, w), dc = dot(cosine.gradient.a.M, w);
  PairScalar<T> s;
  s.gradient.a.M = fs * sine.gradient.a.M + fc * cosine.gradient.a.M;
  s.gradient.b.M = -s.gradient.a.M;
  s.bias = fs * sine.bias + fc * cosine.bias - T(2) * scale * (fs * ds + fc * dc) * (cosine.value * dc + sine.value * ds);
  const T raw = atan2(sine.value, cosine.value);
  const T full(6.283185307179586476925286766559);
  s.value = raw + full * round((e.turn[c.turn] - raw) / full);
  return s;
}

// K += scale · second derivative of the coordinate.
template <class T>
ALEATOR_HD void add_curvature(const Coordinate& c, const Evaluation<T>& e, const T& scale, PairTangent<T>& t) {
  const MarkerFrame<T>&A = e.marker[c.a], &B = e.marker[c.b];
  const Vec3<T> r = B.p - A.p;
  if (c.kind == Coordinate::translation) return add_projection_curvature(scale * A.R.column(c.axis), r, t);

  if (c.kind == Coordinate::distance) {  // δn = (I − n nᵀ)/l (δp_b − δp_a)
    const T l2 = dot(r, r);
    const T inverse = T(1) / sqrt(select(l2 > T(1e-24), l2, T(1)));
    const Vec3<T> n = inverse * r;
    const Mat3<T> H = (scale * inverse) * (Mat3<T>::identity() - outer(n, n));
    t.K[0][0] += H;
    t.K[0][2] -= H;
    t.K[2][0] -= H;
    t.K[2][2] += H;
    return;
  }

  const Vec3<T> sa = A.R.column(c.sine[0]), sb = B.R.column(c.sine[1]);
  const Vec3<T> ca = A.R.column(c.cosine[0]), cb = B.R.column(c.cosine[1]);
  const T s = dot(sa, sb), k = dot(ca, cb);
  const T rho = T(1) / (s * s + k * k);
  add_product_curvature(sa, sb, scale * rho * k, t);
  add_product_curvature(ca, cb, -scale * rho * s, t);
  // φ_ss = −2sc/ρ⁴, φ_cc = 2sc/ρ⁴, φ_sc = (s² − c²)/ρ⁴ on the outer products of the gradients
  const Vec3<T> gs = cross(sa, sb), gc = cross(ca, cb);
  const T ss = -T(2) * s * k * rho * rho * scale, sc = (s * s - k * k) * rho * rho * scale;
  const Mat3<T> H = ss * (outer(gs, gs) - outer(gc, gc)) + sc * (outer(gs, gc) + outer(gc, gs));
  t.K[1][1] += H;
  t.K[1][3] -= H;
  t.K[3][1] -= H;
  t.K[3][3] += H;
}

}  // namespace aleator::core
