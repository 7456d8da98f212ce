// The lowest modes of large models: Arnoldi's method on the inverse of the sparse matrix, with a small shift σ for rigid motions. With
// Q(s) = s²M + sC + K bordered by the constraints, s = σ + 1/θ and u = s x,
//   θ (x, u) = (y, x),   Q(σ) y = −[(C + 2σM) x + M u],   G y = 0,
// whose largest θ are the eigenvalues s next to σ: damped, gyroscopic and undamped modes alike.
#pragma once

#include <Eigen/Core>
#include <complex>
#include <span>
#include <vector>

#include "numerics/sparse_pattern.hpp"

namespace aleator::core {

struct SparsePencil {
  const SparsePattern* pattern;  // of all unknowns and rows
  int unknowns;                  // the first ones; the others are rows of constraints
  std::vector<double> M, C, K;   // [nonzeros]; K with the constraints
};

struct Eigenpair {
  std::complex<double> s;
  Eigen::VectorXcd x;  // [unknowns]
};

// At least `number` of them with Im s ≥ 0 that are not rigid, rising by |s|, where the model has as many; rigid ones (s = 0) besides.
// Empty where the matrix is singular or nothing converges.
std::vector<Eigenpair> lowest_eigenpairs(const SparsePencil& pencil, int number);

}  // namespace aleator::core
