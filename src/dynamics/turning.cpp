#include "dynamics/turning.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>
#include <vector>

#include "dynamics/errors.hpp"

namespace aleator::core {

using Eigen::MatrixXd;

Turning Turning::with(const Assembly<double>& a, const State<double>& s, const std::string& name) {
  const Topology& t = a.model().topology;
  const auto body = std::find(t.body_names.begin(), t.body_names.end(), name);
  assert(body != t.body_names.end());
  const int c = t.first_carrier[size_t(body - t.body_names.begin())];
  assert(t.carriers[size_t(c)].vectors == 0);
  const double *q = &s.positions[7 * c], *v = &s.velocities[6 * c];
  const Mat3<double> R = rotation_matrix(Quaternion<double>{q[3], {q[4], q[5], q[6]}});
  Turning out;
  out.all = true;
  out.omega = R * Vec3<double>{v[3], v[4], v[5]};
  out.point = {q[0], q[1], q[2]};
  const Vec3<double> velocity = {v[0], v[1], v[2]};
  const double square = dot(out.omega, out.omega);
  if (square == 0) return out;
  out.point += (1 / square) * cross(out.omega, velocity);
  const double along = std::abs(dot(out.omega, velocity)) / std::sqrt(square);
  if (along > 1e-9 * (norm(velocity) + std::sqrt(square)))
    throw SimulationError(fmt::format("'{}' does not only turn: it also moves along its axis, at {:.3g} m/s", name, along));
  return out;
}

void set_turning(const Assembly<double>& a, const Turning& turning, State<double>& s, double* accelerations) {
  std::fill_n(accelerations, a.velocities(), 0.0);
  if (!turning.all) return;
  const auto put = [&](int c, int half, const Vec3<double>& x) {
    const Vec3<double> v = cross(turning.omega, x), b = cross(turning.omega, v);
    for (int i = 0; i < 3; ++i) s.velocities[6 * c + 3 * half + i] = v[i], accelerations[6 * c + 3 * half + i] = b[i];
  };
  for (int c = 0; c < a.carriers().first_state; ++c) {
    const double* q = &s.positions[7 * c];
    const Vec3<double> first = {q[0], q[1], q[2]};
    put(c, 0, a.model().topology.carriers[size_t(c)].is_place ? first - turning.point : first);
    if (c >= a.carriers().rigid) {
      put(c, 1, {q[3], q[4], q[5]});
      continue;
    }
    const Vec3<double> spin = transposed_times(rotation_matrix(Quaternion<double>{q[3], {q[4], q[5], q[6]}}), turning.omega);
    for (int i = 0; i < 3; ++i) s.velocities[6 * c + 3 + i] = spin[i];
  }
}

namespace {

// W and Ŵ of each three unknowns of a vector: calls f(dofs, W, Ŵ), −1 where there is none.
template <class F>
void each_vector(const Assembly<double>& a, const Turning& turning, F&& f) {
  const Structure& s = a.model().structure;
  const Mat3<double> W = skew(turning.omega);
  for (int c = 0; c < a.carriers().first_state; ++c)
    for (int half = 0; half < 2; ++half) {
      const bool turn = half == 1 && c < a.carriers().rigid;
      const std::array<int, 3> dof = {s.dof[6 * c + 3 * half], s.dof[6 * c + 3 * half + 1], s.dof[6 * c + 3 * half + 2]};
      f(dof, W, turn ? skew(a.frames()[c].w) : Mat3<double>{});
    }
}

}  // namespace

void add_turning(const Assembly<double>& a, const Turning& turning, const MatrixXd& M, MatrixXd& C, MatrixXd& K) {
  MatrixXd more_C = MatrixXd::Zero(C.rows(), C.cols()), more_K = more_C;
  each_vector(a, turning, [&](const std::array<int, 3>& dof, const Mat3<double>& W, const Mat3<double>& own) {
    const Mat3<double> rate = W + W - own, place = W * W - own * W;
    for (int j = 0; j < 3; ++j)
      for (int k = 0; k < 3; ++k) {
        if (dof[j] < 0 || dof[k] < 0) continue;
        more_C.col(dof[j]) += rate[k][j] * M.col(dof[k]);
        more_K.col(dof[j]) += W[k][j] * C.col(dof[k]) + place[k][j] * M.col(dof[k]);
      }
  });
  C += more_C, K += more_K;
}

void add_turning(const Assembly<double>& a, const Turning& turning, const double* M, double* C, double* K) {
  const Structure& s = a.model().structure;
  const SparsePattern& p = s.pattern;
  std::vector<double> more_C(size_t(p.nonzeros())), more_K(size_t(p.nonzeros()));
  each_vector(a, turning, [&](const std::array<int, 3>& dof, const Mat3<double>& W, const Mat3<double>& own) {
    const Mat3<double> rate = W + W - own, place = W * W - own * W;
    for (int j = 0; j < 3; ++j)
      for (int k = 0; k < 3; ++k) {
        if (dof[j] < 0 || dof[k] < 0) continue;
        for (int e = p.column_start[dof[k]]; e < p.column_start[dof[k] + 1]; ++e) {
          if (p.row[e] >= s.dofs) continue;
          const int to = p.find(p.row[e], dof[j]);  // blocks of carriers are full
          if (to < 0) continue;
          more_C[size_t(to)] += rate[k][j] * M[e];
          more_K[size_t(to)] += W[k][j] * C[e] + place[k][j] * M[e];
        }
      }
  });
  for (size_t e = 0; e < more_C.size(); ++e) C[e] += more_C[e], K[e] += more_K[e];
}

}  // namespace aleator::core
