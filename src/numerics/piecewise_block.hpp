// Coefficients of several pieces from their values, and what tells whether these do: side by side, in the same order for each, so that no
// bit depends on the neighbours or on the width of registers.
#pragma once

#include "numerics/piecewise_pieces.hpp"

namespace aleator::core::piecewise {

struct Block {
  static constexpr int nodes = degree + 1, checks = int(std::size(check_places));
  static constexpr int values = nodes + checks;  // of a piece
  static constexpr std::size_t pieces = 8;

  double c[nodes][pieces];  // Chebyshev
  double last[pieces];      // the largest of the last three coefficients
  double largest[pieces];   // of all
  double slope[pieces];     // Σ k |c_k|, which bounds that of the series
  double error[pieces];     // at the check places

  // y[j stride + i] is the value of piece i < count at the place j.
  void transform(const double* y, std::size_t stride, std::size_t count);
};

// Places of the values in a piece, −1 to 1: the nodes, falling, and the check places.
const double* node_places();

}  // namespace aleator::core::piecewise
