// A force law along one coordinate q (see coordinate.hpp): springs, dampers, stops, friction and actuators of joints,
// torsion springs, and springs between points are all this kernel. With x = q − rest, the generalized force is
//   Q = u(t) − s [ k x + S(x) + c q̇ + D(q̇) + preload ] − F_c tanh(q̇ / v_c) + stops,
// s = 0 or 1 where the law is one-sided, S and D tabulated characteristics. A stop at q_s pushes back with
//   k_s d (1 + c_s ḋ)₊,  d = depth ≥ 0  (the factor is cut at 0, so that a stop never pulls).
#pragma once

#include "elements/coordinate.hpp"
#include "elements/kernel.hpp"

namespace aleator::core {

struct CoordinateForce {
  enum Side { both, tension, compression };  // where a one-sided law acts: x > 0, x < 0
  struct Topology {
    Coordinate coordinate;
    int side;
    int signal;                     // of the actuator, −1 for none
    int spring_table, spring_size;  // offset in the pool and number of hinges (−1 = no table)
    int damper_table, damper_size;
    int stops;  // 1 when the law has stops
  };
  template <class T>
  struct Parameters {
    T stiffness, rest, damping, preload;
    T friction_force, friction_velocity;
    T lower, upper, stop_stiffness, stop_damping;
  };
  static constexpr int pairs = 1;
  static constexpr bool is_force = true;
  static MarkerPair markers(const Topology& t) { return {t.coordinate.a, t.coordinate.b}; }

  template <class T>
  struct Law {
    T Q, by_position, by_velocity;
  };

  // A tabulated characteristic as hinges, so that no lane branches: y = y0 + m0 (x − x0) + Σ m_i (x − x_i)₊.
  // Pool: y0, x0, m0, then x_i, m_i.
  template <class T>
  ALEATOR_HD static void table(const T* pool, int hinges, const T& x, T& value, T& slope) {
    value = pool[0] + pool[2] * (x - pool[1]);
    slope = pool[2];
    for (int i = 0; i < hinges; ++i) {
      const T over = x - pool[3 + 2 * i], m = pool[4 + 2 * i];
      value += select(over > T(0), m * over, T(0));
      slope += select(over > T(0), m, T(0));
    }
  }

  template <class T>
  ALEATOR_HD static Law<T> law(const Topology& t, const Parameters<T>& p, const Evaluation<T>& e, const T& q, const T& dq) {
    const T o(0);
    const T x = q - p.rest;
    T tension_force = p.stiffness * x + p.damping * dq + p.preload, kx = p.stiffness, kv = p.damping;
    if (t.spring_size >= 0) {
      T y, m;
      table(e.pool + t.spring_table, t.spring_size, x, y, m);
      tension_force += y, kx += m;
    }
    if (t.damper_size >= 0) {
      T y, m;
      table(e.pool + t.damper_table, t.damper_size, dq, y, m);
      tension_force += y, kv += m;
    }
    if (t.side != both) {
      const auto idle = t.side == tension ? x <= o : x >= o;
      tension_force = select(idle, o, tension_force);
      kx = select(idle, o, kx), kv = select(idle, o, kv);
    }
    Law<T> law = {-tension_force, -kx, -kv};
    if (t.signal >= 0) law.Q += e.signal[t.signal].f;

    const T th = tanh(dq / p.friction_velocity);
    law.Q -= p.friction_force * th;
    law.by_velocity -= p.friction_force / p.friction_velocity * (T(1) - th * th);

    if (t.stops != 0) {
      stop(p, q - p.upper, dq, T(-1), law);
      stop(p, p.lower - q, -dq, T(1), law);
    }
    return law;
  }

  // What Q is made of, for outputs.
  template <class T>
  struct Parts {
    T spring, damper, stops, friction, actuator;
  };
  template <class T>
  static Parts<T> parts(const Topology& t, const Parameters<T>& p, const Evaluation<T>& e, const T& q, const T& dq) {
    const T o(0), x = q - p.rest;
    T spring = p.stiffness * x + p.preload, damper = p.damping * dq, y, m;
    if (t.spring_size >= 0) table(e.pool + t.spring_table, t.spring_size, x, y, m), spring += y;
    if (t.damper_size >= 0) table(e.pool + t.damper_table, t.damper_size, dq, y, m), damper += y;
    if (t.side != both) {
      const auto idle = t.side == tension ? x <= o : x >= o;
      spring = select(idle, o, spring), damper = select(idle, o, damper);
    }
    Law<T> stops = {o, o, o};
    if (t.stops != 0) stop(p, q - p.upper, dq, T(-1), stops), stop(p, p.lower - q, -dq, T(1), stops);
    return {-spring, -damper, stops.Q, -(p.friction_force * tanh(dq / p.friction_velocity)),
            t.signal >= 0 ? e.signal[t.signal].f : o};
  }

  // depth d and its rate; the force acts in direction `sign` of q
  template <class T>
  ALEATOR_HD static void stop(const Parameters<T>& p, const T& d, const T& rate_of_depth, const T& sign, Law<T>& law) {
    const T o(0), factor = T(1) + p.stop_damping * rate_of_depth;
    const auto pushes = (d > o) & (factor > o);
    law.Q += sign * select(pushes, p.stop_stiffness * d * factor, o);
    law.by_position -= select(pushes, p.stop_stiffness * factor, o);
    law.by_velocity -= select(pushes, p.stop_stiffness * d * p.stop_damping, o);
  }

