// The matrix of Newton's iteration as lanes factor it: without the unknowns and rows of bodies whose motion is prescribed (model/pass_prescribed.hpp),
// which stand apart with a diagonal of one. Prescribed<T> solves for those, with the constraints as they are now.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "model/model.hpp"
#include "numerics/sparse_lu.hpp"

namespace aleator::core {

struct NewtonPattern {
  // `values`: those of [M Gᵀ; G −ε] of the nominal model, in the order of the structure's pattern. `asymmetric`: newton_symmetry.hpp, or none.
  NewtonPattern(const Model& model, std::span<const double> values, std::span<const char> asymmetric);

  // Prescribed bodies whose rows are independent; unknowns[i] is found from rows[i] when those before are known (rows are pivots).
  std::vector<PrescribedBody> bodies;
  std::vector<char> apart;  // [size] unknowns and multipliers that are not in the matrix
  SparsePattern pattern;    // what is left
  std::vector<int> from;    // [nonzeros] the entry of the structure's pattern, −1: a diagonal that is apart
  std::shared_ptr<const LuProgram> lu;
  bool is_symmetric = false;  // what is left of the matrix, and its pivots: it is factored as L D Lᵀ

  // The diagonal of what is apart.
  double diagonal(int unknown) const { return unknown < dofs_ ? 1 : -1; }
  // Values in the order of the structure's pattern → in that of `pattern`.
  template <class T>
  void select(const T* values, T* out) const {
    for (int c = 0; c < pattern.n; ++c)
      for (int k = pattern.column_start[size_t(c)]; k < pattern.column_start[size_t(c) + 1]; ++k)
        out[k] = from[size_t(k)] < 0 ? T(diagonal(c)) : values[from[size_t(k)]];
  }

 private:
  int dofs_;
};

}  // namespace aleator::core
