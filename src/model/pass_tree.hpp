// Pass: which joints make a tree of the bodies, and which are cut. Breadth first from the ground, joints with many rows first; of what
// floats the root is the body with the most joints.
#pragma once

#include "model/structure.hpp"

namespace aleator::core {

// After pass_locked, whose retired rows and unknowns it honours. Models with flexible bodies have no tree.
JointTree make_tree(const Topology& topology, const Structure& structure);

}  // namespace aleator::core
