// A Latin hypercube whose points keep away from each other: of all u_ki = (π_i(k) + v_ki)/n with permutations π_i one for which
//   Σ_{k<l} |u_k − u_l|^(−16)
// is small, which for so high a power is the same as a large smallest distance (φ_p criterion of Morris and Mitchell).
#pragma once

#include <cstdint>
#include <vector>

namespace aleator::core {

// [size][dimension], in ]0, 1[, one in each of `size` strata of each dimension. The same for the same arguments, on every
// machine. At most about a second of work: the improvement fades with many thousands of points.
std::vector<double> optimised_hypercube(int dimension, long size, std::uint64_t seed);

}  // namespace aleator::core
