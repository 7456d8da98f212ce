// `repeat: {for: i, from: 1, to: 40}`: the values its variable takes.
#pragma once

#include <vector>

#include "input/substitution.hpp"

namespace aleator::core::input {

// Whether `from`, `to` or `by` are written with variables of what is around it: such a range may be empty for some of their values.
bool has_variable_bounds(const Tree& clause);

// Of each repetition the variables, by key. Throws InputError.
std::vector<std::vector<Tree>> repetitions_of(const Tree& clause, bool may_be_empty, Arithmetic& arithmetic);

}  // namespace aleator::core::input
