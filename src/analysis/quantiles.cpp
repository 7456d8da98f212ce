#include "analysis/quantiles.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace aleator::analysis {

namespace {

constexpr double none = std::numeric_limits<double>::quiet_NaN();

template <class F>
results::Estimate estimate(double n, double p, F&& at_rank) {
  const double spread = std::sqrt(n * p * (1 - p)), rank = p * (n - 1);
  const double low = std::max(0.0, rank - spread), high = std::min(n - 1, rank + spread);
  // Where the sample ends before √(n p (1−p)) ranks, the slope of what there is stands for the rest.
  const double error = high > low ? (at_rank(high) - at_rank(low)) / (high - low) * spread : none;
  return {at_rank(rank), error};
}

// Between a and b ≥ a, which may be infinite: a time that never came.
double between(double a, double b, double part) { return part == 0 || a == b ? a : a + part * (b - a); }

}  // namespace

results::Estimate quantile(std::span<const double> sorted, double p) {
  if (sorted.empty()) return {none, none};
  return estimate(double(sorted.size()), p, [&](double rank) {
    const std::size_t i = std::size_t(rank), j = std::min(i + 1, sorted.size() - 1);
    return between(sorted[i], sorted[j], rank - double(i));
  });
}

QuantileSketch::QuantileSketch(std::size_t quantities, std::size_t buffer)
    : quantities_(quantities), k_(std::max<std::size_t>(buffer, 2)), base_(quantities * k_) {}

void QuantileSketch::add(std::span<const double> x) {
  for (std::size_t i = 0; i < quantities_; ++i) base_[i * k_ + fill_] = x[i];
  ++count_;
  if (++fill_ == k_) collapse();
}

void QuantileSketch::collapse() {
  for (std::size_t i = 0; i < quantities_; ++i) std::sort(&base_[i * k_], &base_[i * k_] + k_);
  std::vector<double> full = base_;
  fill_ = 0;
  std::vector<double> merged(2 * k_);
  for (std::size_t level = 0;; ++level) {
    if (level == levels_.size()) {
      levels_.emplace_back();
      odd_.push_back(0);
    }
    if (levels_[level].empty()) {
      levels_[level] = std::move(full);
      return;
    }
    // Two buffers of one level: merge, keep every other value. Which half alternates, so that errors cancel.
    const std::size_t first = std::size_t(odd_[level]);
    odd_[level] ^= 1;
    for (std::size_t i = 0; i < quantities_; ++i) {
      const double *a = &levels_[level][i * k_], *b = &full[i * k_];
      std::merge(a, a + k_, b, b + k_, merged.begin());
      for (std::size_t j = 0; j < k_; ++j) full[i * k_ + j] = merged[2 * j + first];
    }
    levels_[level].clear();
    levels_[level].shrink_to_fit();
  }
}

double QuantileSketch::rank_error() const {
  if (levels_.empty()) return 0;
  // A value of weight w stands for w ranks and is put in their middle.
  double ranks = (std::ldexp(1.0, int(levels_.size()) - 1) - 1) / 2;
  // A collapse at level l moves ranks by 0 or 2^l, upwards when it keeps the first half of each pair and downwards otherwise. As
  // these alternate, of the c = count / (k 2^(l+1)) collapses there were no more than ⌈c/2⌉ add up.
  for (std::size_t l = 0; l + 1 < levels_.size(); ++l) {
    const double weight = std::ldexp(1.0, int(l)), collapses = std::floor(count_ / (double(k_) * 2 * weight));
    ranks += weight * std::ceil(collapses / 2);
  }
  return ranks / count_;
}

results::Estimate QuantileSketch::quantile(std::size_t q, double p) const {
  if (count_ == 0) return {none, none};
  std::vector<std::pair<double, double>> all;  // value, weight
  for (std::size_t j = 0; j < fill_; ++j) all.emplace_back(base_[q * k_ + j], 1.0);
  for (std::size_t level = 0; level < levels_.size(); ++level)
    for (std::size_t j = 0; j < (levels_[level].empty() ? 0 : k_); ++j)
      all.emplace_back(levels_[level][q * k_ + j], std::ldexp(1.0, int(level)));
  std::sort(all.begin(), all.end());
  // Value j stands in the middle of the ranks it represents; between these, linear interpolation.
  std::vector<double> rank(all.size());
  double before = 0;
  for (std::size_t j = 0; j < all.size(); ++j) {
    rank[j] = before + (all[j].second - 1) / 2;
    before += all[j].second;
  }
  return estimate(count_, p, [&](double r) {
    const std::size_t j = std::size_t(std::upper_bound(rank.begin(), rank.end(), r) - rank.begin());
    if (j == 0) return all.front().first;
    if (j == rank.size()) return all.back().first;
    return between(all[j - 1].first, all[j].first, (r - rank[j - 1]) / (rank[j] - rank[j - 1]));
  });
}

std::size_t QuantileSketch::buffer_for(std::size_t quantities, long values, std::size_t bytes) {
  std::size_t k = 1024;
  const auto levels = [&] { return 2 + std::max(0.0, std::ceil(std::log2(double(values) / double(k)))); };
  while (k > 64 && double(quantities) * double(k) * levels() * sizeof(double) > double(bytes)) k /= 2;
  return k;
}

void QuantileSketch::save(std::vector<double>& to) const {
  to.insert(to.end(), {double(fill_), count_, double(levels_.size())});
  to.insert(to.end(), base_.begin(), base_.end());
  for (std::size_t l = 0; l < levels_.size(); ++l) {
    to.insert(to.end(), {double(odd_[l]), levels_[l].empty() ? 0.0 : 1.0});
    to.insert(to.end(), levels_[l].begin(), levels_[l].end());
  }
}

const double* QuantileSketch::load(const double* from) {
  fill_ = std::size_t(from[0]);
  count_ = from[1];
  levels_.assign(std::size_t(from[2]), {});
  odd_.assign(levels_.size(), 0);
  from += 3;
  std::copy(from, from + base_.size(), base_.begin());
  from += base_.size();
  for (std::size_t l = 0; l < levels_.size(); ++l) {
    odd_[l] = static_cast<unsigned char>(from[0]);
    const bool there = from[1] != 0;
    from += 2;
    if (!there) continue;
    levels_[l].assign(from, from + base_.size());
    from += base_.size();
  }
  return from;
}

}  // namespace aleator::analysis
