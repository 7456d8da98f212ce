// Pass: bodies that hang on a hinge of the tree, or are fixed to another body by one of its joints. Explicit methods keep the angle of the hinge and its
// rate instead of thirteen numbers of the body, and have nothing to project there (dynamics/relative_motion.hpp).
#pragma once

#include <vector>

#include "model/model.hpp"

namespace aleator::core {

struct RelativeJoint {
  int carrier, parent;      // of the two bodies; the parent may be the ground
  int at_child, at_parent;  // markers of the joint, which have their points in common
  int axis;                 // of both markers: the body turns about it; −1: it does not turn
  int row, rows;            // first of its rows
  int node;                 // of the tree
};

// Parents before children. Empty where there is no tree (pass_tree.hpp), or the pass is switched off.
std::vector<RelativeJoint> find_relative(const Model& model);

}  // namespace aleator::core
