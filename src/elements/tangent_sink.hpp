// Where derivatives of wrenches go: from markers to what carries them, and into blocks of the matrix.
#pragma once

#include "elements/evaluation.hpp"

namespace aleator::core {

// How a marker moves with one of its carriers: δp = place[0] δ₁ + place[1] δ₂, δφ = turn[0] δ₁ + turn[1] δ₂, and what its
// velocities change by when the carrier moves at constant velocities of its own.
template <class T>
struct Port {
  Mat3<T> place[2], turn[2];
  Mat3<T> velocity[2], spin[2];
};

// Rates of a state x of an element and of an integral of it, which depend on x and on the rate q̇ of a coordinate.
template <class T>
struct StateRates {
  T state, integral;
};
template <class T>
struct StateTangent {
  PairWrench<T> wrench;         // of the element, by x
  StateRates<T> by_state;       // of the rates, by x
  StateRates<T> by_rate;        // … and by q̇
  PairWrench<T> gradient;       // of q
  PairWrench<T> rate_gradient;  // of q̇ by the places of the markers, at constant velocities
};

// Takes derivatives of wrenches with respect to markers and adds them up with respect to carriers.
template <class T>
struct TangentSink {
  const Evaluation<T>* evaluation;
  const int* pair_block;  // set per element: numbers of the blocks, rows and columns the carriers of a and then those of b
  T* blocks;              // [blocks][6][6] derivative of the residual M v̇ + … − wrench
  T position_factor;      // cK: weight of ∂/∂position
  T velocity_factor;      // cC: weight of ∂/∂velocity

  void add(int a, int b, const PairTangent<T>& t, const PairWrench<T>& w, bool damped);
  // Of a force with a state: what add() does not know. Its blocks come after those of the pair: (x, x), all carriers by x, x by all of them.
  void add_state(int a, int b, const StateTangent<T>& t);
  // The same for forces F on b and −F on a that do not change: only the arms of rigid bodies turn.
  void turn_arms(int a, int b, const Vec3<T>& F);

