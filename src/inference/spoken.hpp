// Numbers as one says them: "9.8", "57", "1,000".
#pragma once

#include <fmt/format.h>

#include <cmath>
#include <cstddef>
#include <string>

namespace aleator::core::inference {

// How many times: two digits that count, no exponent.
inline std::string spoken(double factor) {
  if (factor < 10) return fmt::format("{:.1f}", factor);
  const double unit = std::pow(10, std::floor(std::log10(factor)) - 1);
  std::string digits = fmt::format("{:.0f}", std::round(factor / unit) * unit);
  for (long i = long(digits.size()) - 3; i > 0; i -= 3) digits.insert(std::size_t(i), ",");
  return digits;
}

}  // namespace aleator::core::inference
