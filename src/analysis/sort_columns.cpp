#include "analysis/sort_columns.hpp"

#include <bit>

// Batcher's merge exchange (Knuth, The Art of Computer Programming, vol. 3, algorithm 5.2.2M): phase p turns 2p interleaved
// sorted sequences into p.

namespace aleator::core::analysis {
namespace {

using Two = double __attribute__((vector_size(16), may_alias));
using Four = double __attribute__((vector_size(32), may_alias));

// Not min and max, which would make two zeros of one sign out of −0 and 0.
template <class V>
[[gnu::always_inline]] inline void order(double* upper, double* lower) {
  for (std::size_t lane = 0; lane < columns_at_once; lane += sizeof(V) / sizeof(double)) {
    V& a = *reinterpret_cast<V*>(upper + lane);
    V& b = *reinterpret_cast<V*>(lower + lane);
    const V first = a, second = b;
    const auto exchange = second < first;
    a = exchange ? second : first;
    b = exchange ? first : second;
  }
}

template <class V>
[[gnu::always_inline]] inline void merge_exchange(double* x, std::size_t rows, std::size_t first_phase) {
  const std::size_t half = rows < 2 ? 0 : std::bit_ceil(rows) / 2;
  for (std::size_t p = first_phase; p > 0; p /= 2) {
    std::size_t distance = p, offset = 0;
    for (std::size_t q = half;; q /= 2) {
      // Rows i, i + distance for all i with i & p = offset.
      for (std::size_t start = offset; start + distance < rows; start += 2 * p)
        for (std::size_t i = start; i < start + p && i + distance < rows; ++i)
          order<V>(x + i * columns_at_once, x + (i + distance) * columns_at_once);
      if (q <= p) break;
      distance = q - p;
      offset = p;
    }
  }
}

using Network = void (*)(double* x, std::size_t rows, std::size_t first_phase);

void by_two(double* x, std::size_t rows, std::size_t first_phase) { merge_exchange<Two>(x, rows, first_phase); }
#if defined(__x86_64__)
[[gnu::target("avx2")]] void by_four(double* x, std::size_t rows, std::size_t first_phase) {
  merge_exchange<Four>(x, rows, first_phase);
}
#endif

// The result is the same. (AVX-512 was tried: a third slower on Zen 4.)
Network widest() {
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx2")) return by_four;
#endif
  return by_two;
}

const Network network = widest();

}  // namespace

void sort_columns(double* x, std::size_t rows) { network(x, rows, rows < 2 ? 0 : std::bit_ceil(rows) / 2); }

void merge_columns(double* x, std::size_t rows, std::size_t ways) {
  if (rows <= ways) return sort_columns(x, rows);  // one row each
  network(x, rows, ways / 2);
}

}  // namespace aleator::core::analysis
