// From a model to a consistent state at t = 0: positions moved onto the constraints, velocities made consistent.
#pragma once

#include <string>

#include "dynamics/index1.hpp"
#include "numerics/rank.hpp"

namespace aleator::core {

// What the assembly changed.
struct AssemblyReport {
  double moved = 0;  // largest displacement of a centre of mass, m
  std::string moved_body;
  double turned = 0;  // largest rotation, rad
  std::string turned_body;
  double velocity_change = 0;          // largest change of a velocity, m/s
  double angular_velocity_change = 0;  // rad/s
  // The body whose given velocity (not 0) was changed most, relatively; and the joint that allows it least. Empty: all given ones fit.
  std::string changed_body, resisting_joint;
  double given_speed = 0, start_speed = 0;  // of that body …
  bool is_spin = false;                     // … in rad/s, else in m/s
  double violation = 0;                     // of the constraints as drawn
  int iterations = 0;
};

// The state as drawn, with turns counted from zero.
State<double> drawn_state(const Model& model, const Realization<double>& r);

// Throws SimulationError when the constraints cannot be met, naming the joints that resist.
State<double> assemble(Assembly<double>& assembly, AssemblyReport* report = nullptr);

// Redundant constraints at a state.
struct Redundancy {
  int rows = 0, rank = 0, velocities = 0;      // velocities: unlocked directions of the uncompiled mechanism
  std::vector<int> dependent;                  // rows that follow from earlier ones
  std::vector<std::vector<std::string>> sets;  // for each of them, the joints that share the dependency, its own first
  std::vector<std::vector<RowShare>> shares;   // for each of them, the rows it is the sum of, with their coefficients
  std::vector<double> contradicts;             // by find_contradictions, for each of them: a time; NaN where it agrees
  int freedoms() const { return velocities - rank; }
  bool touches(const std::string& joint) const;  // is this joint's reaction not unique?
};
Redundancy find_redundancy(Assembly<double>& assembly, const State<double>& state);
// Redundant constraints that ask for another motion than the rows they depend on: the first time at which their rates do so, or 0 when their
// accelerations do at the start. Rates at later times are judged with the coefficients of the start, which may change with the position: those
// that seem to differ are cleared if the mechanism can follow its drives all the same.
void find_contradictions(Assembly<double>& assembly, const State<double>& state, double duration, Redundancy& redundancy);

}  // namespace aleator::core
