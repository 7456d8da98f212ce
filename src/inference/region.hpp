// Places spread evenly over a region of the unit cube of which one can only ask whether a place is inside.
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "inference/random.hpp"
#include "inference/unit_cube.hpp"

namespace aleator::core::inference {

using Inside = std::function<bool(std::span<const double>)>;

// Walkers that jump along the lines between them (the stretch move of Goodman & Weare 2010, for a constant density): it does not
// matter how narrow or how tilted the region is. `within` are places inside, at least one; parts of the region that are not
// connected are found only if each has one. Gives about `count` places, uniform in the region and little correlated.
std::vector<Place> walk_region(const Inside& inside, const std::vector<Place>& within, int count, const Uniform& uniform);

// `count` of the candidates, far from each other and from the places taken already, as measured by the spread of the candidates.
std::vector<Place> spread_out(const std::vector<Place>& candidates, const std::vector<Place>& taken, int count,
                              const Uniform& uniform);

}  // namespace aleator::core::inference
