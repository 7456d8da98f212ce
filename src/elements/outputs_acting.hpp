// Outputs of single forces and joints: forces in free directions, deformations, power and work.
#pragma once

#include "elements/builder.hpp"

namespace aleator::core {

std::vector<ElementType> acting_outputs();

// Work of one force or joint, for `work`.
void build_work_of_one(const input::Item& item, Builder& builder);
std::vector<input::Field> work_fields();

}  // namespace aleator::core
