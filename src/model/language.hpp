// The model language: everything that may be written in a model file, as field tables.
#pragma once

#include "input/fields.hpp"

namespace aleator::core {

const input::Language& language();

}  // namespace aleator::core
