// Times of several things that are to be compared, in one process and in turn (A B C A B C …), so that what disturbs one
// disturbs all; the median of the turns counts.
#pragma once

#include <functional>
#include <vector>

namespace aleator::core::bench {

struct Seconds {
  double cpu = 0;  // of all threads of the process
  double wall = 0;
};
Seconds now();
inline Seconds operator-(const Seconds& a, const Seconds& b) { return {a.cpu - b.cpu, a.wall - b.wall}; }

struct Timing {
  Seconds median, least, most;
};
// Each of `work` is run `turns` times.
std::vector<Timing> measure_in_turn(const std::vector<std::function<void()>>& work, int turns);

}  // namespace aleator::core::bench
