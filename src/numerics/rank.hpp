// Which rows of a sparse matrix depend linearly on the rows before them (redundant constraints), and on which ones.
#pragma once

#include <span>
#include <vector>

namespace aleator::core {

struct Triplet {
  int row, column;
  double value;
};

struct RowRank {
  int rank = 0;
  std::vector<int> dependent_rows;  // rising; a row depends on the independent rows before it
};

// Rows are scaled to unit length first; what remains of a dependent row is below the tolerance. Entries in any order,
// repeated ones are added. Throws std::invalid_argument if an entry is outside the matrix or not finite.
RowRank row_rank(int rows, int columns, std::span<const Triplet> entries, double tolerance = 1e-9);

struct RowShare {
  int row;
  double coefficient;
};

// For each dependent row, in the same order: the combination of independent rows that equals it (all rows scaled to
// unit length); coefficients below 1e-6 are left out. Empty for a row of zeros.
std::vector<std::vector<RowShare>> row_dependencies(int rows, int columns, std::span<const Triplet> entries, const RowRank& rank);

}  // namespace aleator::core
