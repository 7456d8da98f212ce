// What `check` finds out about a model, for the terminal and as JSON.
#pragma once

#include <vector>

#include <aleator/study.hpp>

#include "dynamics/start.hpp"
#include "propagation/method.hpp"
#include "study/loaded_model.hpp"

namespace aleator::core {

struct CheckedModel {
  aleator::Model loaded;
  Study study;
  AssemblyReport assembly;
  Redundancy redundancy;
  std::vector<double> breakpoints;         // of the nominal model
  std::vector<std::vector<double>> draws;  // [columns of what is random], some thousand of each

  const Model& model() const { return loaded.compiled().model; }
  const RandomModel& random() const { return loaded.compiled().random(); }
};

// Throws InputError, and SimulationError where the model cannot be assembled.
CheckedModel check(const aleator::Model& model);

// Which properties of a body differ between realizations, whatever makes them random: its own distributions, or parameters.
struct RandomProperties {
  bool mass = false, center_of_mass = false, inertia = false, beam = false;  // beam: length, section or material

  bool any() const { return mass || center_of_mass || inertia || beam; }
};
std::vector<RandomProperties> random_properties(const aleator::Model& model);  // [bodies], from a few draws

// The free directions of a joint in which a motion is prescribed: "z", "rz", "length".
std::vector<std::string> driven_directions(const Model& model, const JointRecord& joint);

// How many realizations a method takes, and whether that is a limit only. Throws InputError where it cannot do the study.
struct PlannedStudy {
  long realizations = 0;
  bool at_most = false;
  std::string size;  // "1000 samples per level in 4 sets"
};
PlannedStudy planned(const aleator::Model& model, const Study& study);

// The names of an output's channels: "tip.x", "tip.y", "tip.z".
std::vector<std::string> channel_names(const Output& output);

}  // namespace aleator::core
