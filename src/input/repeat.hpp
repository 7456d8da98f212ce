// `repeat: {for: i, from: 1, to: 40}`: the values its variable takes.
#pragma once

#include <vector>

#include "input/substitution.hpp"

namespace aleator::core::input {

// Of each repetition the variables, by key. Throws InputError.
std::vector<std::vector<Tree>> repetitions_of(const Tree& clause, Arithmetic& arithmetic);

}  // namespace aleator::core::input
