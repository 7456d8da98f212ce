#include "analysis/sort_columns.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <limits>
#include <utility>

// Groups of rows that fit into registers are sorted by Batcher's merge exchange (Knuth, The Art of Computer Programming, vol. 3, algorithm
// 5.2.2M); then pairs of sorted runs are merged by bitonic mergers (ibid., section 5.3.4): rows i and 2 run − 1 − i are ordered, then rows
// run/2, run/4, … apart, the last of these in registers again. Rows that are not there would be infinite: nothing is exchanged with them.

namespace aleator::core::analysis {
namespace {

using Two = double __attribute__((vector_size(16), may_alias));
using Four = double __attribute__((vector_size(32), may_alias));

// The instructions for minimum and maximum, with a and b in this order: of two equal numbers, 0 and −0 say, each is kept.
template <class V>
[[gnu::always_inline]] inline void order(V& a, V& b) {
  const V x = a, y = b;
  a = x < y ? x : y;
  b = x < y ? y : x;
}

template <class V>
[[gnu::always_inline]] inline V& row(double* x, std::size_t i) {
  return *reinterpret_cast<V*>(x + i * columns_at_once);
}

struct Pair {
  unsigned char upper, lower;
};
struct Pairs {
  std::array<Pair, 80> of{};
  std::size_t count = 0;
  constexpr void add(std::size_t i, std::size_t j) {
    of[count].upper = static_cast<unsigned char>(i);
    of[count++].lower = static_cast<unsigned char>(j);
  }
};

// Merge exchange: rows i, i + distance for all i with i & p = offset.
constexpr Pairs pairs_to_sort(std::size_t rows) {
  Pairs out;
  for (std::size_t p = rows / 2; p > 0; p /= 2) {
    std::size_t distance = p, offset = 0;
    for (std::size_t q = rows / 2;; q /= 2) {
      for (std::size_t i = 0; i + distance < rows; ++i)
        if ((i & p) == offset) out.add(i, i + distance);
      if (q <= p) break;
      distance = q - p;
      offset = p;
    }
  }
  return out;
}

// The end of a bitonic merger.
constexpr Pairs pairs_to_merge(std::size_t rows) {
  Pairs out;
  for (std::size_t distance = rows / 2; distance > 0; distance /= 2)
    for (std::size_t i = 0; i < rows; ++i)
      if ((i & distance) == 0) out.add(i, i + distance);
  return out;
}

template <std::size_t rows, bool sort>
inline constexpr Pairs pairs = sort ? pairs_to_sort(rows) : pairs_to_merge(rows);

template <class V, std::size_t group, bool sort, std::size_t... k>
[[gnu::always_inline]] inline void order_pairs(V* x, std::index_sequence<k...>) {
  (order(x[pairs<group, sort>.of[k].upper], x[pairs<group, sort>.of[k].lower]), ...);
}
template <class V, std::size_t... i>
[[gnu::always_inline]] inline void load(V* own, double* x, std::index_sequence<i...>) {
  ((own[i] = row<V>(x, i)), ...);
}
template <class V, std::size_t... i>
[[gnu::always_inline]] inline void store(const V* own, double* x, std::index_sequence<i...>) {
  ((row<V>(x, i) = own[i]), ...);
}

// A group of rows, in registers.
template <class V, std::size_t group, bool sort>
[[gnu::always_inline]] inline void order_group(double* x, std::size_t rows) {
  constexpr auto all = std::make_index_sequence<group>();
  constexpr auto steps = std::make_index_sequence<pairs<group, sort>.count>();
  V own[group];
  if (rows >= group) {
    load(own, x, all);
    order_pairs<V, group, sort>(own, steps);
    store(own, x, all);
    return;
  }
  for (std::size_t i = 0; i < group; ++i) own[i] = i < rows ? row<V>(x, i) : V{} + std::numeric_limits<double>::infinity();
  order_pairs<V, group, sort>(own, steps);
  for (std::size_t i = 0; i < rows; ++i) row<V>(x, i) = own[i];
}

// Rows `distance` and then `distance`/2 apart.
template <class V>
[[gnu::always_inline]] inline void two_steps(double* x, std::size_t rows, std::size_t distance) {
  const std::size_t half = distance / 2;
  for (std::size_t start = 0; start < rows; start += 2 * distance) {
    std::size_t i = start;
    for (; i < start + half && i + distance + half < rows; ++i) {
      V a = row<V>(x, i), b = row<V>(x, i + half), c = row<V>(x, i + distance), d = row<V>(x, i + distance + half);
      order(a, c), order(b, d), order(a, b), order(c, d);
      row<V>(x, i) = a, row<V>(x, i + half) = b, row<V>(x, i + distance) = c, row<V>(x, i + distance + half) = d;
    }
    for (; i < start + half && i < rows; ++i) {
      if (i + distance < rows) order(row<V>(x, i), row<V>(x, i + distance));
      if (i + half < rows) order(row<V>(x, i), row<V>(x, i + half));
    }
  }
}

template <class V, std::size_t group>
[[gnu::always_inline]] inline void merge_two(double* x, std::size_t rows, std::size_t run) {
  for (std::size_t i = 2 * run - rows; i < run; ++i) order(row<V>(x, i), row<V>(x, 2 * run - 1 - i));
  std::size_t distance = run / 2;
  for (; distance >= 2 * group; distance /= 4) two_steps<V>(x, rows, distance);
  for (; distance >= group; distance /= 2)
    for (std::size_t start = 0; start < rows; start += 2 * distance)
      for (std::size_t i = start; i < start + distance && i + distance < rows; ++i) order(row<V>(x, i), row<V>(x, i + distance));
  for (std::size_t i = 0; i < rows; i += group) order_group<V, group, false>(x + i * columns_at_once, rows - i);
}

// `run`: so many rows are sorted already, one run after the other; 1 or a power of two from `group` on.
template <class V, std::size_t group>
[[gnu::always_inline]] inline void sort_lanes(double* x, std::size_t rows, std::size_t run) {
  if (run < group) {
    for (std::size_t i = 0; i < rows; i += group) order_group<V, group, true>(x + i * columns_at_once, rows - i);
    run = group;
  }
  for (; run < rows; run *= 2)
    for (std::size_t i = 0; i + run < rows; i += 2 * run)
      merge_two<V, group>(x + i * columns_at_once, std::min(rows - i, 2 * run), run);
}

using Network = void (*)(double* x, std::size_t rows, std::size_t run);

void by_two(double* x, std::size_t rows, std::size_t run) {
  for (std::size_t lane = 0; lane < columns_at_once; lane += 2) sort_lanes<Two, 8>(x + lane, rows, run);
}
#if defined(__x86_64__)
[[gnu::target("avx2")]] void by_four(double* x, std::size_t rows, std::size_t run) {
  for (std::size_t lane = 0; lane < columns_at_once; lane += 4) sort_lanes<Four, 8>(x + lane, rows, run);
}
// Twice as many registers. (Of eight lanes each they were tried: a half slower on Zen 4.)
[[gnu::target("avx512f,avx512vl,avx512dq")]] void by_four_in_many(double* x, std::size_t rows, std::size_t run) {
  for (std::size_t lane = 0; lane < columns_at_once; lane += 4) sort_lanes<Four, 16>(x + lane, rows, run);
}
#endif

// The result is the same.
Network widest() {
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512dq")) return by_four_in_many;
  if (__builtin_cpu_supports("avx2")) return by_four;
#endif
  return by_two;
}

const Network network = widest();

}  // namespace

void sort_columns(double* x, std::size_t rows) { network(x, rows, 1); }

void merge_columns(double* x, std::size_t rows, std::size_t run) {
  network(x, rows, std::has_single_bit(run) && run >= 16 ? run : 1);
}

}  // namespace aleator::core::analysis
