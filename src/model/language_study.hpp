// The part of the model language that says what is not known exactly, what is asked of the responses, and how it is studied.
#pragma once

#include "input/fields.hpp"

namespace aleator::core {

std::vector<input::Section> study_sections();  // uncertain, dependence, scalars
input::Field study_field();
const std::vector<std::string_view>& study_methods();  // names of `study: method:`
input::Field limits_field(std::string_view unit);      // of every output

}  // namespace aleator::core
