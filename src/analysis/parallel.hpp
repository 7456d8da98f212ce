// Independent portions of work on all threads of the arena we are in. What is in one portion is done in a fixed order by one
// thread, so that sums do not depend on the number of threads.
#pragma once

#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#include <cstddef>

#include "numerics/handover.hpp"

namespace aleator::analysis {

template <class F>
void each_in_parallel(std::size_t portions, const F& f) {
  // Isolated: whoever waits here must not begin the simulation of another realization.
  const char begin = 0, end = 0;  // places of handover
  hand_over(&begin);
  tbb::this_task_arena::isolate([&] {
    tbb::parallel_for(std::size_t(0), portions, [&](std::size_t portion) {
      take_over(&begin);
      f(portion);
      hand_over(&end);
    });
  });
  take_over(&end);
}

}  // namespace aleator::analysis
