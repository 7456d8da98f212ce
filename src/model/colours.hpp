// Colours of bodies in pictures, as the model gives them: `color: steelblue`, `color: "#4682b4"`.
#pragma once

#include <string>

#include "input/description.hpp"
#include "input/fields.hpp"

namespace aleator::core {

input::Field colour_field();

// "#rrggbb" in small letters; empty: none is given. Throws InputError where what is given is no colour.
std::string colour_of(const input::Item& body);

}  // namespace aleator::core
