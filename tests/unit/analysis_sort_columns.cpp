// Eight columns at once are sorted as each one alone, and their order statistics are those of the sorted ones.
#include "analysis/sort_columns.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "analysis/block_sums.hpp"
#include "analysis/select_columns.hpp"
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

std::vector<const double*> rows_of(const AlignedVector<double>& x, std::size_t first = 0) {
  std::vector<const double*> rows;
  for (std::size_t i = 0; i < x.size() / w; ++i) rows.push_back(&x[i * w + first]);
  return rows;
}

// Within the windows, and beyond them; few rows and many; columns of a few values that are equal or infinite.
TEST(SelectedColumns, are_order_statistics) {
  for (const std::size_t rows : {1, 100, 2048, 10000}) {
    const AlignedVector<double> x = some_columns(rows);
    const SelectedColumns::Window windows[] = {{rows / 20, rows / 20 + rows / 50}, {rows - 1 - rows / 30, rows - 1}};
    for (const std::size_t columns : {std::size_t(3), w}) {
      const std::vector<const double*> own = rows_of(x, w - columns);
      const SelectedColumns found(own, columns, windows);
      for (std::size_t c = 0; c < columns; ++c) {
        std::vector<double> expected = column(x, w - columns + c);
        std::sort(expected.begin(), expected.end());
        for (const SelectedColumns::Window& window : windows)
          for (std::size_t k = window.first; k <= window.last; ++k)
            ASSERT_EQ(found.at(c, k), expected[k]) << rows << " " << c << " " << k;
      }
      const SelectedColumns all(own, columns, windows);
      std::vector<double> expected = column(x, w - columns);
      std::sort(expected.begin(), expected.end());
      EXPECT_EQ(all.at(0, rows / 2), expected[rows / 2]);
    }
  }
}

// Of a constant exactly; otherwise to round-off.
TEST(BlockSums, are_those_of_one_after_the_other) {
  for (const std::size_t rows : {1, 2, 3, 7, 255, 256}) {
    AlignedVector<double> x = some_columns(rows);
    for (std::size_t i = 0; i < rows; ++i) x[i * w + 1] = 0.1, x[i * w + 6] = 1e8 + std::floor(100 * x[i * w]);
    Moments block(w), single(w);
    QuantileSketch sketch(w, 64);
    sum_block(rows_of(x), w, &block, &sketch, 0);
    for (const double* const row : rows_of(x)) single.add({row, w});
    EXPECT_EQ(sketch.rank_error(), 0);
    for (std::size_t c = 0; c < w; ++c) {
      std::vector<double> sorted = column(x, c);
      std::sort(sorted.begin(), sorted.end());
      EXPECT_EQ(block.count(c), double(rows));
      EXPECT_EQ(block.minimum(c), sorted.front());
      EXPECT_EQ(block.maximum(c), sorted.back());
      EXPECT_NEAR(block.mean(c).value, single.mean(c).value, 1e-14 * std::abs(single.mean(c).value) + 1e-15);
      if (rows < 2) continue;
      EXPECT_NEAR(block.standard_deviation(c).value, single.standard_deviation(c).value, 1e-7);  // 1e8 · 2⁻⁵³, several times
      EXPECT_EQ(sketch.quantile(c, 0.5).value, quantile(sorted, 0.5).value);
    }
    EXPECT_EQ(block.mean(1).value, 0.1);
    if (rows > 1) {
      EXPECT_EQ(block.standard_deviation(1).value, 0);
    }
  }
}

// Halved j times, a block stands for all of its values: each rank is within the possible error.
TEST(BlockSums, halved_blocks_keep_their_rank_error) {
  for (const std::size_t rows : {256, 251})
    for (const std::size_t halvings : {1, 2, 3}) {
      const AlignedVector<double> x = some_columns(rows);
      QuantileSketch sketch(w, 64);
      sketch.begin(double(7 * halvings));
      sum_block(rows_of(x), w, nullptr, &sketch, halvings);
      std::vector<double> sorted = column(x, 0);
      std::sort(sorted.begin(), sorted.end());
      EXPECT_GT(sketch.rank_error(), 0);
      EXPECT_LE(sketch.rank_error() * double(rows), 11.5);  // (1 + 2 + 4) + (8 − 1)/2, and 1 for the last bits
      for (double p = 0; p <= 1; p += 0.05) {
        const double found = sketch.quantile(0, p).value;
        EXPECT_GE(found, quantile(sorted, std::max(0.0, p - sketch.rank_error()), 0).value);
        EXPECT_LE(found, quantile(sorted, std::min(1.0, p + sketch.rank_error()), 0).value);
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
