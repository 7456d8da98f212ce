#pragma once

#include <vector>

#include "elements/builder.hpp"

namespace aleator::core {

std::vector<ElementType> lower_pair_joints();

}  // namespace aleator::core
