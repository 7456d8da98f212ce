// Laws and copulas that may be written in a model, as plain data. What they mean is in uncertainty/laws.cpp and copula.cpp.
#pragma once

#include <vector>

#include "input/fields.hpp"

namespace aleator::core {

// `mass: {gamma: {mean: 40, cov: 0.5}}`: the tag's value is a group of numbers.
const std::vector<input::Kind>& distribution_kinds();

// `{clayton: [a, b], theta: 2}`: the tag's value is the names of two random quantities.
const std::vector<input::Kind>& copula_kinds();

}  // namespace aleator::core
