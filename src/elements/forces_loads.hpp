#pragma once

#include <vector>

#include "elements/builder.hpp"

namespace aleator {

std::vector<ElementType> forces_loads();

}  // namespace aleator
