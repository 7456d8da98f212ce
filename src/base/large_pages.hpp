// Memory in pages of 2 MB, where the system has them: with pages of 4 KB a core that goes through megabytes spends its time looking up addresses.
#pragma once

#include <cstddef>

namespace aleator::core {

inline constexpr std::size_t large_page = std::size_t{2} << 20;

// A wish, before memory is first written; of no effect on less than a few pages.
void prefer_large_pages(void* begin, std::size_t bytes);

}  // namespace aleator::core
