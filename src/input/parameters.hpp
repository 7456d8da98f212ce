// The section `parameters:`, whose entries may use each other in any order.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "input/reading.hpp"

namespace aleator::core::input {

struct SortedParameters {
  std::vector<const Tree*> entries;  // each uses only those before it; in the order of the file as far as possible
  std::unordered_set<std::string> circular, misnamed = {};
};

// Bad names and circles go to the list.
SortedParameters sorted_parameters(std::span<const Tree> entries, ErrorList& errors);

std::vector<std::string> parameter_names(const std::vector<const Tree*>& entries);
// Those that are wrong, or use such, are 1 and go to `suspect`.
std::vector<Parameter> read_parameters(Reading& reading, const SortedParameters& sorted, std::vector<std::string>& suspect);

}  // namespace aleator::core::input
