// A model with everything written out that it says by files, templates, repeats, frames and named functions.
#pragma once

#include <string>

#include "input/description.hpp"

namespace aleator::core::input {

// As YAML, an entry to a line, without comments; names of files are relative to the folder of the model. Throws InputError.
std::string expanded_text(const Description& model, const Language& language);

}  // namespace aleator::core::input
