#include "base/large_pages.hpp"

#include <sys/mman.h>

#include <cstdint>

namespace aleator::core {

void prefer_large_pages([[maybe_unused]] void* begin, [[maybe_unused]] std::size_t bytes) {
#ifdef MADV_HUGEPAGE
  const auto address = reinterpret_cast<std::uintptr_t>(begin), first = (address + large_page - 1) / large_page * large_page,
             end = (address + bytes) / large_page * large_page;
  if (first < end) madvise(reinterpret_cast<void*>(first), end - first, MADV_HUGEPAGE);
#endif
}

}  // namespace aleator::core
