// Where joints and forces hang on the drawn frames.
#pragma once

#include <string>
#include <vector>

#include "model/model.hpp"

namespace aleator::core {

// A point of a drawn frame: of the ground inertial.
struct Hook {
  int frame = -1;  // index into drawn_frames(); −1: the ground
  Vec3<double> point;
};

struct Connection {
  std::string name, kind;
  bool is_joint = true;
  std::vector<Hook> hooks;  // two; one of a load
  bool has_axis = false;
  Vec3<double> axis;  // in the first frame
};

// All joints and forces that have a place, as drawn. A point along a beam hangs on the nearest of its nodes, and does not bend
// with the beam between them.
std::vector<Connection> connections_of(const Model& model);

// Points whose position, displacement, velocity or acceleration is an output; of several outputs of one point the first.
struct ObservedPoint {
  std::string output;
  Hook hook;
};
std::vector<ObservedPoint> observed_points(const Model& model);

}  // namespace aleator::core
