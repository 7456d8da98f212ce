// Outputs of Jacobians: how a point moves per unit rate of a joint.
#pragma once

#include "elements/builder.hpp"

namespace aleator::core {

std::vector<ElementType> jacobian_outputs();

}  // namespace aleator::core
