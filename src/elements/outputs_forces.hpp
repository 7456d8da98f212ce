#pragma once

#include <vector>

#include "elements/builder.hpp"

namespace aleator::core {

std::vector<ElementType> force_outputs();

}  // namespace aleator::core
