// Where a sparse matrix has entries: compressed columns, rows sorted in each column.
#pragma once

#include <utility>
#include <vector>

namespace aleator::core {

struct SparsePattern {
  int n = 0;
  std::vector<int> column_start = {0};  // [n + 1]
  std::vector<int> row;                 // [nonzeros]; values of a matrix are stored in this order

  int nonzeros() const { return static_cast<int>(row.size()); }
  int find(int i, int j) const;  // index of the entry in row i, column j, or -1
};

// From (row, column) pairs in any order; repeated pairs are one entry.
SparsePattern make_pattern(int n, std::vector<std::pair<int, int>> entries);

}  // namespace aleator::core
