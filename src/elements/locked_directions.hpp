// Locked directions between two markers: every lower-pair joint, with or without prescribed motion, is this kernel.
//   translation along axis i of a:   g = a_i·(p_b − p_a) − u(t)
//   rotation:                        g = a'_j·b'_k,   a' = the axes of a turned by prescribed angles, b' likewise
// When all translations (in the plane both) are locked and none is prescribed the points coincide, and the rows are those of
// p_b − p_a in inertial axes: constant, without curvature, and linear in the coordinates of ANCF nodes.
//
// a' = R_a Π R_axis(θ(t)) turns at w' = ω_a + Σ θ̇ z, and at zero accelerations of the body ẇ' = Σ (θ̈ z + θ̇ w_before × z);
//   ä' = ẇ'×a' + w'×(w'×a').
#pragma once

#include "elements/coordinate.hpp"
#include "elements/kernel.hpp"

namespace aleator::core {

struct LockedDirections {
  struct Topology {
    int a, b;
    int row, gradient;                 // first of its rows; gradients 2 per row
    int translations;                  // number of locked translations
    int coincident;                    // 1: all of them, in inertial axes
    int axis[3], signal[3];            // axis of a (inertial when coincident), prescribed displacement (−1: none)
    int rotations;                     // number of locked rotations
    int of_a[3], of_b[3];              // the axes whose product vanishes
    int turns_a, turns_b;              // prescribed rotations of the axes of a, of b
    int turn_axis[4], turn_signal[4];  // those of a first, then those of b
  };
  template <class T>
  struct Parameters {};
  static constexpr int pairs = 1;
  static constexpr bool is_force = false;
  static void marker_pairs(const Topology& t, MarkerPair* out) { out[0] = {t.a, t.b}; }
  static MarkerPair markers(const Topology& t) { return {t.a, t.b}; }
  // Points that coincide and nothing else: the rows are constant, the joint pulls with forces alone.
  static bool only_forces(const Topology& t) { return t.coincident != 0 && t.rotations == 0; }
  template <class T>
  ALEATOR_HD static Vec3<T> pull(const Topology& t, const T* lambda) {
    Vec3<T> F;
    for (int k = 0; k < t.translations; ++k) F[t.axis[k]] -= lambda[t.row + k];
    return F;
  }
  static int rows(const Topology& t) { return t.translations + t.rotations; }
  static JointRows joint_rows(const Topology& t) { return {t.a, t.b, t.row, rows(t)}; }

  template <class T>
  ALEATOR_HD static void joint_space(const Topology& t, const Evaluation<T>& e, int normal, JointSpace<T>& out) {
    out.frees = out.locks = 0;
    out.apart = t.coincident == 0;
    const MarkerFrame<T>&A = e.marker[t.a], &B = e.marker[t.b];
    if (out.apart) out.distance = B.p - A.p;
    bool locked[3] = {};
    for (int k = 0; k < t.translations; ++k) {
      locked[t.axis[k]] = true;
      out.set_lock(t.row + k, false, e.gradient[t.gradient + 2 * k + 1].F);
    }
    for (int i = 0; i < 3 && out.apart; ++i)
      if (!locked[i] && i != normal) out.set_free(false, A.R.column(i));
    const Wrench<T>* const of_b = e.gradient + t.gradient + 2 * t.translations + 1;  // every second one
    if (normal >= 0)
      planar_turns(t, normal, of_b, out);
    else
      turns(t, A, B, of_b, out);
  }
  template <class T>
  ALEATOR_HD static void planar_turns(const Topology& t, int normal, const Wrench<T>* of_b, JointSpace<T>& out) {
    if (t.rotations == 0) return out.set_free(true, normal);
    Vec3<T> by;
    by[normal] = T(1) / of_b[0].M[normal];
    out.set_lock(t.row + t.translations, true, by);
  }
  // Gradients with respect to b are −a×b for a row a·b. What rows give is dual to them.
  template <class T>
  ALEATOR_HD static void turns(const Topology& t, const MarkerFrame<T>& A, const MarkerFrame<T>& B, const Wrench<T>* of_b,
                               JointSpace<T>& out) {
    const int row = t.row + t.translations;
    const auto gradient = [&](int k) { return of_b[2 * k].M; };
    if (t.rotations == 0) {
      for (int i = 0; i < 3; ++i) out.set_free(true, i);
    } else if (t.rotations == 1) {  // a_i·b_j: free about both
      const Vec3<T> g = gradient(0);
      out.set_free(true, A.R.column(t.of_a[0])), out.set_free(true, B.R.column(t.of_b[0]));
      out.set_lock(row, true, (T(1) / dot(g, g)) * g);
    } else if (t.rotations == 2 && t.of_b[0] == t.of_b[1] && t.turns_a + t.turns_b == 0) {
      // a_i·b_n, a_j·b_n with gradients b_n×a_i, b_n×a_j: free about b_n, and of what is along it no row knows
      const int i = t.of_a[0], j = t.of_a[1], n = t.of_b[0];
      const T cyclic((j - i + 3) % 3 == 1 ? 1 : -1);
      const T scale = cyclic / dot(A.R.column(n), B.R.column(n));
      out.set_free(true, B.R.column(n));
      out.set_lock(row, true, scale * A.R.column(j));
      out.set_lock(row + 1, true, -scale * A.R.column(i));
    } else if (t.rotations == 2) {
      const Vec3<T> g = gradient(0), h = gradient(1), free = cross(g, h);
      const T scale = T(1) / dot(free, free);
      out.set_free(true, free);
      out.set_lock(row, true, scale * cross(h, free));
      out.set_lock(row + 1, true, scale * cross(free, g));
    } else {
      const Vec3<T> g[3] = {gradient(0), gradient(1), gradient(2)};
      const Vec3<T> c[3] = {cross(g[1], g[2]), cross(g[2], g[0]), cross(g[0], g[1])};
      const T scale = T(1) / dot(g[0], c[0]);
      for (int k = 0; k < 3; ++k) out.set_lock(row + k, true, scale * c[k]);
    }
  }

