#pragma once

#include <vector>

#include "elements/builder.hpp"

namespace aleator {

std::vector<ElementType> motion_outputs();

}  // namespace aleator
