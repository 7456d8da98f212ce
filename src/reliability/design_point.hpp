// Design points: where a limit is reached nearest to the origin of the space of standard normal numbers.
//
//   min ½|u|²  subject to  e(u) = 0,   e the excess of one limit;   α = ∇e/|∇e|,  β = α·u
//
// by the improved HL-RF iteration (Zhang & Der Kiureghian 1995): a step towards the foot of the linearised limit, as long as the merit ½|u|² + c|e|
// falls. What curvature the gradients show is used (sequential quadratic programming): on strongly curved limits HL-RF goes to and fro. Gradients are differences. All searches go side by side, so that each round of them is one batch of simulations.
#pragma once

#include <string>
#include <vector>

#include "reliability/procedure.hpp"

namespace aleator::core::reliability {

struct DesignPoint {
  std::size_t limit = 0;
  std::vector<double> u, alpha;
  double beta = 0;
  double slope = 0;       // |∇e|
  bool converged = true;  // false: the best that was found; the limit is not smooth there
};

struct DesignSearch {
  enum class End {
    found,
    flat,
    far,
    failing,
    curved
  };  // flat: nothing moves the excess; far: not reached; failing: simulations around the origin failed; curved: too far from linear
  std::vector<DesignPoint> points;  // of each limit the nearest first, limits in their order
  std::vector<End> ends;            // [limits]
  std::vector<double> at_origin;    // [limits] excess
  double reach = 0;                 // how far it was looked
  long simulations = 0, failed = 0;
};

// Throws what a search that needs gradients cannot do: single values, rejection, too many numbers.
void require_gradients(const Space& space, const std::string& method, std::size_t most);

// One search per limit from the origin; then others, from the mirrored point and with a bulge on what was found (Der Kiureghian & Dakessian 1998), where
// that is cheap.
Procedure find_design_points(Space space, DesignSearch& out);

}  // namespace aleator::core::reliability
