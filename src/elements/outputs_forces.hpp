#pragma once

#include <vector>

#include "elements/builder.hpp"

namespace aleator {

std::vector<ElementType> force_outputs();

}  // namespace aleator
