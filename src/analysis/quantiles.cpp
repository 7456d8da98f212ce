#include "analysis/quantiles.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "analysis/parallel.hpp"
#include "analysis/sort_columns.hpp"
#include "base/constants.hpp"

namespace aleator::core::analysis {

namespace {

constexpr std::size_t most_levels = 53;  // more than 2⁵³ values have no number

// What is not a number has no rank.
bool none_is_nan(std::span<const double> x) {
  return std::none_of(x.begin(), x.end(), [](double value) { return std::isnan(value); });
}

template <class F>
results::Estimate estimate(double n, double p, double spread, F&& at_rank) {
  const double rank = p * (n - 1);
  const double low = std::max(0.0, rank - spread), high = std::min(n - 1, rank + spread);
  if (n > 1 && spread == 0) return {at_rank(rank), 0};
  // Where the sample ends before that many ranks, the slope of what there is stands for the rest.
  const double error = high > low ? (at_rank(high) - at_rank(low)) / (high - low) * spread : nan;
  return {at_rank(rank), error};
}

// Between a and b ≥ a, which may be infinite: a time that never came.
double between(double a, double b, double part) { return part == 0 || a == b ? a : a + part * (b - a); }

}  // namespace

double ranks_of_quantile(double n, double p, double ranks_below) { return std::hypot(ranks_below, (1 - 2 * p) * n / (n + 1)); }

double ranks_of_quantile(double n, double p) { return ranks_of_quantile(n, p, std::sqrt(n * p * (1 - p))); }

results::Estimate quantile(std::span<const double> sorted, double p) {
  return quantile(sorted, p, ranks_of_quantile(double(sorted.size()), p));
}

results::Estimate quantile(std::span<const double> sorted, double p, double ranks) {
  if (sorted.empty()) return {nan, nan};
  return estimate(double(sorted.size()), p, ranks, [&](double rank) {
    const std::size_t i = std::size_t(rank), j = std::min(i + 1, sorted.size() - 1);
    return between(sorted[i], sorted[j], rank - double(i));
  });
}

QuantileSketch::QuantileSketch(std::size_t quantities, std::size_t buffer)
    : quantities_(quantities),
      tiles_((quantities + columns_at_once - 1) / columns_at_once),
      k_(std::max<std::size_t>(buffer, 2)),
      base_(quantities * k_) {}

void QuantileSketch::add(std::span<const double> x) {
  std::copy_n(x.begin(), quantities_, base_.begin() + long(fill_ * quantities_));
  ++count_;
  if (++fill_ == k_) collapse();
}

template <class Fill>
void QuantileSketch::join(std::size_t level, Fill&& fill) {
  constexpr std::size_t w = columns_at_once;
  std::size_t top = level;
  while (top < levels_.size() && levels_[top].occupied) ++top;
  if (top >= levels_.size()) levels_.resize(top + 1);
  levels_[top].values.resize(tiles_ * k_ * w);
  each_in_parallel(tiles_, [&](std::size_t tile) {
    static thread_local Columns full, pair;  // [k][w], [2k][w]
    full.resize(k_ * w);
    pair.resize(2 * k_ * w);
    fill(tile, full);
    // Two buffers of one level: merge, keep every other value. Which half alternates, so that errors cancel.
    for (std::size_t l = level; l < top; ++l) {
      const double* there = &levels_[l].values[tile * k_ * w];
      for (std::size_t j = 0; j < k_; ++j) {
        std::copy_n(there + j * w, w, &pair[2 * j * w]);
        std::copy_n(&full[j * w], w, &pair[(2 * j + 1) * w]);
      }
      merge_columns(pair.data(), 2 * k_);
      const std::size_t first = levels_[l].next();
      for (std::size_t j = 0; j < k_; ++j) std::copy_n(&pair[(2 * j + first) * w], w, &full[j * w]);
    }
    std::copy_n(full.begin(), k_ * w, levels_[top].values.begin() + long(tile * k_ * w));
  });
  for (std::size_t l = level; l < top; ++l) {
    levels_[l].occupied = false;
    ++levels_[l].kept[levels_[l].next()];
  }
  levels_[top].occupied = true;
}

void QuantileSketch::collapse() {
  fill_ = 0;
  join(0, [&](std::size_t tile, Columns& full) {
    const std::size_t own = columns_in(tile);
    if (own < columns_at_once) std::fill(full.begin(), full.end(), 0);
    for (std::size_t j = 0; j < k_; ++j)
      std::copy_n(&base_[j * quantities_ + tile * columns_at_once], own, &full[j * columns_at_once]);
    sort_columns(full.data(), k_);
  });
}

void QuantileSketch::append(const QuantileSketch& later) {
  for (std::size_t l = 0; l < later.levels_.size(); ++l) {
    const Level& level = later.levels_[l];
    if (levels_.size() <= l) levels_.resize(l + 1);
    for (const int half : {0, 1}) levels_[l].kept[half] += level.kept[half];
    if (!level.occupied) continue;
    const std::size_t size = k_ * columns_at_once;
    join(l, [&](std::size_t tile, Columns& full) { std::copy_n(&level.values[tile * size], size, full.begin()); });
    count_ += std::ldexp(double(k_), int(l));
  }
  for (std::size_t j = 0; j < later.fill_; ++j) add(std::span(later.base_).subspan(j * quantities_, quantities_));
}

double QuantileSketch::rank_error() const {
  if (levels_.empty()) return 0;
  // A value of weight w stands for w ranks and is put in their middle.
  double ranks = (std::ldexp(1.0, int(levels_.size()) - 1) - 1) / 2;
  // A collapse at level l moves ranks by 0 or 2^l, upwards when it keeps the first of each pair and downwards otherwise: those of
  // one kind add up.
  for (std::size_t l = 0; l < levels_.size(); ++l) ranks += std::ldexp(std::max(levels_[l].kept[0], levels_[l].kept[1]), int(l));
  return ranks / count_;
}

std::vector<results::Estimate> QuantileSketch::quantiles(std::size_t q, std::span<const double> p,
                                                         std::span<const double> ranks) const {
  std::vector<results::Estimate> out(p.size(), {nan, nan});
  if (count_ == 0) return out;
  // Sorted runs, one for the base and one for each level, become one.
  std::vector<std::pair<double, double>> all, merged;  // value, weight
  std::vector<std::size_t> ends;                       // of runs
  for (std::size_t j = 0; j < fill_; ++j) all.emplace_back(base_[j * quantities_ + q], 1.0);
  std::sort(all.begin(), all.end());
  ends.push_back(all.size());
  const std::size_t column = q / columns_at_once * k_ * columns_at_once + q % columns_at_once;
  for (std::size_t level = 0; level < levels_.size(); ++level) {
    if (!levels_[level].occupied) continue;
    for (std::size_t j = 0; j < k_; ++j)
      all.emplace_back(levels_[level].values[column + j * columns_at_once], std::ldexp(1.0, int(level)));
    ends.push_back(all.size());
  }
  while (ends.size() > 1) {
    merged.resize(all.size());
    std::vector<std::size_t> fewer;
    for (std::size_t r = 0, begin = 0; r < ends.size(); r += 2) {
      const std::size_t end = ends[std::min(r + 1, ends.size() - 1)];
      std::merge(&all[begin], all.data() + ends[r], all.data() + ends[r], all.data() + end, &merged[begin]);
      fewer.push_back(end);
      begin = end;
    }
    std::swap(all, merged);
    ends = std::move(fewer);
  }
  // Value j stands in the middle of the ranks it represents; between these, linear interpolation.
  std::vector<double> rank(all.size());
  double before = 0;
  for (std::size_t j = 0; j < all.size(); ++j) {
    rank[j] = before + (all[j].second - 1) / 2;
    before += all[j].second;
  }
  const auto at_rank = [&](double r) {
    const std::size_t j = std::size_t(std::upper_bound(rank.begin(), rank.end(), r) - rank.begin());
    if (j == 0) return all.front().first;
    if (j == rank.size()) return all.back().first;
    return between(all[j - 1].first, all[j].first, (r - rank[j - 1]) / (rank[j] - rank[j - 1]));
  };
  for (std::size_t i = 0; i < p.size(); ++i)
    out[i] = estimate(count_, p[i], ranks.empty() ? ranks_of_quantile(count_, p[i]) : ranks[i], at_rank);
  return out;
}

std::size_t QuantileSketch::buffer_for(std::size_t quantities, long values, std::size_t bytes) {
  std::size_t k = 1024;
  const auto levels = [&] { return 2 + std::max(0.0, std::ceil(std::log2(double(values) / double(k)))); };
  while (k > 64 && double(quantities) * double(k) * levels() * sizeof(double) > double(bytes)) k /= 2;
  return k;
}

void QuantileSketch::save(const PutState& put) const {
  const double sizes[] = {double(fill_), count_, double(levels_.size())};
  put(sizes);
  put(base_);
  for (const Level& level : levels_) {
    const double head[] = {level.kept[0], level.kept[1], level.occupied ? 1.0 : 0.0};
    put(head);
    for (std::size_t row = 0; level.occupied && row < tiles_ * k_; ++row)
      put({&level.values[row * columns_at_once], columns_in(row / k_)});
  }
}

void QuantileSketch::load(StateReader& from) {
  fill_ = from.size(k_ - 1);
  count_ = from.count(most_values);
  levels_.assign(from.size(most_levels), {});
  from.numbers_into(base_);
  double there = double(fill_);
  for (std::size_t l = 0; l < levels_.size(); ++l) {
    Level& level = levels_[l];
    for (double& kept : level.kept) kept = from.count(most_values);
    level.occupied = from.number() != 0;
    if (!level.occupied) continue;
    there += std::ldexp(double(k_), int(l));
    level.values.assign(tiles_ * k_ * columns_at_once, 0);
    for (std::size_t row = 0; row < tiles_ * k_; ++row) {
      const auto own = from.numbers(columns_in(row / k_));
      std::copy(own.begin(), own.end(), &level.values[row * columns_at_once]);
    }
    StateReader::require(none_is_nan(level.values));
  }
  StateReader::require(there == count_ && none_is_nan(base_));
}

}  // namespace aleator::core::analysis
