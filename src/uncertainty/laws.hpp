// The laws of distribution_kinds() in OpenTURNS' terms: parameters as people give them (mean, std, …) become its own.
#pragma once

#include <span>
#include <string_view>

#include "uncertainty/distribution_module.hpp"

namespace aleator::core {

// Throws std::invalid_argument with what is wrong and what would be right.
Law law_of(std::string_view kind, std::span<const Argument> arguments, double nominal);

}  // namespace aleator::core
