// The union of half spaces α·u > β: the limits of a series system, each replaced by its tangent at its design point.
#pragma once

#include <cstdint>
#include <vector>

namespace aleator::core::reliability {

struct HalfSpace {
  std::vector<double> alpha;
  double beta = 0;
};

// P of the union, by drawing from each half space and counting in how many a point lies (as elementary events, Au & Beck 2001): no simulations, and an
// error of at most 1 %.
double probability_of_union(const std::vector<HalfSpace>& spaces, std::uint64_t seed);

}  // namespace aleator::core::reliability
