#include "analysis/quantiles.hpp"

#include <algorithm>
#include <cmath>

#include "analysis/column_tiles.hpp"
#include "analysis/ranks.hpp"
#include "analysis/select_columns.hpp"
#include "base/constants.hpp"
#include "base/parallel.hpp"

namespace aleator::core::analysis {

namespace {

constexpr std::size_t most_levels = 53;  // more than 2⁵³ values have no number
constexpr std::size_t worth_threads = 100000;
constexpr double halvings_of_a_block = 64;  // of one level, at most

// Steele, Lea & Flood (2014), SplitMix64.
std::size_t random_bit(std::size_t level, double number) {
  std::uint64_t z = (std::uint64_t(number) << 6) + level + 0x9e3779b97f4a7c15u;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return std::size_t((z ^ (z >> 31)) & 1);
}

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

results::Estimate quantile(const SelectedColumns& x, std::size_t column, double p, double ranks) {
  if (x.rows() == 0) return {nan, nan};
  return estimate(double(x.rows()), p, ranks, [&](double rank) {
    const std::size_t i = std::size_t(rank), j = std::min(i + 1, x.rows() - 1);
    return between(x.at(column, i), x.at(column, j), rank - double(i));
  });
}

QuantileSketch::QuantileSketch(std::size_t quantities, std::size_t buffer)
    : quantities_(quantities), most_rows_(std::max<std::size_t>(4 * buffer, 64)), levels_(1) {}

// R/3, R/3 · 2/3, … from the highest level down: together R.
double QuantileSketch::allowed(std::size_t level) const {
  return std::max(2.0, std::floor(double(most_rows_) / 3 * std::pow(2.0 / 3, double(levels_.size() - 1 - level))));
}

QuantileSketch::Row QuantileSketch::next_row() {
  if (free_.empty() && made_ < most_rows_) {
    if (made_ == chunks_.size() * rows_at_once) chunks_.emplace_back(std::min(rows_at_once, most_rows_ - made_) * quantities_);
    return Row(made_++);
  }
  if (free_.empty()) {
    // Levels are fewer than rows: one of them has two.
    const auto full = [&](double least) {
      std::size_t l = 0;
      while (l < levels_.size() && double(levels_[l].rows.size()) < std::max(2.0, least > 0 ? allowed(l) : 0)) ++l;
      return l;
    };
    std::size_t l = full(1);
    if (l == levels_.size()) l = full(0);
    halve(l);
  }
  const Row row = free_.back();
  free_.pop_back();
  return row;
}

void QuantileSketch::put_row(std::size_t level, const double* x) {
  const Row row = next_row();
  std::copy_n(x, quantities_, at(row));
  if (levels_.size() <= level) levels_.resize(level + 1);
  levels_[level].rows.push_back(row);
  count_ += std::ldexp(1.0, int(level));
}

void QuantileSketch::add(std::span<const double> x) { put_row(0, x.data()); }

void QuantileSketch::halve(std::size_t level) {
  if (levels_.size() == level + 1) levels_.emplace_back();
  Level& from = levels_[level];
  const std::size_t pairs = from.rows.size() / 2;
  const std::vector<Row> rows(from.rows.begin(), from.rows.begin() + long(2 * pairs));
  const std::size_t first = random_bit(level, from.halved + halvings_of_a_block * block_);
  // Several tiles side by side: rows are far apart in memory, and every visit to one should bring more than a cache line.
  const auto strip = [&](std::size_t number) {
    static thread_local ColumnTiles sorted;
    const std::size_t begin = number * strip_width, own = std::min(strip_width, quantities_ - begin);
    sorted.resize(2 * pairs, own);
    for (std::size_t j = 0; j < 2 * pairs; ++j) sorted.put(j, {at(rows[j]) + begin, own});
    sorted.sort();
    for (std::size_t j = 0; j < pairs; ++j) sorted.get(2 * j + first, {at(rows[j]) + begin, own});
  };
  const std::size_t strips = (quantities_ + strip_width - 1) / strip_width;
  if (2 * pairs * quantities_ > worth_threads)
    each_in_parallel(strips, strip);
  else
    for (std::size_t number = 0; number < strips; ++number) strip(number);
  levels_[level + 1].rows.insert(levels_[level + 1].rows.end(), rows.begin(), rows.begin() + long(pairs));
  free_.insert(free_.end(), rows.rbegin(), rows.rend() - long(pairs));
  from.rows.erase(from.rows.begin(), from.rows.begin() + long(2 * pairs));
  ++from.halved;
  count_halving(level);
}

// The number of values below a place changes by 2^level, up or down alike, where it is odd.
void QuantileSketch::count_halving(std::size_t level) {
  variance_ += std::ldexp(1.0, 2 * int(level));
  most_ += std::ldexp(1.0, int(level));
}

void QuantileSketch::begin(double block) {
  block_ = block;
  count_ = variance_ = most_ = 0;
  made_ = 0;
  free_.clear();
  levels_.assign(1, {});
}

std::size_t QuantileSketch::first_of_block(double block, std::size_t halvings) {
  std::size_t first = 0;
  for (std::size_t l = 0; l < halvings; ++l) first += random_bit(l, halvings_of_a_block * block) << l;
  return first;
}

// Of two values in their order that with b = 0 or 1 goes on, at level l by the bit b_l: of 2ʲ that with the number Σ b_l 2^l.
QuantileSketch::Block QuantileSketch::begin_block(std::size_t rows, std::size_t halvings) {
  Block block;
  if (rows < std::size_t(1) << halvings) halvings = 0;
  block.step = std::size_t(1) << halvings;
  block.sorted = halvings > 0;
  block.whole = rows / block.step * block.step;
  if (levels_.size() <= halvings) levels_.resize(halvings + 1);
  for (std::size_t l = 0; l < halvings; ++l) {
    block.first += random_bit(l, levels_[l].halved + halvings_of_a_block * block_) << l;
    ++levels_[l].halved;
    count_halving(l);
  }
  const auto put = [&](std::size_t level) {
    const Row row = next_row();
    levels_[level].rows.push_back(row);
    count_ += std::ldexp(1.0, int(level));
    return at(row);
  };
  for (std::size_t j = 0; j < block.whole / block.step; ++j) block.to.push_back(put(halvings));
  for (std::size_t k = block.whole; k < rows; ++k) block.rest.push_back(put(0));
  return block;
}

void QuantileSketch::append(const QuantileSketch& later) {
  variance_ += later.variance_, most_ += later.most_;
  for (std::size_t l = 0; l < later.levels_.size(); ++l) {
    for (const Row row : later.levels_[l].rows) put_row(l, later.at(row));
    if (later.levels_[l].halved == 0) continue;
    if (levels_.size() <= l) levels_.resize(l + 1);
    levels_[l].halved += later.levels_[l].halved;
  }
}

double QuantileSketch::rank_error() const {
  if (variance_ == 0) return 0;
  // A value of weight w stands for w ranks and is put in their middle.
  const double middle = (std::ldexp(1.0, int(levels_.size()) - 1) - 1) / 2;
  return (middle + std::min(3 * std::sqrt(variance_), most_)) / count_;
}

std::vector<results::Estimate> QuantileSketch::quantiles(std::size_t q, std::span<const double> p,
                                                         std::span<const double> ranks) const {
  std::vector<results::Estimate> out(p.size(), {nan, nan});
  if (count_ == 0) return out;
  std::vector<double> all, weight;
  for (std::size_t level = 0; level < levels_.size(); ++level)
    for (const Row row : levels_[level].rows) all.push_back(at(row)[q]), weight.push_back(std::ldexp(1.0, int(level)));
  static thread_local RankOrder in_order;
  const std::span<const std::uint32_t> order = in_order(all);  // equal values by weight
  // Value j stands in the middle of the ranks it represents; between these, linear interpolation.
  std::vector<double> rank(all.size());
  double before = 0;
  for (std::size_t j = 0; j < all.size(); ++j) {
    const double own = weight[order[j]];
    rank[j] = before + (own - 1) / 2;
    before += own;
  }
  const auto at_rank = [&](double r) {
    const std::size_t j = std::size_t(std::upper_bound(rank.begin(), rank.end(), r) - rank.begin());
    if (j == 0) return all[order.front()];
    if (j == rank.size()) return all[order.back()];
    return between(all[order[j - 1]], all[order[j]], (r - rank[j - 1]) / (rank[j] - rank[j - 1]));
  };
  const double own = std::sqrt(variance_ / 2);  // numbers below a place are odd every other time
  for (std::size_t i = 0; i < p.size(); ++i)
    out[i] = estimate(count_, p[i], std::hypot(ranks.empty() ? ranks_of_quantile(count_, p[i]) : ranks[i], own), at_rank);
  return out;
}

std::size_t QuantileSketch::buffer_for(std::size_t quantities, std::size_t bytes) {
  std::size_t k = 1024;
  while (k > 64 && double(quantities) * 4 * double(k) * sizeof(double) > double(bytes)) k /= 2;
  return k;
}

void QuantileSketch::save(const PutState& put) const {
  const double head[] = {count_, variance_, most_, double(levels_.size())};
  put(head);
  for (const Level& level : levels_) {
    const double sizes[] = {level.halved, double(level.rows.size())};
    put(sizes);
    for (const Row row : level.rows) put({at(row), quantities_});
  }
}

void QuantileSketch::load(StateReader& from) {
  free_.clear(), made_ = 0;
  const double count = from.count(most_values);
  variance_ = from.number();
  most_ = from.number();
  StateReader::require(variance_ >= 0 && most_ >= 0);
  levels_.assign(from.size(most_levels), {});
  count_ = 0;
  for (std::size_t l = 0; l < levels_.size(); ++l) {
    levels_[l].halved = from.count(most_values);
    for (std::size_t left = from.size(most_rows_ - made_); left > 0; --left) {
      const auto own = from.numbers(quantities_);
      StateReader::require(none_is_nan(own));
      put_row(l, own.data());
    }
  }
  StateReader::require(count_ == count && !levels_.empty());
}

}  // namespace aleator::core::analysis
