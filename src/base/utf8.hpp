// Characters of UTF-8 text.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace aleator::core {

// Bytes of the first character; 0 if they are no UTF-8 (overlong, a surrogate, above U+10FFFF, cut off).
std::size_t utf8_length(std::string_view text);

std::size_t characters(std::string_view text);

// Without what a terminal would obey: control characters but for line feeds, those that change the direction of writing, and bytes that
// are no UTF-8. A ? stands for each.
std::string harmless(std::string_view text);

}  // namespace aleator::core
