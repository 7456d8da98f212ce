// Elements of beams and cables (ancf_beam.hpp, ancf_cable.hpp) as kernels: they read the vectors of their nodes from the carriers
// and put forces, masses and tangents there. Gravity acts through ∫ρ S dV.
#pragma once

#include "elements/ancf_beam.hpp"
#include "elements/ancf_cable.hpp"
#include "elements/kernel.hpp"

namespace aleator::core {

struct BeamElementTopology {
  int carrier[4];  // those of node 1, then those of node 2 (a cable has one per node)
  int normal;      // of a planar model, −1 in space
  int damped;      // 1: its material damps
};

extern const Kernel planar_beam_kernel, spatial_beam_kernel, planar_cable_kernel, spatial_cable_kernel;

}  // namespace aleator::core
