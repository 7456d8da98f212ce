#include "numerics/large_code.hpp"

#include <sys/mman.h>

#include <cstdint>
#include <cstring>

#include "base/large_pages.hpp"

namespace aleator::core::detail {

LargeCode::LargeCode(const void* code, std::size_t bytes) : bytes_((bytes + 2 * large_page - 1) / large_page * large_page) {
  if (bytes == 0) return;
  mapped_ = mmap(nullptr, bytes_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (mapped_ == MAP_FAILED) {
    mapped_ = nullptr;
    return;
  }
  void* const start =
      reinterpret_cast<void*>((reinterpret_cast<std::uintptr_t>(mapped_) + large_page - 1) / large_page * large_page);
  prefer_large_pages(start, bytes_ - large_page);
  std::memcpy(start, code, bytes);
  if (mprotect(mapped_, bytes_, PROT_READ | PROT_EXEC) == 0) code_ = start;
}

LargeCode::~LargeCode() {
  if (mapped_) munmap(mapped_, bytes_);
}

}  // namespace aleator::core::detail
