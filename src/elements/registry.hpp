// Every joint, force and output the model language knows. Adding one: write its file, name it in registry.cpp.
#pragma once

#include <vector>

#include "elements/builder.hpp"

namespace aleator::core {

const std::vector<ElementType>& joint_types();
const std::vector<ElementType>& force_types();
const std::vector<ElementType>& output_types();

}  // namespace aleator::core
