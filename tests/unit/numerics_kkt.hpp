// Saddle-point matrices [A G^T; G -e I] like those of multibody systems, for the tests of the sparse solver.
#pragma once

#include <Eigen/Core>
#include <Eigen/Geometry>
#include <random>
#include <tuple>
#include <utility>
#include <vector>

#include "numerics/sparse_lu.hpp"

namespace aleator::core::test {

using Links = std::vector<std::pair<int, int>>;  // joints: two bodies, -1 for the ground

struct Kkt {
  SparsePattern pattern;
  std::vector<double> values;
  std::vector<int> block;
};

struct KktOptions {
  int freedoms = 6, rows = 5;   // per body and per joint
  double inertia = 0.1;         // mass is about 1
  double regularisation = 0.0;  // e
  bool springs = false;         // couplings in A, unsymmetric
  unsigned seed = 1;
};

inline Kkt make_kkt(int bodies, const Links& links, const KktOptions& o = {}) {
  std::mt19937 generator(o.seed);
  std::normal_distribution<double> normal;
  std::vector<std::tuple<int, int, double>> entries;
  const auto put = [&](int i, int j, double x) { entries.emplace_back(i, j, x); };
  const int f = o.freedoms, half = f / 2;
  Kkt kkt;
  for (int b = 0; b < bodies; ++b) {
    for (int i = 0; i < half; ++i) put(f * b + i, f * b + i, 1.0 + 0.1 * normal(generator));
    for (int i = half; i < f; ++i)
      for (int j = half; j < f; ++j) put(f * b + i, f * b + j, o.inertia * ((i == j ? 1.0 : 0.0) + 0.1 * normal(generator)));
    kkt.block.insert(kkt.block.end(), f, b);
  }
  int row = f * bodies;
  for (const auto& [a, b] : links) {
    for (int k = 0; k < o.rows; ++k, ++row) {
      for (int body : {a, b})
        for (int j = 0; body >= 0 && j < f; ++j) {
          const double x = normal(generator);
          put(row, f * body + j, x);
          put(f * body + j, row, x);
        }
      put(row, row, -o.regularisation);
      kkt.block.push_back(-1);
    }
    for (int i = 0; o.springs && a >= 0 && b >= 0 && i < f; ++i)
      for (int j = 0; j < f; ++j) {
        put(f * a + i, f * b + j, 0.01 * o.inertia * normal(generator));
        put(f * b + i, f * a + j, 0.01 * o.inertia * normal(generator));
      }
  }
  std::vector<std::pair<int, int>> pairs;
  for (const auto& [i, j, x] : entries) pairs.emplace_back(i, j);
  kkt.pattern = make_pattern(row, pairs);
  kkt.values.assign(kkt.pattern.nonzeros(), 0.0);
  for (const auto& [i, j, x] : entries) kkt.values[kkt.pattern.find(i, j)] += x;
  return kkt;
}

inline Links chain(int bodies) {
  Links links;
  for (int i = 0; i < bodies; ++i) links.emplace_back(i - 1, i);
  return links;
}

inline Links star(int bodies) {  // all on body 0
  Links links = {{-1, 0}};
  for (int i = 1; i < bodies; ++i) links.emplace_back(0, i);
  return links;
}

inline Links tree(int bodies) {
  Links links;
  for (int i = 0; i < bodies; ++i) links.emplace_back(i == 0 ? -1 : (i - 1) / 3, i);
  return links;
}

inline Links ladder(int bodies) {  // a chain with a loop every seven bodies
  Links links = chain(bodies);
  for (int i = 3; i < bodies; i += 7) links.emplace_back(i - 3, i);
  return links;
}

inline Eigen::MatrixXd dense(const SparsePattern& p, const std::vector<double>& values) {
  Eigen::MatrixXd m = Eigen::MatrixXd::Zero(p.n, p.n);
  for (int j = 0; j < p.n; ++j)
    for (int k = p.column_start[j]; k < p.column_start[j + 1]; ++k) m(p.row[k], j) = values[k];
  return m;
}

}  // namespace aleator::core::test
