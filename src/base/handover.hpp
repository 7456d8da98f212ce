// For the thread sanitizer: where one thread goes on with what another has done. TBB sees to the order, but Debian's library is not
// instrumented, so that the sanitizer does not see it do so. Nothing in other builds.
#pragma once

#if defined(__SANITIZE_THREAD__)
#include <sanitizer/tsan_interface.h>
#endif

namespace aleator::core {

// What this thread has done is done before what others do after taking over at the same address.
inline void hand_over([[maybe_unused]] const void* at) {
#if defined(__SANITIZE_THREAD__)
  __tsan_release(const_cast<void*>(at));
#endif
}
inline void take_over([[maybe_unused]] const void* at) {
#if defined(__SANITIZE_THREAD__)
  __tsan_acquire(const_cast<void*>(at));
#endif
}

// The turn of one thread among those that do something one after the other.
class Turn {
 public:
  explicit Turn(const void* at) : at_(at) { take_over(at_); }
  ~Turn() { hand_over(at_); }
  Turn(const Turn&) = delete;
  Turn& operator=(const Turn&) = delete;

 private:
  const void* at_;
};

// The same function for threads of TBB, which keeps and copies functions where the sanitizer does not see it: who calls this has taken
// over at `at` before anything that is looked at. `f` must live as long.
template <class F>
auto taken_over(const void* at, const F& f) {
  return [ at, &f ](auto&&... arguments) __attribute__((no_sanitize("thread")))->decltype(auto) {
    take_over(at);
    return f(arguments...);
  };
}

}  // namespace aleator::core
