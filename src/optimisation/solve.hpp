// The best design according to the stand-in: the smallest cost with all constraints met, by many starts and COBYLA (Powell 1994, NLopt).
// Deterministic.
#pragma once

#include <vector>

#include "optimisation/stand_in.hpp"

namespace aleator::core::optimisation {

// When a constraint counts as met: g + shift + errors × (its standard error) + slack × (its spread) ≤ 0.
struct Aim {
  double errors = 0, slack = 0;
  std::vector<double> shift = {};  // [constraints]; none: 0
};

struct Solved {
  Place at;
  double cost = 0;
  double worst = 0;  // the largest of the constraints over its spread
  bool meets() const { return worst <= 1e-6; }
};

// Places that are looked at before anything is refined: even ones, some of them pushed to the faces of the cube, and its corners.
std::vector<Place> candidates(int dimensions);

// `starts`: places that are looked at beside those.
Solved solve(const Problem& problem, const StandIn& stand_in, const Aim& aim, const std::vector<Place>& starts);

double worst_of(const Problem& problem, const StandIn& stand_in, const Aim& aim, std::span<const double> place,
                const StandIn::At& at);

}  // namespace aleator::core::optimisation
