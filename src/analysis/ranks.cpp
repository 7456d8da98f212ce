#include "analysis/ranks.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <numeric>
#include <utility>

#include "base/wide.hpp"

namespace aleator::core::analysis {
namespace {

constexpr std::size_t worth_digits = 256;  // below, comparisons are faster than tables of digits
constexpr int digit_bits = 11, digits = 3;
constexpr std::size_t digit_values = std::size_t(1) << digit_bits;
constexpr int index_bits = 32 - digit_bits;  // of a value, beside a digit
constexpr std::size_t worth_cells = 512, most_indices = std::size_t(1) << index_bits;
constexpr std::size_t most_in_cells = 400000;  // of more too many share one
static_assert(most_in_cells < most_indices);

// Grows with x; of both zeros it is the same.
std::uint64_t ordered_bits(double x) {
  const auto bits = std::bit_cast<std::uint64_t>(x + 0.0);
  return bits >> 63 ? ~bits : bits | std::uint64_t(1) << 63;
}

void sort_by_comparison(std::span<const double> x, std::span<std::uint32_t> order) {
  std::sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) { return x[a] != x[b] ? x[a] < x[b] : a < b; });
}

// Of values that come after `before` others.
void rank_sorted(std::span<const double> x, std::span<const std::uint32_t> order, std::size_t before, std::span<double> to) {
  for (std::size_t i = 0, end = 0; i < order.size(); i = end) {
    for (end = i + 1; end < order.size() && x[order[end]] == x[order[i]];) ++end;
    for (std::size_t k = i; k < end; ++k) to[order[k]] = double(2 * before + i + end + 1) / 2;  // ranks i+1 … end
  }
}

struct Ends {
  double least, most;
};
ALEATOR_WIDE Ends ends(std::span<const double> x) {
  constexpr std::size_t side = 8;  // by side, so that none waits for another
  std::array<double, side> least, most;
  least.fill(x[0]), most.fill(x[0]);
  std::size_t i = 0;
  for (; i + side <= x.size(); i += side)
    for (std::size_t k = 0; k < side; ++k) {
      least[k] = x[i + k] < least[k] ? x[i + k] : least[k];
      most[k] = x[i + k] > most[k] ? x[i + k] : most[k];
    }
  for (; i < x.size(); ++i) least[0] = std::min(least[0], x[i]), most[0] = std::max(most[0], x[i]);
  return {*std::min_element(least.begin(), least.end()), *std::max_element(most.begin(), most.end())};
}

// Equally wide cells 0 … last. False: the range is none.
ALEATOR_WIDE bool find_equal_cells(std::span<const double> x, Ends of, double last, std::span<std::uint32_t> to) {
  const double least = of.least, scale = last / (of.most - of.least);
  if (!(std::isfinite(of.most - of.least) && std::isfinite(scale))) return false;
  for (std::size_t i = 0; i < x.size(); ++i) to[i] = std::uint32_t(std::int32_t((x[i] - least) * scale));
  return true;
}

// Narrower ones around zero.
void find_leading_bits(std::span<const double> x, Ends of, int bits, std::span<std::uint32_t> to) {
  const std::uint64_t least = ordered_bits(of.least);
  const int shift = std::max(0, int(std::bit_width(ordered_bits(of.most) - least)) - bits);
  for (std::size_t i = 0; i < x.size(); ++i) to[i] = std::uint32_t((ordered_bits(x[i]) - least) >> shift);
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
  if (by_cells(x, to)) return;
  rank_sorted(x, (*this)(x), 0, to);
}

// Cells of the range from the least value to the largest, many more than there are values. Values are sorted by the cell's low digit (which keeps the
// high one and their index, in 32 bits), then by its high one, where they come in the order of their ranks: these are written, and the
// values themselves go nowhere. The few that share a cell are sorted by comparison.
// False: there are too few values, or cells do not tell them apart.
bool RankOrder::by_cells(std::span<const double> x, std::span<double> to) {
  const std::size_t n = x.size();
  if (n < worth_cells || n > most_in_cells) return false;
  const int bits = n < 2000 ? 9 : n < 20000 ? 10 : 11;  // of a digit
  const std::uint32_t values = std::uint32_t(1) << bits;
  cells_.resize(n), order_.resize(n), sorted_.resize(n);
  std::array<std::uint32_t, digit_values> low, high;
  // As if values were spread evenly over the low digit.
  const auto told_apart = [&] {
    low.fill(0), high.fill(0);
    for (const std::uint32_t cell : cells_) ++low[cell & (values - 1)], ++high[cell >> bits];
    double pairs = 0;
    for (std::uint32_t h = 0; h < values; ++h) pairs += double(high[h]) * double(high[h]);
    return pairs < double(n / 8) * double(values);
  };
  const Ends of = ends(x);
  if (!(find_equal_cells(x, of, double(values * values - 1), cells_) && told_apart()) &&
      !(find_leading_bits(x, of, 2 * bits, cells_), told_apart()))
    return false;
  std::array<std::uint32_t, digit_values> end;
  std::inclusive_scan(low.begin(), low.begin() + values, end.begin());
  std::exclusive_scan(low.begin(), low.begin() + values, low.begin(), std::uint32_t(0));
  std::exclusive_scan(high.begin(), high.begin() + values, high.begin(), std::uint32_t(0));
  for (std::uint32_t i = 0; i < n; ++i) sorted_[low[cells_[i] & (values - 1)]++] = (cells_[i] >> bits) << index_bits | i;
  struct Last {  // of the values with this high digit
    std::uint32_t low = ~std::uint32_t(0), index = 0;
  };
  std::array<Last, digit_values> last{};
  shared_.assign(n / 64 + 1, 0);
  std::size_t shared = 0;
  for (std::uint32_t digit = 0, at = 0; digit < values; ++digit)
    for (; at < end[digit]; ++at) {
      const std::uint32_t h = sorted_[at] >> index_bits, i = sorted_[at] & (most_indices - 1), place = high[h]++;
      to[i] = double(place + 1);
      if (last[h].low == digit) {
        order_[place - 1] = last[h].index, order_[place] = i;
        shared_[place / 64] |= std::uint64_t(1) << place % 64, ++shared;
      }
      last[h] = {digit, i};
    }
  if (shared > n / 4) return false;  // equal ones, say
  const auto is_shared = [&](std::size_t place) { return (shared_[place / 64] >> place % 64 & 1) != 0; };
  std::size_t done = 0;
  for (std::size_t word = 0; word < shared_.size(); ++word)
    for (std::uint64_t left = shared_[word]; left != 0; left &= left - 1) {
      const std::size_t place = word * 64 + std::size_t(std::countr_zero(left));
      if (place < done) continue;
      for (done = place + 1; done < n && is_shared(done);) ++done;
      const std::span<std::uint32_t> order = std::span(order_).subspan(place - 1, done - place + 1);  // by their indices so far
      if (order.size() > 2)
        sort_by_comparison(x, order);
      else if (x[order[1]] < x[order[0]])
        std::swap(order[0], order[1]);
      rank_sorted(x, order, place - 1, to);
    }
  return true;
}

std::vector<double> ranks(std::span<const double> x) {
  std::vector<double> out(x.size());
  RankOrder().ranks(x, out);
  return out;
}

}  // namespace aleator::core::analysis
