// Independent portions of work on all threads of the arena we are in. What is in one portion is done in a fixed order by one
// thread, so that sums do not depend on the number of threads.
#pragma once

#include <tbb/task_arena.h>

#include <cstddef>

#include "base/handover.hpp"

namespace aleator::core {

// Calls call(job, portion) for all portions.
void each_in_parallel(std::size_t portions, void (*call)(const void* job, std::size_t portion), const void* job);

template <class F>
void each_in_parallel(std::size_t portions, const F& f) {
  struct Job {
    const F& f;
    char end = 0;  // where threads hand over what they have done
  } const job{f};
  hand_over(&job);
  each_in_parallel(
      portions,
      [](const void* at, std::size_t portion) {
        take_over(at);
        const Job& own = *static_cast<const Job*>(at);
        own.f(portion);
        hand_over(&own.end);
      },
      &job);
  take_over(&job.end);
}

}  // namespace aleator::core
