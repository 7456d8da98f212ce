#include "analysis/select_columns.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

namespace aleator::core::analysis {
namespace {

constexpr std::size_t worth_selecting = 2048, sampled_rows = 1024;  // below, sorting is as fast
constexpr std::size_t rows_ahead = 16;                              // rows that are fetched before they are needed
constexpr double sure = 4;                                          // standard deviations of a rank in the sample

}  // namespace

SelectedColumns::SelectedColumns(std::span<const double* const> rows, std::size_t columns, std::span<const Window> windows)
    : rows_(rows), columns_(columns) {
  if (rows.size() < worth_selecting) {
    sort_all();
  } else {
    bracket(windows);
    collect();
  }
}

// Rows are far apart: no processor guesses which is the next.
void SelectedColumns::put(std::size_t row, double* to) const {
  if (row + rows_ahead < rows_.size())
    __builtin_prefetch(rows_[row + rows_ahead]), __builtin_prefetch(rows_[row + rows_ahead] + columns_ - 1);
  if (columns_ == w) {
    std::memcpy(to, rows_[row], w * sizeof(double));
  } else {
    std::fill(std::copy_n(rows_[row], columns_, to), to + w, 0.0);
  }
}

// Rank r of n values is about rank r m/n of m of them, with a standard deviation of √(m q (1 − q)), q = r/n.
void SelectedColumns::bracket(std::span<const Window> windows) {
  const double n = double(rows_.size()), m = double(sampled_rows);
  AlignedVector<double> sample(sampled_rows * w);
  for (std::size_t k = 0; k < sampled_rows; ++k) put(k * rows_.size() / sampled_rows, &sample[k * w]);
  sort_columns(sample.data(), sampled_rows);
  for (const Window& window : windows) {
    const auto place = [&](std::size_t rank, double side) {
      const double q = (double(rank) + 0.5) / n;
      return q * m + side * (sure * std::sqrt(m * q * (1 - q)) + 2);
    };
    const double first = place(window.first, -1), last = place(window.last, +1);
    Found f;
    for (std::size_t c = 0; c < w; ++c) {
      f.low[c] = first < 0 ? -std::numeric_limits<double>::infinity() : sample[std::size_t(first) * w + c];
      f.high[c] = last >= m ? std::numeric_limits<double>::infinity() : sample[std::size_t(last) * w + c];
    }
    found_.push_back(std::move(f));
  }
}

void SelectedColumns::collect() {
  const std::size_t room = rows_.size() / 4;  // of lists that become longer the end is lost: at() notices
  for (Found& f : found_) f.values.resize((room + 1) * w);
  alignas(64) double own[w];
  for (std::size_t k = 0; k < rows_.size(); ++k) {
    put(k, own);
    for (Found& f : found_)
      for (std::size_t c = 0; c < w; ++c) {
        f.values[std::min(f.count[c], room) * w + c] = own[c];
        f.below[c] += std::size_t(own[c] < f.low[c]);
        f.count[c] += std::size_t(own[c] >= f.low[c]) & std::size_t(own[c] <= f.high[c]);  // no branch
      }
  }
  for (Found& f : found_) {
    std::size_t longest = 0;
    for (std::size_t c = 0; c < w; ++c) {
      if (f.count[c] > room) f.count[c] = 0;
      longest = std::max(longest, f.count[c]);
    }
    for (std::size_t c = 0; c < w; ++c)
      for (std::size_t i = f.count[c]; i < longest; ++i) f.values[i * w + c] = std::numeric_limits<double>::infinity();
    sort_columns(f.values.data(), longest);
  }
}

void SelectedColumns::sort_all() const {
  sorted_.resize(rows_.size() * w);
  for (std::size_t k = 0; k < rows_.size(); ++k) put(k, &sorted_[k * w]);
  sort_columns(sorted_.data(), rows_.size());
}

double SelectedColumns::at(std::size_t column, std::size_t rank) const {
  if (sorted_.empty())
    for (const Found& f : found_)
      if (rank >= f.below[column] && rank - f.below[column] < f.count[column])
        return f.values[(rank - f.below[column]) * w + column];
  if (sorted_.empty()) sort_all();
  return sorted_[rank * w + column];
}

}  // namespace aleator::core::analysis
