// What a comparison says, in words.
#pragma once

#include <string>

#include "analysis/compare.hpp"

namespace aleator::core::analysis {

// Which distributions differ, as far as realizations tell: p-values below 1 % shared out among all that were tested.
std::string significance(const Comparison& comparison);

}  // namespace aleator::core::analysis
