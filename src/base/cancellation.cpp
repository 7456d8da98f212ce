#include "base/cancellation.hpp"

namespace aleator::core {
namespace {

thread_local const std::atomic<bool>* current = nullptr;

}  // namespace

CancellationScope::CancellationScope(const std::atomic<bool>* flag) : before_(current) { current = flag; }
CancellationScope::~CancellationScope() { current = before_; }

const std::atomic<bool>* cancellation_flag() { return current; }

void throw_if_cancelled() {
  if (current && current->load(std::memory_order_relaxed)) throw Cancelled{};
}

}  // namespace aleator::core
