// What is drawn hangs on frames: one for each rigid body, one at each node of a beam (axes: tangent, height, width).
#pragma once

#include <array>
#include <string>
#include <vector>

#include "elements/blueprint.hpp"

namespace aleator::core {

struct DrawnFrame {
  std::string name;  // "crank", "link.0"
  int body = 0;
  int carrier = 0;
  bool rigid = true;
};

std::vector<DrawnFrame> drawn_frames(const Topology& topology);

// x y z qw qx qy qz of a frame; `positions` are those of a state, seven per carrier.
std::array<double, 7> frame_pose(const Topology& topology, const DrawnFrame& frame, const double* positions);

// [times][carriers][7] → [times][frames][7]
std::vector<double> frame_poses(const Topology& topology, const std::vector<double>& positions);

}  // namespace aleator::core
