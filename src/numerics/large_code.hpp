// Machine code of several megabytes, in large pages (base/large_pages.hpp).
#pragma once

#include <cstddef>

namespace aleator::core::detail {

class LargeCode {
 public:
  // A copy that may be executed, not written. None of no bytes, or where the system refuses it.
  LargeCode(const void* code, std::size_t bytes);
  ~LargeCode();
  LargeCode(const LargeCode&) = delete;
  LargeCode& operator=(const LargeCode&) = delete;

  const void* data() const { return code_; }  // null: there is none

 private:
  void* mapped_ = nullptr;
  std::size_t bytes_ = 0;
  void* code_ = nullptr;
};

}  // namespace aleator::core::detail
