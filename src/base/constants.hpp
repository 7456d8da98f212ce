#pragma once

#include <limits>

namespace aleator::core {

inline constexpr double nan = std::numeric_limits<double>::quiet_NaN();  // no value
inline constexpr double infinity = std::numeric_limits<double>::infinity();

}  // namespace aleator::core