  // Axes that turn relative to a marker in a prescribed way.
  template <class T>
  struct Turned {
    Mat3<T> R;
    Vec3<T> w;    // angular velocity of the turned axes
    Vec3<T> own;  // the prescribed part of w
    Vec3<T> dw;   // their angular acceleration when the body's is zero
  };

  template <class T>
  ALEATOR_HD static Turned<T> turned(const MarkerFrame<T>& m, const Evaluation<T>& e, const int* axis, const int* signal,
                                     int count, const T& sign) {
    Turned<T> f{m.R, m.w, {}, {}};
    for (int k = 0; k < count; ++k) {
      const Jet<T>& s = e.signal[signal[k]];
      const int n = axis[k], i = (n + 1) % 3, j = (n + 2) % 3;
      const Vec3<T> z = f.R.column(n), x = f.R.column(i), y = f.R.column(j);
      const T rate_k = sign * s.d1;
      f.dw += (sign * s.d2) * z + rate_k * cross(f.w, z);
      f.w += rate_k * z;
      f.own += rate_k * z;
      const T c = cos(s.f), sn = sign * sin(s.f);
      const Vec3<T> x1 = c * x + sn * y, y1 = c * y - sn * x;
      for (int r = 0; r < 3; ++r) f.R[r][i] = x1[r], f.R[r][j] = y1[r];
    }
    return f;
  }

  template <class T>
  ALEATOR_HD static Turned<T> turned_a(const Topology& t, const Evaluation<T>& e) {
    return turned(e.marker[t.a], e, t.turn_axis, t.turn_signal, t.turns_a, T(1));
  }
  template <class T>
  ALEATOR_HD static Turned<T> turned_b(const Topology& t, const Evaluation<T>& e) {
    return turned(e.marker[t.b], e, t.turn_axis + t.turns_a, t.turn_signal + t.turns_a, t.turns_b, T(-1));
  }

  template <class T>
  ALEATOR_HD static void constrain(const Topology& t, const Parameters<T>&, Evaluation<T>& e) {
    int row = t.row, g = t.gradient;
    for (int k = 0; k < t.translations; ++k, ++row, g += 2) translation(t, k, row, g, e);
    if (t.rotations == 0) return;
    const Turned<T> A = turned_a(t, e), B = turned_b(t, e);
    for (int k = 0; k < t.rotations; ++k, ++row, g += 2) {
      const Vec3<T> a = A.R.column(t.of_a[k]), b = B.R.column(t.of_b[k]);
      PairScalar<T> s = product(a, A.w, b, B.w);
      s.bias += dot(cross(A.dw, a), b) + dot(a, cross(B.dw, b));
      e.set_row(row, g, t.a, t.b, s);
      e.drift[row] = dot(A.own - B.own, s.gradient.a.M);
    }
  }

  template <class T>
  ALEATOR_HD static void translation(const Topology& t, int k, int row, int g, Evaluation<T>& e) {
    const MarkerFrame<T>&A = e.marker[t.a], &B = e.marker[t.b];
    if (t.coincident != 0) {
      PairScalar<T> s;
      const int i = t.axis[k];
      s.value = B.p[i] - A.p[i];
      s.gradient.a.F[i] = T(-1);
      s.gradient.b.F[i] = T(1);
      return e.set_row(row, g, t.a, t.b, s);
    }
    e.set_row(row, g, t.a, t.b, projection(A.R.column(t.axis[k]), A, B));
    if (t.signal[k] >= 0) {
      const Jet<T>& u = e.signal[t.signal[k]];
      e.residual[row] -= u.f;
      e.drift[row] -= u.d1;
      e.bias[row] -= u.d2;
    }
  }

  template <class T>
  ALEATOR_HD static void constraint_tangent(const Topology& t, const Parameters<T>&, const Evaluation<T>& e, const T* lambda,
                                            PairTangent<T>* d, PairWrench<T>* w) {
    const MarkerFrame<T>&A = e.marker[t.a], &B = e.marker[t.b];
    const T* l = lambda + t.row;
    Vec3<T> F;  // Σ −λ a: the force on b
    for (int k = 0; k < t.translations; ++k) {
      if (t.coincident != 0)
        F[t.axis[k]] -= l[k];
      else
        F -= l[k] * A.R.column(t.axis[k]);
    }
    const Vec3<T> r = B.p - A.p;
    w->a.F = -F;
    w->b.F = F;
    if (t.coincident == 0 && t.translations > 0) {
      w->a.M = cross(F, r);
      add_projection_curvature(F, r, *d);
    }
    if (t.rotations == 0) return;
    const Turned<T> TA = turned_a(t, e), TB = turned_b(t, e);
    for (int k = 0; k < t.rotations; ++k) {
      const Vec3<T> a = TA.R.column(t.of_a[k]), b = TB.R.column(t.of_b[k]);
      const T scale = -l[t.translations + k];
      const Vec3<T> M = scale * cross(a, b);
      w->a.M += M;
      w->b.M -= M;
      add_product_curvature(a, b, scale, *d);
    }
  }
};

extern const Kernel locked_directions_kernel;

}  // namespace aleator::core
