// Many realizations of one model, on all cores, delivered in their order.
#pragma once

#include <atomic>
#include <functional>
#include <string>
#include <vector>

#include "design/study.hpp"
#include "model/model.hpp"
#include "uncertainty/random_model.hpp"

namespace aleator {

// One row of a plan, simulated.
struct Realized {
  long row = 0;
  DesignPoint point;
  bool ok = false;
  std::string why;             // it failed
  std::vector<double> sample;  // a number per column of the random model
  std::vector<double> values;  // [times][channels]; empty when it failed
  std::vector<double> poses;   // [times][bodies][7] of the bodies as drawn, for the first few realizations
};

struct EnsembleOptions {
  int threads = 0;                          // 0: as many as there are
  long first_row = 0;                       // where to go on
  long poses_of = 0;                        // realizations below this are delivered with poses
  const std::atomic<bool>* stop = nullptr;  // set from outside: no new realization is begun, those under way are abandoned
};

// Simulates the rows of the plan from first_row on. `deliver` is called from one thread at a time, in the order of the rows,
// without gaps. A realization that fails is tried again with a quarter of the step; if it fails then too, that is delivered.
// Returns the row after the last delivered one.
long run_ensemble(const Model& model, const RandomModel& random, const Plan& plan, std::uint64_t seed,
                  const EnsembleOptions& options, const std::function<void(Realized&&)>& deliver);

// One row alone, as in the ensemble.
Realized realize_row(const Model& model, const RandomModel& random, const Plan& plan, std::uint64_t seed, long row,
                     bool with_poses, const std::atomic<bool>* stop = nullptr);

}  // namespace aleator
