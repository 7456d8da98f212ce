#include "analysis/stored_points.hpp"

#include <algorithm>

#include "base/large_pages.hpp"
#include "base/parallel.hpp"

namespace aleator::core::analysis {

const double* StoredPoints::read(const results::ResponseSource& source, std::size_t rows, std::size_t first, std::size_t count) {
  constexpr std::size_t at_once = 2048;  // rows: a millisecond
  if (room_ < rows * count) {
    numbers_.reset();
    numbers_ = std::make_unique_for_overwrite<double[]>(room_ = rows * count);
    prefer_large_pages(numbers_.get(), room_ * sizeof(double));
  }
  double* const to = numbers_.get();
  // The first row alone: a source may have to get ready.
  if (rows > 0) source.read(0, 1, first, count, to);
  each_in_parallel((rows + at_once - 1) / at_once, [&](std::size_t portion) {
    const std::size_t from = std::max<std::size_t>(portion * at_once, 1), end = std::min(rows, (portion + 1) * at_once);
    source.read(from, end - from, first, count, to + from * count);
  });
  return to;
}

}  // namespace aleator::core::analysis
