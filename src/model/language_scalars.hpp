// The model language: what is derived from outputs.
#pragma once

#include "input/fields.hpp"

namespace aleator::core {

std::vector<input::Kind> scalar_kinds();    // of `scalars:`
std::vector<input::Field> filter_fields();  // of every output: weighting, running_rms, spectrum

}  // namespace aleator::core
