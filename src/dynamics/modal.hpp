// The small vibrations of one realization as numbers: natural frequencies, damping ratios and shapes, in the order of the nominal modes they
// belong to. A model with a ModalAnalysis has these numbers for channels and one instant for a time, so that a study of modes is a study like
// any other: simulate_model asks modal_trajectory for it.
// Modes of a realization are paired with nominal ones by the modal assurance criterion, shapes weighted by the nominal inertia D,
//   MAC = |φᴴ D ψ|² / (φᴴDφ ψᴴDψ),
// the largest first: frequencies may cross.
#pragma once

#include "dynamics/modes.hpp"
#include "dynamics/simulate.hpp"
#include "dynamics/turning.hpp"

namespace aleator::core {

// "frequency_1" below 20 Hz: a limit of the modal model.
struct ModalLimit {
  std::string channel;
  bool above = false;
  double value = 0;
};

struct ModalRequest {
  int number = 6;       // of modes, those with the lowest frequencies; rigid motions do not count
  std::string about;    // start, equilibrium, steady, rotation; empty: start, or equilibrium where simulations begin there
  std::string frame;    // of a rotation: the body with which everything turns; empty: the only one that is driven from the ground
  bool shapes = false;  // also displacements of bodies in each mode
  int sparse_above = core::sparse_above;  // velocities from which on the sparse matrix is used
  std::vector<ModalLimit> limits = {};
};

// What the modes are about, and the modes: at least `number` that are not rigid, where there are as many.
struct ModesFound {
  State<double> state;
  std::vector<Mode> modes;  // as modes()
  ModesReport report;
};
// Throws SimulationError; InputError where the frame of a rotation is no rigid body of the model.
ModesFound find_modes(Assembly<double>& assembly, const ModalRequest& request);
// What is said of a motion that is not steady, about which modes were asked for: `about` is steady or rotation.
std::string unsteady_note(const std::string& body, const std::string& about);
// Empty where that is an equilibrium, or a steady motion; otherwise a note that says it is not.
std::string balance_note(const ModesReport& report, const std::string& about);
// How `about` is meant where it is left open.
std::string about_of(const Model& model, const ModalRequest& request);

struct ModalAnalysis {
  ModalRequest request;
  std::vector<Eigen::VectorXcd> shapes;  // [number][6 carriers] of the nominal modes
  Eigen::VectorXd weights;               // [6 carriers] D
  std::vector<int> observed;             // velocities whose displacements are channels, if shapes are asked for
  std::string unbalanced;                // where the nominal model is linearised about what is no equilibrium: says so
};

double modal_assurance(const Eigen::VectorXcd& a, const Eigen::VectorXcd& b, const Eigen::VectorXd& weights);
// For each shape the mode that belongs to it, −1 where there are too few; each at most once.
std::vector<int> pair_modes(const std::vector<Eigen::VectorXcd>& shapes, const std::vector<Mode>& modes,
                            const Eigen::VectorXd& weights);
// The inertia of each velocity in the nominal model.
Eigen::VectorXd modal_weights(const Assembly<double>& assembly);

// Of a model that nothing is stepped of.
Settings without_steps(Settings settings);

// The model whose motion is its modes. Throws SimulationError where the nominal model has none, std::invalid_argument where the request fits
// it not.
Model modal_model(const Model& model, const ModalRequest& request);
// One instant with all channels of a modal model, and the poses there.
Trajectory modal_trajectory(const Model& model, const Parameters& numbers, const SimulateOptions& options,
                            AssemblyReport* report);

// One period of a mode about a state, for the eye: displacements are as large as can be seen, and do not decay. [phases][carriers][7], from 0
// to 2π, both included.
std::vector<double> period_of(const Assembly<double>& assembly, const State<double>& about, const Mode& mode, int phases);
struct ModeMotion {
  double frequency = 0, damping_ratio = 0;
  std::vector<double> poses;  // a period
};
// Of the first `number` modes of a modal model that vibrate. Throws SimulationError.
std::vector<ModeMotion> mode_motions(const Model& modal, int phases);

}  // namespace aleator::core
