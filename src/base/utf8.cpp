#include "base/utf8.hpp"

#include <algorithm>

namespace aleator::core {

namespace {

// Characters that change the direction of writing, and make a text look like another one.
bool turns_text(unsigned code) {
  return (code >= 0x202A && code <= 0x202E) || (code >= 0x2066 && code <= 0x2069) || code == 0x200E || code == 0x200F;
}

}  // namespace

std::size_t utf8_length(std::string_view text) {
  const auto byte = [&](std::size_t i) -> unsigned { return static_cast<unsigned char>(text[i]); };
  if (text.empty()) return 0;
  const unsigned lead = byte(0);
  if (lead < 0x80) return 1;
  const std::size_t length = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
  if (lead < 0xC2 || lead > 0xF4 || length > text.size()) return 0;
  for (std::size_t k = 1; k < length; ++k)
    if ((byte(k) & 0xC0U) != 0x80) return 0;
  const unsigned second = byte(1);
  const bool excluded = (lead == 0xE0 && second < 0xA0) || (lead == 0xED && second > 0x9F) || (lead == 0xF0 && second < 0x90) ||
                        (lead == 0xF4 && second > 0x8F);
  return excluded ? 0 : length;
}

std::size_t characters(std::string_view text) {
  std::size_t n = 0;
  for (const char c : text) n += (static_cast<unsigned char>(c) & 0xC0) != 0x80;
  return n;
}

// C1 some terminals obey in UTF-8, too, others as single bytes.
std::string harmless(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    const auto byte = [&](std::size_t i) { return unsigned(static_cast<unsigned char>(text[i])); };
    const std::size_t length = utf8_length(text);
    const unsigned code = length == 1   ? byte(0)
                          : length == 2 ? (byte(0) & 0x1F) << 6 | (byte(1) & 0x3F)
                          : length == 3 ? (byte(0) & 0x0F) << 12 | (byte(1) & 0x3F) << 6 | (byte(2) & 0x3F)
                                        : 0x10000;
    const bool control = (code < 0x20 && code != '\n') || (code >= 0x7F && code < 0xA0) || turns_text(code);
    if (length == 0 || control)
      out += '?';
    else
      out += text.substr(0, length);
    text.remove_prefix(std::max<std::size_t>(1, length));
  }
  return out;
}

}  // namespace aleator::core
