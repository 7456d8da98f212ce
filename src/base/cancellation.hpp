// Long computations that somebody may want to end: statistics, fits, reports. Whoever starts one says in a scope which flag ends it;
// the loops inside ask now and then. The scope is that of a thread (base/parallel.hpp hands it to its threads), so that two
// studies in one process do not end each other.
#pragma once

#include <atomic>
#include <stop_token>

namespace aleator::core {

struct Cancelled {};  // what throw_if_cancelled() throws

class CancellationScope {
 public:
  explicit CancellationScope(const std::atomic<bool>* flag);
  ~CancellationScope();
  CancellationScope(const CancellationScope&) = delete;
  CancellationScope& operator=(const CancellationScope&) = delete;

 private:
  const std::atomic<bool>* before_;
};

const std::atomic<bool>* cancellation_flag();  // of this thread; null: none
void throw_if_cancelled();

// A stop token as the flag that the engine looks at.
class StopFlag {
 public:
  explicit StopFlag(const std::stop_token& token) : callback_(token, Set{flag_}) {}
  const std::atomic<bool>& flag() const { return flag_; }
  explicit operator bool() const { return flag_; }

 private:
  struct Set {
    std::atomic<bool>& flag;
    void operator()() const noexcept { flag = true; }
  };
  std::atomic<bool> flag_{false};
  std::stop_callback<Set> callback_;
};

}  // namespace aleator::core
