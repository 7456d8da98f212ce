// The curve of a beam through the frames of its nodes, and the frames of its cross-sections along it.
#pragma once

#include <vector>

#include "report/frame.hpp"

namespace aleator::core::report {

inline constexpr int rings_per_element = 6;

// `poses`: x y z qw qx qy qz of each node. Cubic between nodes; rings_per_element frames for each element and one more.
// A round section may turn about the curve, which nobody sees: it is carried along without turning, because the nodes of cables
// in space have axes across them that mean nothing. Others take their height from the nodes.
std::vector<Frame> beam_frames(const double* poses, int nodes, bool round);

}  // namespace aleator::core::report
