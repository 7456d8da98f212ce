// Numbers for people.
#pragma once

#include <string>

namespace aleator::core {

std::string number(double x);                // 4 significant digits
std::string duration_words(double seconds);  // "35 s", "12 min", "3.1 h"

}  // namespace aleator::core
