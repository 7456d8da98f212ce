// SUNDIALS IDA, adaptive in step and order: a reference that shares the equations of motion with our own integrators, but
// neither their discretisation nor their solver. Unknowns y = (q, v, λ): 7 positions per body, the active velocities, the
// multipliers of active rows; IDA finds y(t) with
//   q̇ − H(q) v − ½ a (1 − |p|²) p = 0                       the last term pulls each quaternion p to unit length
//   M v̇ + k − f + Gᵀλ = 0
//   G v̇ + bias + 2a (G v + g_t) + a² g − ε λ = 0            acceleration level with Baumgarte's terms
// Why this one and not the index-2 form of Gear, Gupta & Leimkuhler: at relative tolerances of 1e-8 … 1e-12 steps are short,
// and then the matrix of the index-2 form has a condition of 1/h² and its multipliers are differences divided by h, which
// stalls Newton's iteration. Here all unknowns but λ are those of an ordinary differential equation; Baumgarte's terms vanish
// on the solution and only keep the constraints at the tolerance, with a = 1/(10 steps). Redundant rows get a finite λ from ε
// (index1.hpp). λ takes no part in the error test nor in the test of convergence; what is handed out at t₁ is λ and v̇ of the
// index-1 equations at the q and v that IDA found.
#pragma once

#include "dynamics/stepper.hpp"

namespace aleator {

// `tolerance` is relative; the absolute one is a hundredth of it, times the size of the model for positions.
// Throws SimulationError when the program was built without SUNDIALS.
std::unique_ptr<Stepper<double>> make_ida(Assembly<double>& assembly, double tolerance);
bool have_ida();

}  // namespace aleator
