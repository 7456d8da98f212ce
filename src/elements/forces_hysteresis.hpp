#pragma once

#include <vector>

#include "elements/builder.hpp"

namespace aleator::core {

std::vector<ElementType> forces_hysteresis();

}  // namespace aleator::core
