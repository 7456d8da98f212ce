#include "base/lanes_to_rows.hpp"

#include "base/wide.hpp"

namespace aleator::core {
namespace {

// Four lanes by four lines at a time, in registers.
ALEATOR_WIDE void four_lanes(const double* lines, std::size_t count, std::size_t width, double* const* rows) {
  double *const r0 = rows[0], *const r1 = rows[1], *const r2 = rows[2], *const r3 = rows[3];
  std::size_t i = 0;
  for (; i + 4 <= count; i += 4) {
    const double* const at = lines + i * width;
    const Four a = reinterpret_cast<const FourAt*>(at)->numbers, b = reinterpret_cast<const FourAt*>(at + width)->numbers,
               c = reinterpret_cast<const FourAt*>(at + 2 * width)->numbers,
               d = reinterpret_cast<const FourAt*>(at + 3 * width)->numbers;
    const Four ab_even = __builtin_shufflevector(a, b, 0, 4, 2, 6), ab_odd = __builtin_shufflevector(a, b, 1, 5, 3, 7),
               cd_even = __builtin_shufflevector(c, d, 0, 4, 2, 6), cd_odd = __builtin_shufflevector(c, d, 1, 5, 3, 7);
    reinterpret_cast<FourAt*>(r0 + i)->numbers = __builtin_shufflevector(ab_even, cd_even, 0, 1, 4, 5);
    reinterpret_cast<FourAt*>(r1 + i)->numbers = __builtin_shufflevector(ab_odd, cd_odd, 0, 1, 4, 5);
    reinterpret_cast<FourAt*>(r2 + i)->numbers = __builtin_shufflevector(ab_even, cd_even, 2, 3, 6, 7);
    reinterpret_cast<FourAt*>(r3 + i)->numbers = __builtin_shufflevector(ab_odd, cd_odd, 2, 3, 6, 7);
  }
  for (; i < count; ++i)
    for (std::size_t lane = 0; lane < 4; ++lane) rows[lane][i] = lines[i * width + lane];
}

}  // namespace

void lanes_to_rows(const double* lines, std::size_t count, std::size_t width, std::span<double* const> rows) {
  for (std::size_t lane = 0; lane < rows.size();) {
    const bool four = lane + 4 <= rows.size() && rows[lane] && rows[lane + 1] && rows[lane + 2] && rows[lane + 3];
    if (four)
      four_lanes(lines + lane, count, width, &rows[lane]);
    else if (double* const to = rows[lane])
      for (std::size_t i = 0; i < count; ++i) to[i] = lines[i * width + lane];
    lane += four ? 4 : 1;
  }
}

}  // namespace aleator::core
