// Bouc–Wen hysteresis as it is written in a model: for forces, joints and bushings alike.
#pragma once

#include "elements/builder.hpp"

namespace aleator::core {

// Its numbers: stiffness, post_yield_ratio, yield_force or yield_displacement, or beta and gamma, …
std::vector<input::Field> hysteresis_fields();

// Numbers of the law. Of those that mean the same, as many as are given must agree.
struct BoucWen {
  double stiffness, ratio;  // k, α
  double A, beta, gamma, n;
  double bound;    // the largest |z|, infinite if β = γ = 0
  double initial;  // z at t = 0
  int whole;       // n, where it is a whole number that no parameter changes; 0 otherwise
};
// `owner` begins messages: "force 'isolator'".
BoucWen bouc_wen_of(const input::Item& group, const std::string& owner, const Builder& builder);

// What a law along a coordinate acts on.
struct HysteresisPlace {
  std::string name, direction;  // of the force or joint; "" where it has only one direction
  int first, second;            // bodies
  Coordinate coordinate;
  double rest = 0, damping = 0;
  bool of_joint = false;
};
Builder::Place add_hysteresis(const BoucWen& law, const HysteresisPlace& place, Builder& builder);

}  // namespace aleator::core
