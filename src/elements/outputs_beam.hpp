#pragma once

#include <vector>

#include "elements/builder.hpp"

namespace aleator {

std::vector<ElementType> beam_outputs();

}  // namespace aleator
