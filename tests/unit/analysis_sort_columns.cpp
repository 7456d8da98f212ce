// Eight columns at once are sorted as each one alone.
#include "analysis/sort_columns.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "base/aligned.hpp"
#include "uncertainty/stream.hpp"

namespace aleator::core::analysis {
namespace ALEATOR_FILE {

constexpr std::size_t w = columns_at_once;

// Different kinds of columns: random, with few values, falling, rising, with infinities.
AlignedVector<double> some_columns(std::size_t rows) {
  AlignedVector<double> x(rows * w);
  Stream stream(1, rows, 1);
  for (std::size_t i = 0; i < rows; ++i)
    for (std::size_t c = 0; c < w; ++c) {
      const double u = stream.uniform();
      x[i * w + c] = c == 3 ? std::floor(4 * u) : c == 4 ? -double(i) : c == 5 ? double(i) : u;
      if (c == 6 && u < 0.1) x[i * w + c] = std::numeric_limits<double>::infinity();
    }
  return x;
}

std::vector<double> column(const AlignedVector<double>& x, std::size_t c, std::size_t first = 0, std::size_t step = 1) {
  std::vector<double> out;
  for (std::size_t i = first; i < x.size() / w; i += step) out.push_back(x[i * w + c]);
  return out;
}

TEST(SortColumns, any_number_of_rows) {
  for (const std::size_t rows : {0, 1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 31, 32, 33, 64, 100, 255, 256, 257, 1000, 1024, 1025}) {
    const AlignedVector<double> x = some_columns(rows);
    AlignedVector<double> sorted = x;
    sort_columns(sorted.data(), rows);
    for (std::size_t c = 0; c < w; ++c) {
      std::vector<double> expected = column(x, c);
      std::sort(expected.begin(), expected.end());
      EXPECT_EQ(column(sorted, c), expected) << rows << " rows, column " << c;
    }
  }
}

TEST(SortColumns, merges_runs_that_are_sorted) {
  for (const std::size_t run : {1, 5, 16, 32, 48, 256})
    for (const std::size_t rows : {0, 1, 15, 16, 31, 64, 100, 257, 1000, 2048}) {
      AlignedVector<double> x = some_columns(rows);
      for (std::size_t first = 0; first < rows; first += run)
        for (std::size_t c = 0; c < w; ++c) {
          std::vector<double> part = column(x, c, first);
          part.resize(std::min(run, rows - first));
          std::sort(part.begin(), part.end());
          for (std::size_t j = 0; j < part.size(); ++j) x[(first + j) * w + c] = part[j];
        }
      AlignedVector<double> merged = x;
      merge_columns(merged.data(), rows, run);
      for (std::size_t c = 0; c < w; ++c) {
        std::vector<double> expected = column(x, c);
        std::sort(expected.begin(), expected.end());
        EXPECT_EQ(column(merged, c), expected) << rows << " rows, runs of " << run << ", column " << c;
      }
    }
}

TEST(SortColumns, zeros_keep_their_signs) {
  AlignedVector<double> x(2 * w, 0.0);
  x[0] = -0.0;
  sort_columns(x.data(), 2);
  EXPECT_EQ(int(std::signbit(x[0])) + int(std::signbit(x[w])), 1);
}

}  // namespace ALEATOR_FILE
}  // namespace aleator::core::analysis
