#include "study/part.hpp"

#include <fmt/format.h>

#include <charconv>
#include <stdexcept>

namespace aleator::core {

std::string PartRange::name() const {
  const std::string all = std::to_string(of);
  return fmt::format("{:0{}}-of-{}", number, all.size(), all);
}

std::string PartRange::text() const { return whole() ? "" : fmt::format("{}/{}", number, of); }

PartRange part_of(const std::string& text) {
  PartRange p;
  const char* const end = text.data() + text.size();
  const auto [slash, bad_number] = std::from_chars(text.data(), end, p.number);
  const bool divided = bad_number == std::errc{} && slash != end && *slash == '/';
  const auto [last, bad_count] = divided ? std::from_chars(slash + 1, end, p.of) : std::from_chars_result{end, std::errc{}};
  if (!divided || bad_count != std::errc{} || last != end || p.number < 1 || p.of < p.number || p.of > most_parts)
    throw std::invalid_argument(
        fmt::format("must be a number and how many there are, as 3/16 (at most {}), found '{}'", most_parts, text));
  return p;
}

}  // namespace aleator::core
