// What is done now and then while a study runs.
#pragma once

#include <algorithm>
#include <chrono>

#include "results/study_store.hpp"

namespace aleator::core {

using Clock = std::chrono::steady_clock;
inline double seconds_since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

// Writes what there is while a long run goes on, so that also a killed one leaves something that opens; seldom enough to take
// no more than a twentieth of the time.
class Snapshots {
 public:
  template <class Write>
  void operator()(Write&& write) {
    if (seconds_since(last_) < pause_) return;
    const auto start = Clock::now();
    write();
    pause_ = std::max(shortest_, 20 * seconds_since(start));
    last_ = Clock::now();
  }

 private:
  Clock::time_point last_ = Clock::now();
  double shortest_ = std::chrono::duration<double>(results::save_every()).count(), pause_ = shortest_;
};

// Five times a second at most.
class Seldom {
 public:
  bool operator()() {
    const auto now = Clock::now();
    if (now - last_ < std::chrono::milliseconds(200)) return false;
    last_ = now;
    return true;
  }

 private:
  Clock::time_point last_ = Clock::now();
};

}  // namespace aleator::core
