// Static equilibrium: f(q) − Gᵀλ = 0 with g(q) = 0, by Newton's method with load steps.
#pragma once

#include "dynamics/start.hpp"

namespace aleator {

struct Equilibrium {
  State<double> state;   // at rest: velocities and accelerations zero, multipliers of the statical reactions
  int iterations = 0;
  int load_steps = 0;
  double residual = 0;   // largest unbalanced force or moment
  bool stable = true;    // the stiffness on the constraints has no negative eigenvalue
};

// Prescribed motions are frozen at their values at t = 0. Throws SimulationError when there is none to be found.
Equilibrium equilibrium(Assembly<double>& assembly, const State<double>& start);

}  // namespace aleator
