// Explores a log-likelihood on the unit cube with few evaluations: finds its maximum, then evaluates in the region around it where the
// likelihood is not negligible, until a surrogate is accurate there.
//   scan    a low-discrepancy set over the cube
//   climb   evaluate where the surrogate is largest (by BOBYQA from several starts), or may be largest, until it predicts its own maximum
//   fill    places spread over {surrogate ≥ maximum − 1.5 drop}, a batch after the other, until a batch is predicted well enough
#pragma once

#include <atomic>
#include <limits>

#include "inference/maximise.hpp"
#include "inference/region.hpp"
#include "inference/surrogate.hpp"

namespace aleator::core::inference {

struct ExploreSettings {
  int evaluations = 300;   // at most, three at least; below 20 d the answer is poor
  double region_drop = 0;  // the region: log-likelihood less than this below the maximum; 0: half the 95 % quantile of χ²_d
  double accuracy = 0.15;  // wanted of the surrogate inside the region, rms, beside the jumps of the function
  Place start;             // a place to begin with; empty: none
  int scan = 0;            // places of the scan; 0: 2 + 6 d
  Uniform uniform;         // required
  std::function<void(int evaluations, double largest)> progress = nullptr;  // after every evaluation
  const std::atomic<bool>* stop = nullptr;                                  // set: end after the evaluation under way
};

struct Exploration {
  std::vector<Place> points;   // evaluated, in this order
  std::vector<double> values;  // there
  Place at;                    // of the maximum, by the surrogate; empty: no finite value, or stopped at once
  double largest = 0;          // log-likelihood there by the surrogate, in which small jumps are smoothed
  // By evaluation there, or beside it, if that moved it: larger or smaller by a jump. NaN: stopped before.
  double evaluated = std::numeric_limits<double>::quiet_NaN();
  Surrogate surrogate;
  double region_drop = 0;
  // Of the surrogate inside the region, rms, at the last places predicted before they were evaluated; NaN: there were none. The
  // surrogate knows these places now, so that its error is rather smaller.
  double error = std::numeric_limits<double>::quiet_NaN();
  bool accurate = false;  // the error is as small as was wanted, or as jumps of the function allow
  bool stopped = false;   // by the flag
};

// Drop below the maximum beyond which a surrogate need not be exact (surrogate.hpp).
double surrogate_depth(double region_drop);

// Evaluates f one place after the other. What f throws passes through.
Exploration explore(const Function& f, int dimensions, const ExploreSettings& settings);

}  // namespace aleator::core::inference
