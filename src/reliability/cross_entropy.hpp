// Where failures are, found without gradients: a mixture of normal densities is fitted to the tenth of a sample that comes nearest to failure, the next
// sample drawn from it, until a tenth fails (cross-entropy method, Rubinstein & Kroese 2004).
#pragma once

#include "reliability/normal_mixture.hpp"
#include "reliability/procedure.hpp"
#include "results/reliability.hpp"

namespace aleator::core::reliability {

struct Approach {
  NormalMixture mixture;  // where failures are
  bool reached = false;
};

// `limit`: its index, or `event`. Counts simulations in `found`.
Procedure approach_failure(Space space, int limit, long per_level, Approach& out, results::Reliability& found);

}  // namespace aleator::core::reliability