 private:
  int carriers_of(int m) const {
    const int n = evaluation->marker_nodal[m];
    return n < 0 ? 1 : evaluation->nodal[n].count;
  }
  void turn_arm(int m, T* block, const Vec3<T>& F) const;
  void add_rigid(int a, int b, const PairTangent<T>& t, const PairWrench<T>& w, bool damped);
  Port<T> port(int m, int k) const;
  void add_curvature(int m, int first, int all, const Vec3<T>& M);
};

template <class T>
void TangentSink<T>::add(int a, int b, const PairTangent<T>& t, const PairWrench<T>& w, bool damped) {
  const int marker[2] = {a, b};
  const int nodal[2] = {evaluation->marker_nodal[a], evaluation->marker_nodal[b]}, carriers[2] = {carriers_of(a), carriers_of(b)};
  if (nodal[0] < 0 && nodal[1] < 0) return add_rigid(a, b, t, w, damped);
  const int all = carriers[0] + carriers[1];
  for (int j = 0, column = 0; j < 2; ++j)
    for (int l = 0; l < carriers[j]; ++l, ++column) {
      const Port<T> to = port(marker[j], l);
      Mat3<T> x[4][2];  // derivative of (Fa, Ma, Fb, Mb) by the two halves of the carrier
      for (int r = 0; r < 4; ++r)
        for (int c = 0; c < 2; ++c) {
          x[r][c] = position_factor * (t.K[r][2 * j] * to.place[c] + t.K[r][2 * j + 1] * to.turn[c]);
          if (!damped) continue;
          const Mat3<T>&C = t.C[r][2 * j], &S = t.C[r][2 * j + 1];
          x[r][c] += position_factor * (C * to.velocity[c] + S * to.spin[c]);
          x[r][c] += velocity_factor * (C * to.place[c] + S * to.turn[c]);
        }
      for (int i = 0, row = 0; i < 2; ++i)
        for (int k = 0; k < carriers[i]; ++k, ++row) {
          const Port<T> on = port(marker[i], k);
          T* out = blocks + 36 * pair_block[all * row + column];
          for (int h = 0; h < 2; ++h)
            for (int c = 0; c < 2; ++c) {
              const Mat3<T> d = transposed_times(on.place[h], x[2 * i][c]) + transposed_times(on.turn[h], x[2 * i + 1][c]);
              for (int y = 0; y < 3; ++y)
                for (int z = 0; z < 3; ++z) out[6 * (3 * h + y) + 3 * c + z] -= d[y][z];
            }
        }
    }
  // The change of the ports themselves.
  const Wrench<T>* force[2] = {&w.a, &w.b};
  for (int i = 0; i < 2; ++i) {
    const int first = i == 0 ? 0 : carriers[0];
    if (nodal[i] >= 0) {
      add_curvature(marker[i], first, all, force[i]->M);
      continue;
    }
    turn_arm(marker[i], blocks + 36 * pair_block[all * first + first], force[i]->F);
  }
}

template <class T>
void TangentSink<T>::add_state(int a, int b, const StateTangent<T>& t) {
  const int marker[2] = {a, b}, all = carriers_of(a) + carriers_of(b), *ids = pair_block + all * all;
  const T x = velocity_factor;  // states are velocities
  constexpr int integral = 3;   // its place in the carrier
  blocks[36 * ids[0]] -= x * t.by_state.state;
  blocks[36 * ids[0] + 6 * integral] -= x * t.by_state.integral;
  const Wrench<T>*force[2] = {&t.wrench.a, &t.wrench.b}, *g[2] = {&t.gradient.a, &t.gradient.b},
        *dg[2] = {&t.rate_gradient.a, &t.rate_gradient.b};
  for (int j = 0, k = 0; j < 2; ++j)
    for (int l = 0; l < carriers_of(marker[j]); ++l, ++k) {
      const Port<T> p = port(marker[j], l);
      T *by_x = blocks + 36 * ids[1 + k], *of_x = blocks + 36 * ids[1 + all + k];
      for (int h = 0; h < 2; ++h) {
        const auto carried = [&](const Wrench<T>& w) {
          return transposed_times(p.place[h], w.F) + transposed_times(p.turn[h], w.M);
        };
        const Vec3<T> f = carried(*force[j]);
        const Vec3<T> q =
            velocity_factor * carried(*g[j]) +
            position_factor * (carried(*dg[j]) + transposed_times(p.velocity[h], g[j]->F) + transposed_times(p.spin[h], g[j]->M));
        for (int i = 0; i < 3; ++i) {
          by_x[6 * (3 * h + i)] -= x * f[i];
          of_x[3 * h + i] -= t.by_rate.state * q[i];
          of_x[6 * integral + 3 * h + i] -= t.by_rate.integral * q[i];
        }
      }
    }
}

// A rigid body's arm turns with it: the moment arm × F changes by F~ arm~ δφ.
template <class T>
void TangentSink<T>::turn_arm(int m, T* block, const Vec3<T>& F) const {
  const Mat3<T> d = position_factor * (skew(F) * skew(evaluation->marker[m].arm));
  for (int y = 0; y < 3; ++y)
    for (int z = 0; z < 3; ++z) block[6 * (3 + y) + 3 + z] -= d[y][z];
}

template <class T>
void TangentSink<T>::turn_arms(int a, int b, const Vec3<T>& F) {
  const int first = carriers_of(a), all = first + carriers_of(b);
  if (evaluation->marker_nodal[a] < 0) turn_arm(a, blocks + 36 * pair_block[0], -F);
  if (evaluation->marker_nodal[b] < 0) turn_arm(b, blocks + 36 * pair_block[all * first + first], F);
}

template <class T>
Port<T> TangentSink<T>::port(int m, int k) const {
  Port<T> p;
  const MarkerFrame<T>& marker = evaluation->marker[m];
  const int n = evaluation->marker_nodal[m];
  if (n < 0) {
    p.place[0] = p.turn[1] = Mat3<T>::identity();
    p.place[1] = -skew(marker.arm);
    p.velocity[1] = -skew(cross(marker.w, marker.arm));
    p.spin[1] = -skew(marker.w);
    return p;
  }
  const NodalParameters<T>& q = evaluation->nodal_parameters[n];
  for (int h = 0; h < 2; ++h) p.place[h] = q.s[2 * k + h] * Mat3<T>::identity();
  if (evaluation->nodal[n].framed == 0) return p;
  const Directors<T>& f = evaluation->director[n];
  for (int h = 0; h < 2; ++h) {
    p.turn[h] = q.c[2 * k + h] * f.Bu + q.d[2 * k + h] * f.Bw;
    for (int z = 0; z < 3; ++z) {
      Vec3<T> unit;
      unit[z] = T(1);
      const Vec3<T> d = f.change_of_turn(f.change(q.c[2 * k + h] * unit, q.d[2 * k + h] * unit), f.du, f.dw);
      for (int y = 0; y < 3; ++y) p.spin[h][y][z] = d[y];
    }
  }
  return p;
}

// A moment M at a nodal marker is (c_k B_u + d_k B_w)ᵀ M on vector k; its derivative by vector l.
template <class T>
void TangentSink<T>::add_curvature(int m, int first, int all, const Vec3<T>& M) {
  const int n = evaluation->marker_nodal[m];
  const NodalTopology& t = evaluation->nodal[n];
  if (t.framed == 0) return;
  const NodalParameters<T>& q = evaluation->nodal_parameters[n];
  const Directors<T>& f = evaluation->director[n];
  // By the directors first, four 3×3 blocks.
  Mat3<T> by_u[2], by_w[2];  // of (B_uᵀ M, B_wᵀ M)
  for (int z = 0; z < 3; ++z) {
    Vec3<T> unit;
    unit[z] = T(1);
    const auto u = f.change_of_moment(f.change(unit, {}), M), w = f.change_of_moment(f.change({}, unit), M);
    for (int y = 0; y < 3; ++y) {
      by_u[0][y][z] = u.u[y], by_u[1][y][z] = u.w[y];
      by_w[0][y][z] = w.u[y], by_w[1][y][z] = w.w[y];
    }
  }
  for (int k = 0; k < 2 * t.count; ++k)
    for (int l = 0; l < 2 * t.count; ++l) {
      const Mat3<T> d =
          position_factor * (q.c[l] * (q.c[k] * by_u[0] + q.d[k] * by_u[1]) + q.d[l] * (q.c[k] * by_w[0] + q.d[k] * by_w[1]));
      T* out = blocks + 36 * pair_block[all * (first + k / 2) + first + l / 2];
      for (int y = 0; y < 3; ++y)
        for (int z = 0; z < 3; ++z) out[6 * (3 * (k % 2) + y) + 3 * (l % 2) + z] -= d[y][z];
    }
}

// Between rigid bodies. With S = [I, −arm~; 0, I] taking body motions to marker motions, and V the change of a marker's velocities
// caused by turning its body at constant body-axes velocities, δv = −(ω×arm)~ δφ, δω = −ω~ δφ:
//   block = −Sᵀ (cK (K S + C V) + cC C S) − cK [0 0; 0 F~ arm~].
template <class T>
void TangentSink<T>::add_rigid(int a, int b, const PairTangent<T>& t, const PairWrench<T>& w, bool damped) {
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

}  // namespace aleator::core
