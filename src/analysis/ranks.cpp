#include "analysis/ranks.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <numeric>

namespace aleator::core::analysis {
namespace {

constexpr std::size_t worth_digits = 256;  // below, comparisons are faster than tables of digits
constexpr int digit_bits = 11, digits = 3;
constexpr std::size_t digit_values = std::size_t(1) << digit_bits;

// Grows with x; of both zeros it is the same.
std::uint64_t ordered_bits(double x) {
  const auto bits = std::bit_cast<std::uint64_t>(x + 0.0);
  return bits >> 63 ? ~bits : bits | std::uint64_t(1) << 63;
}

void sort_by_comparison(std::span<const double> x, std::span<std::uint32_t> order) {
  std::sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) { return x[a] != x[b] ? x[a] < x[b] : a < b; });
}

}  // namespace

std::span<const std::uint32_t> RankOrder::operator()(std::span<const double> x) {
  const std::size_t n = x.size();
  order_.resize(n);
  if (n < worth_digits) {
    std::iota(order_.begin(), order_.end(), std::uint32_t(0));
    sort_by_comparison(x, order_);
    return order_;
  }
  entries_.resize(n), scratch_.resize(n);
  std::uint64_t least = ~std::uint64_t(0), most = 0;
  for (const double value : x) {
    const std::uint64_t bits = ordered_bits(value);
    least = std::min(least, bits), most = std::max(most, bits);
  }
  const int shift = std::max(0, int(std::bit_width(most - least)) - 32);
  std::array<std::array<std::uint32_t, digit_values>, digits> first{};
  for (std::size_t i = 0; i < n; ++i) {
    const std::uint64_t key = (ordered_bits(x[i]) - least) >> shift;
    entries_[i] = key << 32 | i;
    for (int d = 0; d < digits; ++d) ++first[std::size_t(d)][key >> d * digit_bits & (digit_values - 1)];
  }
  for (int d = 0; d < digits; ++d) {
    std::array<std::uint32_t, digit_values>& place = first[std::size_t(d)];
    std::exclusive_scan(place.begin(), place.end(), place.begin(), std::uint32_t(0));
    for (const std::uint64_t e : entries_) scratch_[place[e >> (32 + d * digit_bits) & (digit_values - 1)]++] = e;
    entries_.swap(scratch_);
  }
  for (std::size_t i = 0; i < n; ++i) order_[i] = std::uint32_t(entries_[i]);
  if (shift == 0) return order_;
  for (std::size_t begin = 0, end = 0; begin < n; begin = end) {
    for (end = begin + 1; end < n && entries_[end] >> 32 == entries_[begin] >> 32;) ++end;
    if (end - begin > 1) sort_by_comparison(x, std::span(order_).subspan(begin, end - begin));
  }
  return order_;
}

void RankOrder::ranks(std::span<const double> x, std::span<double> to) {
  const std::span<const std::uint32_t> order = (*this)(x);
  for (std::size_t i = 0, end = 0; i < order.size(); i = end) {
    for (end = i + 1; end < order.size() && x[order[end]] == x[order[i]];) ++end;
    for (std::size_t k = i; k < end; ++k) to[order[k]] = double(i + end + 1) / 2;  // ranks i+1 … end
  }
}

std::vector<double> ranks(std::span<const double> x) {
  std::vector<double> out(x.size());
  RankOrder().ranks(x, out);
  return out;
}

}  // namespace aleator::core::analysis
