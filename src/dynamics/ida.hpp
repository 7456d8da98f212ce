// SUNDIALS IDA, adaptive in step and order: a reference that shares the equations of motion with our own integrators, but
// neither their discretisation nor their solver. Unknowns y = (q, v, μ): 7 positions per body, the active velocities,
// multipliers; IDA finds y(t) with
//   q̇ − H(q) v − ½ a (1 − |p|²) p = 0                          the last term pulls each quaternion p to unit length
//   M v̇ + k − f + GᵀBμ = 0
//   Bᵀ [ G v̇ + bias + 2a (G v + g_t) + a² g ] = 0              acceleration level with Baumgarte's terms
// Why this one and not the index-2 form of Gear, Gupta & Leimkuhler: at relative tolerances of 1e-8 … 1e-12 steps are short,
// and then the matrix of the index-2 form has a condition of 1/h² and its multipliers are differences divided by h, which
// stalls Newton's iteration. Here all unknowns but μ are those of an ordinary differential equation; Baumgarte's terms vanish
// on the solution and only keep the constraints at the tolerance, with a = 1/(10 steps).
// B is the identity. Where rows are redundant its columns are a basis of the range of G at the start (a fixed ε, as in
// index1.hpp, would be drowned by the errors of difference quotients); when the mechanism has moved so far that they no longer
// span it well, IDA starts anew with a new B. μ takes no part in the tests of error and of convergence; what is handed out at
// t₁ are λ and v̇ of the index-1 equations at the q and v that IDA found.
// `tolerance` is relative; the absolute one is a hundredth of it, times the size of the model for positions.
#pragma once

namespace aleator::core {

// Whether the program was built with SUNDIALS.
bool have_ida();

}  // namespace aleator::core
