// Pass: directions of a body that a joint to the ground locks for good are taken out of the unknowns, and the rows that
// locked them are retired.
#pragma once

#include "model/structure.hpp"

namespace aleator::core {

// Sets Structure::dof to −1 for locked directions and Structure::row_active to 0 for superfluous rows. Joints whose reactions
// are an output keep their rows: a retired row has no multiplier.
void lock_unmoved(const Topology& topology, const Parameters& numbers, Structure& structure);

}  // namespace aleator::core