  template <class T>
  ALEATOR_HD static PairWrench<T> along(const T& Q, const PairWrench<T>& g) {
    return {{Q * g.a.F, Q * g.a.M}, {Q * g.b.F, Q * g.b.M}};
  }

  template <class T>
  ALEATOR_HD static Law<T> evaluate(const Topology& t, const Parameters<T>& p, const Evaluation<T>& e, PairScalar<T>& q) {
    q = measure(t.coordinate, e);
    return law(t, p, e, q.value, rate(q.gradient, e.marker[t.coordinate.a], e.marker[t.coordinate.b]));
  }

  template <class T>
  ALEATOR_HD static PairWrench<T> force(const Topology& t, const Parameters<T>& p, const Evaluation<T>& e) {
    PairScalar<T> q;
    const Law<T> l = evaluate(t, p, e, q);
    return along(l.Q, q.gradient);
  }

  // K = Q_q g gᵀ + Q H + Q_q̇ g (ẋᵀH),  C = Q_q̇ g gᵀ  with g the gradient and H the curvature of q.
  template <class T>
  ALEATOR_HD static void tangent(const Topology& t, const Parameters<T>& p, const Evaluation<T>& e, PairTangent<T>& d,
                                 PairWrench<T>& w) {
    PairScalar<T> q;
    const Law<T> l = evaluate(t, p, e, q);
    w = along(l.Q, q.gradient);
    PairTangent<T> H;
    add_curvature(t.coordinate, e, T(1), H);
    const MarkerFrame<T>&A = e.marker[t.coordinate.a], &B = e.marker[t.coordinate.b];
    const Vec3<T> velocity[4] = {A.v, A.w, B.v, B.w};
    const Vec3<T> g[4] = {q.gradient.a.F, q.gradient.a.M, q.gradient.b.F, q.gradient.b.M};
    for (int j = 0; j < 4; ++j) {
      Vec3<T> turning;  // ẋᵀ H, column block j: how the rate of q changes with position
      for (int i = 0; i < 4; ++i) turning += transposed_times(H.K[i][j], velocity[i]);
      const Vec3<T> column = l.by_position * g[j] + l.by_velocity * turning;
      for (int i = 0; i < 4; ++i) {
        d.K[i][j] = outer(g[i], column) + l.Q * H.K[i][j];
        d.C[i][j] = outer(l.by_velocity * g[i], g[j]);
      }
    }
  }

  // Of the springs: ½ k x² + preload x + ∫S dx, and of the stops.
  template <class T>
  ALEATOR_HD static T energy(const Topology& t, const Parameters<T>& p, const Evaluation<T>& e) {
    const T o(0), half(0.5);
    const T q = measure(t.coordinate, e).value, x = q - p.rest;
    T E = half * p.stiffness * x * x + p.preload * x;
    if (t.spring_size >= 0)
      E += table_energy(e.pool + t.spring_table, t.spring_size, x) - table_energy(e.pool + t.spring_table, t.spring_size, o);
    if (t.side != both) E = select(t.side == tension ? x <= o : x >= o, o, E);
    if (t.stops != 0) {
      const T over = max(q - p.upper, o), under = max(p.lower - q, o);
      E += half * p.stop_stiffness * (over * over + under * under);
    }
    return E;
  }
  // Of the rest, Q + dV/dq: the actuator supplies u q̇; dampers, friction and stops dissipate. A tabulated damper is not asked what it is.
  template <class T>
  ALEATOR_HD static void power(const Topology& t, const Parameters<T>& p, const Evaluation<T>& e, bool dissipation,
                               Energies<T>& out) {
    if (t.signal < 0 && t.damper_size < 0 && !dissipation) return;
    const PairScalar<T> q = measure(t.coordinate, e);
    const T o(0), x = q.value - p.rest, dq = rate(q.gradient, e.marker[t.coordinate.a], e.marker[t.coordinate.b]);
    const auto idle = t.side == tension ? x <= o : x >= o;
    if (t.signal >= 0) out.supply(e.signal[t.signal].f * dq);
    if (t.damper_size >= 0) {
      T y, m;
      table(e.pool + t.damper_table, t.damper_size, dq, y, m);
      const T given = t.side == both ? -y * dq : select(idle, o, -y * dq);
      out.supply(max(given, o));
      if (dissipation) out.dissipated -= min(given, o);
    }
    if (!dissipation) return;
    const T viscous = p.damping * dq * dq;
    out.dissipated +=
        (t.side == both ? viscous : select(idle, o, viscous)) + p.friction_force * tanh(dq / p.friction_velocity) * dq;
    if (t.stops == 0) return;
    out.dissipated += lost_in_stop(p, q.value - p.upper, dq) + lost_in_stop(p, p.lower - q.value, -dq);
  }
  // (k_s d (1 + c_s ḋ)₊ − k_s d) ḋ
  template <class T>
  ALEATOR_HD static T lost_in_stop(const Parameters<T>& p, const T& d, const T& rate_of_depth) {
    const T factor = max(T(1) + p.stop_damping * rate_of_depth, T(0));
    return p.stop_stiffness * max(d, T(0)) * (factor - T(1)) * rate_of_depth;
  }
  template <class T>
  ALEATOR_HD static T table_energy(const T* pool, int hinges, const T& x) {
    const T half(0.5), over = x - pool[1];
    T E = pool[0] * over + half * pool[2] * over * over;
    for (int i = 0; i < hinges; ++i) {
      const T beyond = max(x - pool[3 + 2 * i], T(0));
      E += half * pool[4 + 2 * i] * beyond * beyond;
    }
    return E;
  }
};

extern const Kernel coordinate_force_kernel;

}  // namespace aleator::core
