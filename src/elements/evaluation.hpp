// The table at which kernels sit: what they may read of one evaluation at (t, state), and where they put their results.
#pragma once

#include "elements/nodal_marker.hpp"
#include "numerics/piecewise.hpp"

namespace aleator::core {

template <class T>
struct Evaluation {
  // Read.
  const int* marker_carrier;     // [markers] index of the carrier; the ground is the last one; −1 on nodes
  const int* marker_nodal;       // [markers] index of the marker among those on nodes, −1 on rigid bodies
  const MarkerFrame<T>* marker;  // [markers] by Assembly::kinematics
  const BodyFrame<T>* frame;     // [carriers+1] by Assembly::kinematics
  int ground;                    // its carrier
  const NodalTopology* nodal;    // [nodal markers]
  const NodalParameters<T>* nodal_parameters;
  const Directors<T>* director;   // [nodal markers] by Assembly::kinematics
  const T* position;              // [7 carriers] of the state
  const T* velocity;              // [6 carriers]
  const Vec3<T>* gravity;         // at t
  const Vec3<T>* static_gravity;  // its numbers, which have a potential
  bool shaken;                    // gravity has functions of time besides: of a ground that accelerates
  const Jet<T>* signal;           // [signals] functions of time at t, by Assembly::kinematics
  const T* turn;                  // [angles]  each measured angle at the last accepted time, by State
  const T* number;                // the realization's flat array, by realize()
  const T* pool;                  // its part for tables of varying length
  const int* gradient_block;      // [gradients] first block of each
  // Written.
  Wrench<T>* wrench;  // [carriers+1] sums about the centre of mass, by force(); of vectors the generalized forces (first, second)
  T* residual;        // [rows] g, by constrain()
  T* drift;           // [rows] ∂g/∂t: the velocity level is G v + drift = 0
  T* bias;            // [rows] the acceleration level is G v̇ + bias = 0
  Wrench<T>* gradient;  // [gradients] one per row and marker: (∂g/∂p, ∂g/∂φ) of the marker
  Wrench<T>* jacobian;  // [blocks] one per row and carrier of a marker: (∂g/∂x, ∂g/∂φ) of the carrier
  Status<T>* status;

  // The part of gravity that supplies energy.
  ALEATOR_HD Vec3<T> base_load() const { return *gravity - *static_gravity; }
  // A wrench at marker m acts on what carries it.
  ALEATOR_HD void apply(int m, const Wrench<T>& w) {
    const int n = marker_nodal[m];
    if (n < 0) {
      Wrench<T>& sum = wrench[marker_carrier[m]];
      sum.F += w.F;
      sum.M += w.M + cross(marker[m].arm, w.F);
      return;
    }
    const NodalTopology& t = nodal[n];
    for (int k = 0; k < t.count; ++k) {
      const Wrench<T> part = on_carrier(n, k, w);
      wrench[t.carrier[k]].F += part.F;
      wrench[t.carrier[k]].M += part.M;
    }
  }
  // What a wrench at a nodal marker is to the two vectors of its k-th carrier: s F + (c B_u + d B_w)ᵀ M.
  ALEATOR_HD Wrench<T> on_carrier(int n, int k, const Wrench<T>& w) const {
    const NodalParameters<T>& p = nodal_parameters[n];
    Wrench<T> out = {p.s[2 * k] * w.F, p.s[2 * k + 1] * w.F};
    if (nodal[n].framed == 0) return out;
    const Vec3<T> u = transposed_times(director[n].Bu, w.M), d = transposed_times(director[n].Bw, w.M);
    out.F += p.c[2 * k] * u + p.d[2 * k] * d;
    out.M += p.c[2 * k + 1] * u + p.d[2 * k + 1] * d;
    return out;
  }

  // A gradient with respect to marker m, as one with respect to what carries it.
  ALEATOR_HD void set_gradient(int g, int m, const Wrench<T>& w) {
    gradient[g] = w;
    const int n = marker_nodal[m], block = gradient_block[g];
    if (n < 0) {
      jacobian[block] = {w.F, w.M + cross(marker[m].arm, w.F)};
      return;
    }
    for (int k = 0; k < nodal[n].count; ++k) jacobian[block + k] = on_carrier(n, k, w);
  }
  // Its part of the second derivative in time when the accelerations of all carriers vanish.
  ALEATOR_HD T bias_of(int m, const Wrench<T>& w) const { return dot(w.F, marker[m].a) + dot(w.M, marker[m].alpha); }

  // One row g with an explicit time part −f(t) from a signal: markers a and b own gradients `g` and `g + 1`.
  ALEATOR_HD void set_row(int row, int g, int a, int b, const PairScalar<T>& s) {
    residual[row] = s.value;
    bias[row] = s.bias + bias_of(a, s.gradient.a) + bias_of(b, s.gradient.b);
    drift[row] = T(0);
    set_gradient(g, a, s.gradient.a);
    set_gradient(g + 1, b, s.gradient.b);
  }
};

}  // namespace aleator::core
