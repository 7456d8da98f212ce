#pragma once

#include <vector>

#include "elements/builder.hpp"

namespace aleator::core {

std::vector<ElementType> relation_joints();

// The row of a screw's thread, which couples its two free directions; −1 of other joints.
int thread_row(const JointRecord& joint);
// How many motions a joint prescribes, also in directions that cannot be measured.
int prescribed_motions(const JointRecord& joint, const Topology& topology);

}  // namespace aleator::core
