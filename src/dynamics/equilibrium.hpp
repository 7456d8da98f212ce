// Static equilibrium: where bodies at rest stay at rest,
//   r(q, λ) = −f(q) + Gᵀλ = 0,   g(q) = 0.
// First by Newton's method with load steps: the unbalanced forces r₀ of the start are taken away in n equal parts,
// r = (1 − k/n) r₀ for k = 1 … n, with n = 1, 2, 4 … 64 tried in turn. Where this fails, or ends in an equilibrium that is not
// stable, by following the forces downhill, D q̇ = −r in implicit steps (K + θD) δ = −r, θ → 0: the way a mechanism in honey
// comes to rest. D has the masses, and moments of inertia that are never small.
#pragma once

#include "dynamics/start.hpp"
#include "dynamics/turning.hpp"

namespace aleator::core {

struct Equilibrium {
  State<double> state;  // at rest: velocities and accelerations zero, multipliers of the statical reactions
  int iterations = 0;
  int load_steps = 0;   // of Newton's method; 0 when it was not what found the state
  double residual = 0;  // largest unbalanced force or moment
  bool stable = true;   // the stiffness on the constraints has no negative eigenvalue (not checked above 500 velocities)
};

// Motions and loads are frozen at their values at the time of `start`, prescribed velocities are ignored. A start that is an
// equilibrium already is kept, also when it is unstable. Directions without stiffness and without load stay as they are.
// Friction, which depends on the velocity, holds nothing at rest.
// Throws SimulationError when there is no equilibrium to be found, naming the body that keeps moving.
// With a steady rotation: where bodies stay at rest in a frame that turns; the state has the velocities of the frame.
Equilibrium equilibrium(Assembly<double>& assembly, const State<double>& start, const Turning* turning = nullptr);

}  // namespace aleator::core
