// The table at which kernels sit: what they may read of one evaluation at (t, state), and where they put their results.
#pragma once

#include "elements/frames.hpp"
#include "numerics/piecewise.hpp"

namespace aleator {

template <class T>
struct Evaluation {
  // Read.
  const int* marker_body;        // [markers] index of the body; the ground is the last one
  const MarkerFrame<T>* marker;  // [markers] by Assembly::kinematics
  const Jet<T>* signal;          // [signals] functions of time at t, by Assembly::kinematics
  const T* turn;                 // [angles]  each measured angle at the last accepted time, by State
  const T* number;               // the realization's flat array, by realize()
  const T* pool;                 // its part for tables of varying length
  // Written.
  Wrench<T>* wrench;    // [bodies+1] sums about the centre of mass, by force()
  T* residual;          // [rows] g, by constrain()
  T* drift;             // [rows] ∂g/∂t: the velocity level is G v + drift = 0
  T* bias;              // [rows] the acceleration level is G v̇ + bias = 0
  Wrench<T>* jacobian;  // [blocks] one per row and marker: (∂g/∂x, ∂g/∂φ) of the marker's body
  Status<T>* status;

  // A wrench at marker m acts on its body, about the centre of mass.
  ALEATOR_HD void apply(int m, const Wrench<T>& w) {
    Wrench<T>& sum = wrench[marker_body[m]];
    sum.F += w.F;
    sum.M += w.M + cross(marker[m].arm, w.F);
  }
  // A gradient with respect to marker m, as one with respect to its body.
  ALEATOR_HD void set_block(int block, int m, const Wrench<T>& w) { jacobian[block] = {w.F, w.M + cross(marker[m].arm, w.F)}; }

  // One row g with an explicit time part −f(t) from a signal: markers a and b own blocks `block` and `block + 1`.
  ALEATOR_HD void set_row(int row, int block, int a, int b, const PairScalar<T>& s) {
    residual[row] = s.value;
    bias[row] = s.bias + dot(s.gradient.a.F, marker[a].a) + dot(s.gradient.b.F, marker[b].a);
    drift[row] = T(0);
    set_block(block, a, s.gradient.a);
    set_block(block + 1, b, s.gradient.b);
  }
};

// Takes derivatives of wrenches with respect to markers and adds them up with respect to bodies.
template <class T>
struct TangentSink {
  const Evaluation<T>* evaluation;
  const int* pair_block;  // set per element: 4 block numbers aa, ab, ba, bb
  T* blocks;              // [blocks][6][6] derivative of the residual M v̇ + … − wrench
  T position_factor;      // cK: weight of ∂/∂position
  T velocity_factor;      // cC: weight of ∂/∂velocity

  void add(int a, int b, const PairTangent<T>& t, const PairWrench<T>& w, bool damped);
};

// With S = [I, −arm~; 0, I] taking body motions to marker motions, and V the change of a marker's velocities
// caused by turning its body at constant body-axes velocities, δv = −(ω×arm)~ δφ, δω = −ω~ δφ:
//   block = −Sᵀ (cK (K S + C V) + cC C S) − cK [0 0; 0 F~ arm~].
template <class T>
void TangentSink<T>::add(int a, int b, const PairTangent<T>& t, const PairWrench<T>& w, bool damped) {
  const MarkerFrame<T>* m[2] = {&evaluation->marker[a], &evaluation->marker[b]};
  const Wrench<T>* force[2] = {&w.a, &w.b};
  for (int i = 0; i < 2; ++i) {
    const Mat3<T> arm_i = skew(m[i]->arm);
    for (int j = 0; j < 2; ++j) {
      const Mat3<T> arm_j = skew(m[j]->arm);
      Mat3<T> top[2], bottom[2];  // (F, M) rows of marker i by (δx, δφ) of body j
      for (int r = 0; r < 2; ++r) {
        Mat3<T> p = position_factor * t.K[2 * i + r][2 * j];
        Mat3<T> f = position_factor * t.K[2 * i + r][2 * j + 1];
        if (damped) {
          const Mat3<T>&cp = t.C[2 * i + r][2 * j], &cf = t.C[2 * i + r][2 * j + 1];
          f -= position_factor * (cp * skew(cross(m[j]->w, m[j]->arm)) + cf * skew(m[j]->w));
          p += velocity_factor * cp;
          f += velocity_factor * cf;
          // the velocity part of S is the same as the position part, so both go through it below
        }
        (r == 0 ? top : bottom)[0] = p;
        (r == 0 ? top : bottom)[1] = f - p * arm_j;
      }
      for (int c = 0; c < 2; ++c) bottom[c] += arm_i * top[c];  // moment about the centre of mass
      if (i == j) bottom[1] += position_factor * (skew(force[i]->F) * arm_i);
      T* out = blocks + 36 * pair_block[2 * i + j];
      for (int r = 0; r < 3; ++r)
        for (int c = 0; c < 3; ++c) {
          out[6 * r + c] -= top[0][r][c];
          out[6 * r + c + 3] -= top[1][r][c];
          out[6 * (r + 3) + c] -= bottom[0][r][c];
          out[6 * (r + 3) + c + 3] -= bottom[1][r][c];
        }
    }
  }
}

}  // namespace aleator
