// The lowest modes of large models, by the sparse matrix
//   A = K + σ²M, bordered by the constraints G,
// with a small shift σ² for rigid motions. A subspace V of motions that the joints leave free, VᵀMV = 1, starts as the block Krylov
// space of A⁻¹M, which holds the slowest motions, and the vibrations of VᵀMV, VᵀCV, VᵀKV are computed densely. What is left of each,
//   w = A⁻¹ (s²M + sC + K) x   beside V,
// is added to V until it is small for all that are asked for: damped, gyroscopic and undamped ones alike. Of undamped modes that is
// Lanczos' method with all vectors orthogonalised, and s² has the square of the error of x.
#pragma once

#include <vector>

#include "dynamics/modes.hpp"
#include "numerics/sparse_pattern.hpp"

namespace aleator::core {

struct SparsePencil {
  const SparsePattern* pattern;  // of all unknowns and rows
  int unknowns;                  // the first ones; the others are rows of constraints
  std::vector<double> M, C, K;   // [nonzeros]; K with the constraints
};

constexpr int most_rigid = 512;  // motions that are found beside the vibrations

struct LowestModes {
  std::vector<Mode> modes;  // rising; all rigid ones found, and `number` of those that vibrate; shapes are [unknowns]
  bool complete = false;    // there are as many as were asked for, or as the model has, and all have converged
  bool left_out = false;    // … but for overdamped ones that accumulate about one frequency
};

// Throws SimulationError where numbers are not finite, or A is singular.
LowestModes lowest_modes(const SparsePencil& pencil, int number);

}  // namespace aleator::core
