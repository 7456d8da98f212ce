// Probability densities as curves, for drawing: places from one end of what matters to the other, and the density there.
#pragma once

#include <array>
#include <vector>

#include "uncertainty/center_of_mass_law.hpp"
#include "uncertainty/distribution.hpp"

namespace aleator::core {

struct LawDensity {
  std::vector<double> x, density;  // equally long; both empty where there is no density, or none in closed form
};

// The quantiles 0.0005 … 0.9995, a little widened, heavy tails cut; to an end of the support where that is near. At such an end
// the density is its limit from inside; an end where it grows without bound is left out.
LawDensity law_density(const Distribution& law, int places = 201);

// Of one coordinate of a centre of mass; empty unless its domain is a box along the inertial axes.
LawDensity law_density(const CenterOfMassLaw& law, int axis, int places = 201);

// The smallest and the largest coordinate of a domain along an inertial axis.
std::array<double, 2> extent(const Domain& domain, int axis);

}  // namespace aleator::core
