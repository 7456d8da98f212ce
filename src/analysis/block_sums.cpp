#include "analysis/block_sums.hpp"

#include <algorithm>
#include <cstring>

#include "analysis/column_tiles.hpp"

namespace aleator::core::analysis {

namespace {

// Of a tile [rows][columns_at_once] the first block.whole, sorted and halved as the sketch wants it (QuantileSketch::begin_block), in place: what is
// left of them comes first. Sorting 64 rows and merging what is left takes two thirds of the comparisons of sorting 256.
void halve_rows(double* x, const QuantileSketch::Block& block) {
  constexpr std::size_t group = QuantileSketch::rows_of_group;
  const auto at = [x](std::size_t row) { return x + row * columns_at_once; };
  std::size_t rows = block.whole, sorted = 1;  // so many one after the other
  for (const std::vector<std::size_t>& first : block.first) {
    std::size_t left = 0;
    for (std::size_t g = 0, begin = 0; g < first.size(); ++g, begin += group) {
      const std::size_t own = std::min(group, rows - begin);
      sorted == 1 ? sort_columns(at(begin), own) : merge_columns(at(begin), own, sorted);
      for (std::size_t k = first[g]; k < own; k += 2) std::memmove(at(left++), at(begin + k), columns_at_once * sizeof(double));
    }
    rows = left, sorted = group / 2;
  }
}

}  // namespace

void sum_block(std::span<const double* const> rows, std::size_t quantities, Moments* moments, QuantileSketch* sketch,
               std::size_t halvings) {
  static thread_local ColumnTiles tiles;
  QuantileSketch::Block to;
  if (sketch) to = sketch->begin_block(rows.size(), halvings);
  const bool halved = !to.first.empty();
  // What goes on as it is.
  for (std::size_t k = 0; sketch && k < rows.size(); ++k)
    if (k >= to.whole || !halved) std::copy_n(rows[k], quantities, k < to.whole ? to.to[k] : to.rest[k - to.whole]);
  if (!moments && !halved) return;
  for (std::size_t begin = 0; begin < quantities; begin += strip_width) {
    const std::size_t own = std::min(strip_width, quantities - begin);
    tiles.resize(rows.size(), own);
    for (std::size_t k = 0; k < rows.size(); ++k) tiles.put(k, {rows[k] + begin, own});
    for (std::size_t t = 0; t < tiles.tiles(); ++t) {
      const std::size_t first = t * columns_at_once;
      if (moments) moments->set(begin + first, std::min(columns_at_once, own - first), tiles.tile(t), rows.size());
      if (halved) halve_rows(tiles.tile(t), to);
    }
    for (std::size_t j = 0; halved && j < to.to.size(); ++j) tiles.get(j, {to.to[j] + begin, own});
  }
}

}  // namespace aleator::core::analysis
