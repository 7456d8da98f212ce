// Fill of an elimination with pivots on the diagonal, and its grouping into supernodes. Used by sparse_lu.cpp.
#pragma once

#include <vector>

namespace aleator::core::detail {

// A symmetric pattern without its diagonal: neighbours[i] are the sorted j with an entry (i, j).
using Graph = std::vector<std::vector<int>>;

// An order equivalent to 0, 1, 2, ... (same fill) in which columns of like structure follow one another: postorder of
// the elimination tree. order[k] is the old number of the k-th.
std::vector<int> postorder(const Graph& graph);

// Consecutive columns [first, first + width) with the sorted rows below that any of them has after fill.
struct ColumnGroup {
  int first, width;
  std::vector<int> rows;
};

// Groups of at most max_width columns. Columns of nearly the same structure are put together, at the price of stored
// zeros, where a cost model of the replay says that it pays; column `apart` begins a group.
std::vector<ColumnGroup> supernodes(const Graph& graph, int max_width, int apart = 0);

}  // namespace aleator::core::detail
