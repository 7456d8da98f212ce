#include "base/words.hpp"

#include <fmt/format.h>

namespace aleator::core {

std::string number(double x) { return fmt::format("{:.4g}", x); }

std::string duration_words(double seconds) {
  if (seconds < 100) return fmt::format("{:.2g} s", seconds);
  if (seconds < 6000) return fmt::format("{:.0f} min", seconds / 60);
  return fmt::format("{:.1f} h", seconds / 3600);
}

}  // namespace aleator::core
