// Armature: an inertia a that moves with a free coordinate q of a joint and with nothing else, such as a rotor seen through its gears. It has the
// kinetic energy ½ a q̇². With the gradient g of q, q̇ = g·v and q̈ = g·v̇ + ġ·v, Lagrange's equations give
//   d/dt ∂T/∂v − ∂T/∂q = a q̈ g:   a g gᵀ in the mass matrix of the two bodies, and the force −a (ġ·v) g.
// Bodies are rigid. Derivatives of q̈ = γ·z̈ + β(z, ż) by the places z of the markers need those of β, a third derivative of q:
//   translation:  β = a·X, X = ω×(ω×r − 2ṙ);   angle: see below.
#pragma once

#include "elements/coordinate.hpp"
#include "elements/kernel.hpp"

namespace aleator::core {

struct CoordinateInertia {
  struct Topology {
    Coordinate coordinate;  // a translation or an angle
    JointDirection joint;
  };
  template <class T>
  struct Parameters {
    T inertia;  // kg or kg m²
  };
};

extern const Kernel coordinate_inertia_kernel;

}  // namespace aleator::core
