#pragma once

#include <vector>

#include "elements/builder.hpp"

namespace aleator::core {

std::vector<ElementType> lower_pair_joints();

// Of a screw, which is a cylindrical joint with a thread (joint_relations.cpp).
input::Kind screw_kind();
void build_cylindrical(const input::Item& item, Builder& b);

}  // namespace aleator::core
