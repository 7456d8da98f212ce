// A linear relation between coordinates, g = q₁ − ratio q₂ − offset − f(t) = 0: a rigid rod (one distance), a gear or rack
// (two joint coordinates).
//   G = ∇q₁ − ratio ∇q₂,   bias = q̈₁ − ratio q̈₂ − f̈  (at zero accelerations)
// A relation of one coordinate repeats it with ratio 0, so that one kernel serves both.
#pragma once

#include "elements/coordinate.hpp"
#include "elements/kernel.hpp"

namespace aleator::core {

struct CoordinateConstraint {
  struct Topology {
    Coordinate first, second;
    int row, gradient;  // one row, four gradients
    int signal;         // f(t), −1 for none
  };
  template <class T>
  struct Parameters {
    T ratio, offset;
  };
  static constexpr int pairs = 2;
  static constexpr bool is_force = false;
  static void marker_pairs(const Topology& t, MarkerPair* out) {
    out[0] = {t.first.a, t.first.b};
    out[1] = {t.second.a, t.second.b};
  }

  template <class T>
  ALEATOR_HD static void constrain(const Topology& t, const Parameters<T>& p, Evaluation<T>& e) {
    PairScalar<T> q = measure(t.second, e);
    const T minus = -p.ratio;
    q.gradient = {{minus * q.gradient.a.F, minus * q.gradient.a.M}, {minus * q.gradient.b.F, minus * q.gradient.b.M}};
    e.set_row(t.row, t.gradient + 2, t.second.a, t.second.b, q);
    const T second_value = q.value;
    const T second_bias = minus * q.bias + e.bias_of(t.second.a, q.gradient.a) + e.bias_of(t.second.b, q.gradient.b);
    const PairScalar<T> q1 = measure(t.first, e);
    e.set_row(t.row, t.gradient, t.first.a, t.first.b, q1);
    e.residual[t.row] = q1.value + minus * second_value - p.offset;
    e.bias[t.row] += second_bias;
    if (t.signal >= 0) {
      const Jet<T>& f = e.signal[t.signal];
      e.residual[t.row] -= f.f;
      e.drift[t.row] -= f.d1;
      e.bias[t.row] -= f.d2;
    }
  }

  template <class T>
  ALEATOR_HD static void constraint_tangent(const Topology& t, const Parameters<T>& p, const Evaluation<T>& e, const T* lambda,
                                            PairTangent<T>* d, PairWrench<T>* w) {
    const Coordinate* c[2] = {&t.first, &t.second};
    const T scale[2] = {-lambda[t.row], p.ratio * lambda[t.row]};
    for (int i = 0; i < 2; ++i) {
      const PairWrench<T> g = measure(*c[i], e).gradient;
      w[i] = {{scale[i] * g.a.F, scale[i] * g.a.M}, {scale[i] * g.b.F, scale[i] * g.b.M}};
      add_curvature(*c[i], e, scale[i], d[i]);
    }
  }
};

extern const Kernel coordinate_constraint_kernel;

}  // namespace aleator::core
