// A mechanism at t = 0: which links are bodies of their own, where all of them are, and how fast.
#pragma once

#include <string>
#include <vector>

#include "import/mechanism.hpp"

namespace aleator::core::importing {

// Links without mass have no body: they belong to the one they are fixed to, or to the ground.
struct Drawing {
  std::vector<int> body;              // [link] the link whose body it is part of; −1: the ground
  std::vector<std::string> names;     // [link] of its body, as a model may call it
  std::vector<Pose> pose;             // [link] X_WL
  std::vector<Vector> velocity;       // [link] of its origin
  std::vector<Vector> spin;           // [link]
  std::vector<double> position;       // [link] of its joint, if that has one
  std::vector<double> joint_inertia;  // [link] of all that its joint moves, about its axis or along it
};

// Changes the mechanism where links without mass must be carried by others, and notes it. Throws InputError.
Drawing drawn(Mechanism& mechanism, const ImportOptions& options);

// A name that entries of a model may have.
std::string entry_name(const std::string& name);

}  // namespace aleator::core::importing
