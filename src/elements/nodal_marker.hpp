// Markers on ANCF nodes: a point and axes of a beam's cross-section, or of a body described by a reference node.
//   p = Σ s_k e_k,   u = Σ c_k e_k,   w = Σ d_k e_k  (or a fixed vector)
// over the vectors e_k of one or two nodes. u and w are two directors; the axes are
//   a₂ = u/|u|,   a₃ = (w − (w·a₂) a₂)/α,   a₁ = a₂ × a₃,      α = a₃·w,   β = a₂·w,
// and turn by   δφ = B_u δu + B_w δw,   B_u = (a₂~ − (β/α) a₂ a₁ᵀ)/|u|,   B_w = a₂ a₁ᵀ/α.
// In the plane u is the director of the section (the tangent of a cable) and w the normal, which does not move.
#pragma once

#include "elements/frames.hpp"

namespace aleator::core {

struct NodalTopology {
  static constexpr int most = 4;  // carriers
  int carrier[most];
  int count;   // of carriers; vectors are two per carrier
  int framed;  // 0: it has a place but no axes (a point of a cable in space)

  bool operator==(const NodalTopology&) const = default;
};

template <class T>
struct NodalParameters {
  T s[2 * NodalTopology::most];  // weights of the vectors in the place …
  T c[2 * NodalTopology::most];  // … in u …
  T d[2 * NodalTopology::most];  // … and in w
  Vec3<T> fixed;                 // added to w
  Mat3<T> axes;                  // of the marker, in the axes a
};

// u, w and what follows from them.
template <class T>
struct Directors {
  Vec3<T> a1, a2, a3;
  T length, alpha, beta;  // |u|, α, β
  Mat3<T> Bu, Bw;
  Vec3<T> du, dw;  // rates of u and w

  // A change of the directors by (δu, δw).
  struct Change {
    Vec3<T> turn;  // δφ
    T length, alpha, beta;
  };
  ALEATOR_HD Change change(const Vec3<T>& u, const Vec3<T>& w) const {
    Change x;
    x.turn = Bu * u + Bw * w;
    const T tilt = dot(a1, x.turn);
    x.length = dot(a2, u);
    x.alpha = dot(a3, w) - beta * tilt;
    x.beta = dot(a2, w) + alpha * tilt;
    return x;
  }

  // The change of B_u x + B_w y.
  ALEATOR_HD Vec3<T> change_of_turn(const Change& by, const Vec3<T>& x, const Vec3<T>& y) const {
    const Vec3<T> d1 = cross(by.turn, a1), d2 = cross(by.turn, a2);
    const T ratio = beta / alpha, d_ratio = (by.beta - ratio * by.alpha) / alpha;
    const T along = dot(a1, x), d_along = dot(d1, x);
    const T of_y = dot(a1, y) / alpha, d_of_y = (dot(d1, y) - of_y * by.alpha) / alpha;
    const Vec3<T> sum = cross(a2, x) - (ratio * along) * a2;
    const Vec3<T> d_sum = cross(d2, x) - (d_ratio * along + ratio * d_along) * a2 - (ratio * along) * d2;
    return (T(1) / length) * (d_sum - (by.length / length) * sum) + d_of_y * a2 + of_y * d2;
  }

  // The change of (B_uᵀ M, B_wᵀ M).
  struct Pair {
    Vec3<T> u, w;
  };
  ALEATOR_HD Pair change_of_moment(const Change& by, const Vec3<T>& M) const {
    const Vec3<T> d1 = cross(by.turn, a1), d2 = cross(by.turn, a2);
    const T ratio = beta / alpha, d_ratio = (by.beta - ratio * by.alpha) / alpha;
    const T about = dot(a2, M), d_about = dot(d2, M);
    const Vec3<T> sum = cross(M, a2) - (ratio * about) * a1;
    const Vec3<T> d_sum = cross(M, d2) - (d_ratio * about + ratio * d_about) * a1 - (ratio * about) * d1;
    Pair p;
    p.u = (T(1) / length) * (d_sum - (by.length / length) * sum);
    p.w = (T(1) / alpha) * ((d_about - about * by.alpha / alpha) * a1 + about * d1);
    return p;
  }
};

template <class T>
ALEATOR_HD Directors<T> directors(const Vec3<T>& u, const Vec3<T>& w, const Vec3<T>& du, const Vec3<T>& dw, Status<T>& status) {
  Directors<T> f;
  f.length = norm(u);
  const auto collapsed = !(f.length > T(1e-9));
  f.length = select(collapsed, T(1), f.length);
  f.a2 = (T(1) / f.length) * u;
  f.beta = dot(w, f.a2);
  const Vec3<T> rest = w - f.beta * f.a2;
  f.alpha = norm(rest);
  const auto flat = !(f.alpha > T(1e-9));
  status.flag(collapsed | flat);
  f.alpha = select(flat, T(1), f.alpha);
  f.a3 = (T(1) / f.alpha) * rest;
  f.a1 = cross(f.a2, f.a3);
  const Mat3<T> across = outer(f.a2, f.a1);
  f.Bu = (T(1) / f.length) * (skew(f.a2) - (f.beta / f.alpha) * across);
  f.Bw = (T(1) / f.alpha) * across;
  f.du = du, f.dw = dw;
  return f;
}

// q and v: positions (7 per carrier) and velocities (6 per carrier) of the state.
template <class T>
ALEATOR_HD MarkerFrame<T> nodal_frame(const NodalTopology& t, const NodalParameters<T>& p, const T* q, const T* v,
                                      Directors<T>& f, Status<T>& status) {
  Vec3<T> place, velocity, u, w = p.fixed, du, dw;
  for (int k = 0; k < 2 * t.count; ++k) {
    const T* e = q + 7 * t.carrier[k / 2] + 3 * (k % 2);
    const T* r = v + 6 * t.carrier[k / 2] + 3 * (k % 2);
    const Vec3<T> x = {e[0], e[1], e[2]}, y = {r[0], r[1], r[2]};
    place += p.s[k] * x, velocity += p.s[k] * y;
    if (t.framed == 0) continue;
    u += p.c[k] * x, du += p.c[k] * y;
    w += p.d[k] * x, dw += p.d[k] * y;
  }
  MarkerFrame<T> m;
  m.p = place, m.v = velocity;
  m.R = p.axes;
  if (t.framed == 0) return m;
  f = directors(u, w, du, dw, status);
  m.R = transpose(Mat3<T>{{f.a1, f.a2, f.a3}}) * p.axes;
  const auto turning = f.change(du, dw);
  m.w = turning.turn;
  m.alpha = f.change_of_turn(turning, du, dw);
  return m;
}

}  // namespace aleator::core
