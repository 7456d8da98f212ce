// Order statistics of many columns at some ranks, without sorting all of their values: a sorted sample of the rows says between which values
// the ranks are (as Floyd & Rivest 1975); one pass collects these and counts those below.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "analysis/sort_columns.hpp"
#include "base/aligned.hpp"
#include "results/study.hpp"

namespace aleator::core::analysis {

class SelectedColumns {
 public:
  struct Window {
    std::size_t first, last;  // ranks, from 0
  };
  // `rows` are where the columns of each row begin, at most columns_at_once; no number is NaN. They must stay.
  SelectedColumns(std::span<const double* const> rows, std::size_t columns, std::span<const Window> windows);

  std::size_t rows() const { return rows_.size(); }
  // The value of this rank; beyond the windows it takes long to find the first time.
  double at(std::size_t column, std::size_t rank) const;

 private:
  static constexpr std::size_t w = columns_at_once;
  struct Found {
    std::array<double, w> low{}, high{};  // values in between are collected …
    std::array<std::size_t, w> below{}, count{};
    AlignedVector<double> values;  // … [collected][w], sorted
  };
  void bracket(std::span<const Window> windows);
  void collect();
  void sort_all() const;
  void put(std::size_t row, double* to) const;

  std::span<const double* const> rows_;
  std::size_t columns_;
  std::vector<Found> found_;
  mutable AlignedVector<double> sorted_;  // [rows][w], where all had to be sorted
};

// As of a sorted sample (quantiles.hpp).
results::Estimate quantile(const SelectedColumns& x, std::size_t column, double p, double ranks);

}  // namespace aleator::core::analysis
