#pragma once

#include <vector>

#include "elements/builder.hpp"

namespace aleator {

std::vector<ElementType> relation_joints();

}  // namespace aleator
