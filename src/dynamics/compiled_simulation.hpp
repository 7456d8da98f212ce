// One simulation at a time by the programs of the lane engine, with a single lane: the same method as in a study, about ten times as fast as
// the uncompiled one, which needs no compilation, can divide steps that fail, and tells what went wrong.
//
// Which of the two computes a simulation, and so its last bits, depends on counts alone (compiling_pays), never on measured time: a command
// gives the same numbers on a busy machine. A simulation that fails in the compiled program is done again without it.
#pragma once

#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <vector>

#include "dynamics/lane_engine.hpp"
#include "dynamics/simulate.hpp"

namespace aleator::core {

// Whether compiling is worth it for so many simulations of a model with these settings: by the number of steps, which has to be larger for larger models.
bool compiling_pays(const Model& model, const Settings& settings, double simulations = 1);

// Compiled once, for simulations of a model with different numbers. Threads may share it.
class CompiledSimulation {
 public:
  // `samples` show which numbers differ between simulations. `balanced`: for simulations that count dissipation. Throws SimulationError when
  // the nominal model cannot start, and Cancelled.
  CompiledSimulation(const Model& model, std::span<const Parameters> samples, const Settings& settings, bool balanced = false);

  // From the realization as drawn, or from a consistent state. None: it has other numbers than the samples showed, or it fails.
  std::optional<Trajectory> operator()(const Realization<double>& realization, const State<double>* start,
                                       const SimulateOptions& options) const;
  // From the numbers to the outputs. Where it fails, the uncompiled method tries, and throws SimulationError.
  Trajectory operator()(const Parameters& numbers, const SimulateOptions& options = {}) const;

 private:
  std::unique_ptr<LaneRun> take() const;
  void give_back(std::unique_ptr<LaneRun> run) const;

  const Model& model_;
  LaneEngine engine_;
  mutable std::mutex mutex_;
  mutable std::vector<std::unique_ptr<LaneRun>> idle_;  // there are never more than threads that ran at the same time
};

}  // namespace aleator::core
