// How a text differs from what it was: a short unified diff.
#pragma once

#include <string>

namespace aleator::core {

// "--- name, then", "+++ name, now" and the changed lines with some around them, at most some twenty; empty where it is the same.
std::string text_difference(const std::string& then, const std::string& now, const std::string& name);

}  // namespace aleator::core
