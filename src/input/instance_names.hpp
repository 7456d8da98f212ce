// Names of the entries of an instance: `left.thigh` from outside; inside of the template they are `thigh`.
#pragma once

#include "input/fields.hpp"
#include "input/yaml_tree.hpp"

namespace aleator::core::input {

// Puts `name.` before the names of all entries, and wherever they are referred to. Other names (`ground`, bodies and points
// outside of the template) stay.
void name_instance(Tree& sections, const std::string& name, const Language& language);

}  // namespace aleator::core::input
