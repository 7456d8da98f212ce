// Independent portions of work on all threads of the arena we are in. What is in one portion is done in a fixed order by one
// thread, so that sums do not depend on the number of threads.
#pragma once

#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#include <cstddef>

namespace aleator::analysis {

template <class F>
void each_in_parallel(std::size_t portions, const F& f) {
  // Isolated: whoever waits here must not begin the simulation of another realization.
  tbb::this_task_arena::isolate([&] { tbb::parallel_for(std::size_t(0), portions, f); });
}

}  // namespace aleator::analysis
