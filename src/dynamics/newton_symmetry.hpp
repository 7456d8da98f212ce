// Pass: which entries of the matrices of implicit methods differ from their mirror images. Where none does (forces with a potential, dampers, beams,
// motion in a plane), the matrices are factored as L D Lᵀ: half the operations and half the numbers to keep.
//
// This is found by numbers, at a state drawn at random, and holds as far as that state shows it. An entry that is asymmetric elsewhere only (friction of a
// stop that is open there) makes Newton's iteration contract more slowly, and its solution no less accurate.
#pragma once

#include <vector>

#include "dynamics/assembly.hpp"

namespace aleator::core {

// [nonzeros of the structure's pattern]; s: an assembled state.
std::vector<char> find_asymmetric(Assembly<double>& assembly, const State<double>& s);

}  // namespace aleator::core
