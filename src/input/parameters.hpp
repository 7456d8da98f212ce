// The section `parameters:`, whose entries may use each other in any order.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "input/reading.hpp"

namespace aleator::core::input {

// The entries in an order in which each one uses only those before it; that of the file as far as possible.
// Refuses bad names and circles.
std::vector<const Tree*> sorted_parameters(std::span<const Tree> entries);

std::vector<std::string> parameter_names(const std::vector<const Tree*>& entries);
std::vector<Parameter> read_parameters(Reading& reading, const std::vector<const Tree*>& entries);

}  // namespace aleator::core::input
