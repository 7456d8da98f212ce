// Columns of numbers whose rows are apart in memory, some tiles of columns_at_once of them side by side: every visit to a row brings more than
// a cache line of it.
#pragma once

#include <algorithm>
#include <cstring>
#include <limits>
#include <span>
#include <vector>

#include "analysis/sort_columns.hpp"
#include "base/aligned.hpp"
#include "base/wide.hpp"

namespace aleator::core::analysis {

inline constexpr std::size_t strip_width = 8 * columns_at_once;  // columns at once

class ColumnTiles {
 public:
  static constexpr std::size_t w = columns_at_once;

  void resize(std::size_t rows, std::size_t columns) {
    rows_ = rows, tiles_ = (columns + w - 1) / w;
    if (columns_.size() < tiles_ * rows * w) columns_.resize(tiles_ * rows * w);
  }
  std::size_t rows() const { return rows_; }
  std::size_t tiles() const { return tiles_; }
  double* tile(std::size_t number) { return &columns_[number * rows_ * w]; }  // [rows][w]

  // Of zeros there is one, without a sign: which of equal values comes first when they are sorted makes no difference.
  void put(std::size_t row, std::span<const double> x) {
    for (std::size_t t = 0, at = 0; at < x.size(); ++t, at += w) {
      double* const to = tile(t) + row * w;
      const std::size_t own = std::min(w, x.size() - at);
      if (own == w) {
        for (std::size_t i = 0; i < w; i += 4)
          reinterpret_cast<FourAt*>(to + i)->numbers = reinterpret_cast<const FourAt*>(x.data() + at + i)->numbers + 0.0;
      } else {
        for (std::size_t i = 0; i < own; ++i) to[i] = x[at + i] + 0.0;
        std::fill(to + own, to + w, 0.0);
      }
    }
  }
  void get(std::size_t row, std::span<double> x) {
    for (std::size_t t = 0, at = 0; at < x.size(); ++t, at += w) {
      const double* const from = tile(t) + row * w;
      if (x.size() - at >= w)
        copy_row(from, x.data() + at);
      else
        std::copy_n(from, x.size() - at, x.data() + at);
    }
  }

  // Some rows may come in runs that are sorted already, which is found here: merging them is less work than sorting.
  void sort() {
    for (std::size_t t = 0; t < tiles_; ++t)
      if (!merge_runs(t)) sort_columns(tile(t), rows_);
  }

 private:
  static void copy_row(const double* from, double* to) {
    std::memcpy(to, from, w * sizeof(double));
  }  // no call: its size is known

  // Where rows begin that are not above the one before in every column. False: runs are short.
  bool find_runs(const double* x) {
    constexpr std::size_t shortest = 16;
    runs_.assign(1, 0);
    for (std::size_t j = 1; j < rows_; ++j) {
      const double *const a = x + (j - 1) * w, *const b = x + j * w;
      int falls = 0;
      for (std::size_t i = 0; i < w; ++i) falls |= b[i] < a[i] ? 1 : 0;
      if (falls == 0) continue;
      if (runs_.size() > j / shortest) return false;
      runs_.push_back(j);
    }
    runs_.push_back(rows_);
    return true;
  }

  // All runs as long as a power of two, filled up with what comes last.
  bool merge_runs(std::size_t t) {
    double* const x = tile(t);
    if (!find_runs(x)) return false;
    const std::size_t count = runs_.size() - 1;
    if (count == 1) return true;
    std::size_t run = 16;
    for (std::size_t r = 0; r < count; ++r)
      while (run < runs_[r + 1] - runs_[r]) run *= 2;
    const std::size_t all = run * (count - 1) + runs_[count] - runs_[count - 1];
    if (all == rows_) return merge_columns(x, rows_, run), true;
    if (all > 2 * rows_) return false;
    if (merged_.size() < all * w) merged_.resize(all * w);
    for (std::size_t r = 0; r < count; ++r) {
      const std::size_t own = runs_[r + 1] - runs_[r];
      double* const to = &merged_[r * run * w];
      std::copy_n(x + runs_[r] * w, own * w, to);
      if (r + 1 < count) std::fill(to + own * w, to + run * w, std::numeric_limits<double>::infinity());
    }
    merge_columns(merged_.data(), all, run);
    std::copy_n(merged_.data(), rows_ * w, x);
    return true;
  }

  std::size_t rows_ = 0, tiles_ = 0;
  AlignedVector<double> columns_, merged_;  // [tiles][rows][w], [merged rows][w]
  std::vector<std::size_t> runs_;           // where they begin, and the end of the last
};

}  // namespace aleator::core::analysis
