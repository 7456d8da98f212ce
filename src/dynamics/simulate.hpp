// One simulation, from a consistent state to recorded outputs: pieces between kinks, equal steps in each, a fresh start at
// each kink.
#pragma once

#include <atomic>
#include <functional>
#include <memory>

#include "dynamics/integrators.hpp"
#include "dynamics/recorder.hpp"
#include "dynamics/soft_joints.hpp"
#include "dynamics/start.hpp"

namespace aleator::core {

struct Trajectory {
  std::vector<double> times;
  int channels = 0;
  AlignedVector<double> values;  // [times][channels]
  AlignedVector<double> poses;   // when asked for: [times][carriers][7] by simulate, [times][drawn frames][7] by simulate_model
  AlignedVector<double> forces;  // when asked for: [times][connections][3], of joints and forces (connection_forces.hpp)
  State<double> final_state;
  bool failed = false;
  std::string why;     // of a failure of a single realization
  double reached = 0;  // the end of the last step that succeeded
  long steps = 0;
  std::string integrator;
  StepReport adapted;                        // to their errors
  long iterations = 0, most_iterations = 0;  // of Newton's method: in all steps, and in the one that took most …
  double most_iterations_at = 0;             // … which began here
  // From the start to the end, J: change of T + V, work, the largest T at output times; and by how much more than all work the motion ever gained.
  struct Energy {
    double change = 0, kinetic = 0, gained = 0;
    Energies<double> work;
    // When dissipation is counted: by how much more than it should the energy has changed until an output time, where that is more than
    // time stepping may do (0: nowhere).
    double off = 0, off_at = 0;
  } energy;
  std::string soft_joint;  // gave way most at an output time, by this part of the accelerations (soft_joints.hpp)
  double softness = 0;
};

struct SimulateOptions {
  bool poses = false;
  bool forces = false;                      // of joints and forces
  double step = 0;                          // instead of the model's when not 0
  bool dissipation = false;                 // is to be counted
  bool compile = true;                      // where it pays (compiled_simulation.hpp)
  const std::atomic<bool>* stop = nullptr;  // set from outside to end early
  std::function<void(double t)> progress;   // called at output times
};

// Integrates from `state` (consistent, at t = 0), uncompiled. A motion that fails is returned as far as it came.
Trajectory simulate(Assembly<double>& assembly, State<double> state, const Settings& settings,
                    const SimulateOptions& options = {});

// The nominal model, or one with overrides, from the file to the outputs. Throws SimulationError when it cannot start; a motion that
// fails on its way is returned as far as it came.
Trajectory simulate_as_far(const Model& model, const Parameters& numbers, const SimulateOptions& options = {},
                           AssemblyReport* report = nullptr);
// The same, to the end or not at all: throws SimulationError.
Trajectory simulate_model(const Model& model, const Parameters& numbers, const SimulateOptions& options = {},
                          AssemblyReport* report = nullptr);

// Poses of carriers, as simulate() leaves them, become those of frames as drawn.
void draw_frames(const Model& model, Trajectory& trajectory);
bool all_finite(const Trajectory& trajectory);  // its outputs

}  // namespace aleator::core
