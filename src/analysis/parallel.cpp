// Without the thread sanitizer (CMakeLists.txt): tasks of TBB are handed from thread to thread inside its library, out of its sight.
#include "analysis/parallel.hpp"

#include <tbb/parallel_for.h>

namespace aleator::core::analysis {

void each_in_parallel(std::size_t portions, void (*call)(const void* job, std::size_t portion), const void* job) {
  // Isolated: whoever waits here must not begin the simulation of another realization.
  tbb::this_task_arena::isolate(
      [=] { tbb::parallel_for(std::size_t(0), portions, [=](std::size_t portion) { call(job, portion); }); });
}

}  // namespace aleator::core::analysis
