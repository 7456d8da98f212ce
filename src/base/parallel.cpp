// Without the thread sanitizer (CMakeLists.txt): tasks of TBB are handed from thread to thread inside its library, out of its sight.
#include "base/parallel.hpp"

#include <tbb/parallel_for.h>

#include "base/cancellation.hpp"

namespace aleator::core {

void each_in_parallel(std::size_t portions, void (*call)(const void* job, std::size_t portion), const void* job) {
  const std::atomic<bool>* const flag = cancellation_flag();
  const auto one = [=](std::size_t portion) {
    const CancellationScope scope(flag);
    throw_if_cancelled();
    call(job, portion);
  };
  // Isolated: whoever waits here must not begin the simulation of another realization.
  tbb::this_task_arena::isolate([&] { tbb::parallel_for(std::size_t(0), portions, one); });
}

}  // namespace aleator::core
