// Pass: bodies whose motion joints to the ground prescribe completely, and bodies that joints hold to those. Their rows alone tell how they
// move, so implicit methods take them out of the matrix of Newton's iteration (dynamics/newton_pattern.hpp).
#pragma once

#include "model/structure.hpp"

namespace aleator::core {

// Rigid bodies with as many rows to the ground, and to bodies found before, as they have directions to move in. Whether these rows are
// independent depends on numbers; who uses them must find out.
std::vector<PrescribedBody> find_prescribed(const Topology& topology, const Structure& structure);

}  // namespace aleator::core
