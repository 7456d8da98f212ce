// The order in which the unknowns of a saddle-point matrix are eliminated:
//
//        [ A  G^T ]     A positive definite, in blocks (block[k] >= 0 is the block of unknown k),
//        [ G  -E  ]     E zero or tiny: multipliers (block[k] = -1).
//
// Minimum degree alone would take a multiplier while its pivot is still zero. Then rows must be exchanged, and the
// exchange depends on values that change with time. Here a multiplier waits until its pivot, an entry of -G A^-1 G^T
// over what has been eliminated, is certain not to vanish for any values of full rank:
//
//  (i)  when every multiplier that it is linked with has all of its unknowns eliminated: the rows of G are complete
//       and have full rank; or
//  (ii) when it finds a block to stand on. Multipliers with the same one or two blocks form a group (a joint); a block
//       carries one group, so that eliminated blocks and groups are a forest: G is block triangular up to order.
//
// In a chain or tree this eliminates from the leaves to the root (block, group, block, ...: the articulated-body order,
// at a cost linear in the number of blocks); loops close by (i).
#pragma once

#include <vector>

#include "numerics/sparse_pattern.hpp"

namespace aleator::core::detail {

// The unknowns in the order of elimination; block as above, one entry per unknown.
std::vector<int> elimination_order(const SparsePattern& pattern, const std::vector<int>& block);

}  // namespace aleator::core::detail
