#include "analysis/block_sums.hpp"

#include <algorithm>

#include "analysis/column_tiles.hpp"

namespace aleator::core::analysis {

void sum_block(std::span<const double* const> rows, std::size_t quantities, Moments* moments, QuantileSketch* sketch,
               std::size_t halvings) {
  static thread_local ColumnTiles tiles;
  QuantileSketch::Block to;
  if (sketch) to = sketch->begin_block(rows.size(), halvings);
  // What goes on as it is.
  for (std::size_t k = 0; sketch && k < rows.size(); ++k)
    if (k >= to.whole || !to.sorted) std::copy_n(rows[k], quantities, k < to.whole ? to.to[k] : to.rest[k - to.whole]);
  if (!moments && !to.sorted) return;
  for (std::size_t begin = 0; begin < quantities; begin += strip_width) {
    const std::size_t own = std::min(strip_width, quantities - begin);
    tiles.resize(rows.size(), own);
    for (std::size_t k = 0; k < rows.size(); ++k) tiles.put(k, {rows[k] + begin, own});
    for (std::size_t t = 0; t < tiles.tiles(); ++t) {
      const std::size_t first = t * columns_at_once;
      if (moments) moments->set(begin + first, std::min(columns_at_once, own - first), tiles.tile(t), rows.size());
      if (to.sorted) sort_columns(tiles.tile(t), to.whole);
    }
    if (!to.sorted) continue;
    for (std::size_t j = 0; j < to.to.size(); ++j) tiles.get(to.first + j * to.step, {to.to[j] + begin, own});
  }
}

}  // namespace aleator::core::analysis
