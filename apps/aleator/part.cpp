#include "part.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <charconv>

namespace aleator::core::app {

std::string Part::name() const {
  const std::string all = std::to_string(of);
  return fmt::format("{:0{}}-of-{}", number, all.size(), all);
}

std::string Part::text() const { return whole() ? "" : fmt::format("{}/{}", number, of); }

Part part_of(const std::string& text) {
  Part p;
  const char* const end = text.data() + text.size();
  const auto [slash, bad_number] = std::from_chars(text.data(), end, p.number);
  const bool divided = bad_number == std::errc{} && slash != end && *slash == '/';
  const auto [last, bad_count] = divided ? std::from_chars(slash + 1, end, p.of) : std::from_chars_result{end, std::errc{}};
  if (!divided || bad_count != std::errc{} || last != end || p.number < 1 || p.of < p.number || p.of > most_parts)
    throw CLI::ValidationError(
        "--part", fmt::format("must be a number and how many there are, as 3/16 (at most {}), found '{}'", most_parts, text));
  return p;
}

std::string indivisible(const Study& s) {
  if (s.method == "auto" || s.method == "multilevel" || s.method == "control-variate")
    return fmt::format("the method {} decides on the way which realizations it takes; use a sampling method, or mpirun",
                       s.method);
  if (s.accuracy > 0) return "with an accuracy it depends on the first realizations how many there will be; give samples instead";
  return "";
}

}  // namespace aleator::core::app
