// A time integrator for lanes: programs it has recorded, and the order in which it runs them. Shared by threads; what changes is in
// the LaneRun.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "dynamics/lane_compiler.hpp"

namespace aleator::core {

class LaneRun;

class LaneMethod {
 public:
  virtual ~LaneMethod() = default;
  // Starts, or starts anew after a kink, from the positions and velocities of the node; functions of time are limits from the
  // right there. Leaves accelerations, multipliers and outputs of the node.
  virtual void begin(LaneRun& run) const = 0;
  // From the node to t1, which becomes the node.
  virtual void step(LaneRun& run, double t0, double t1) const = 0;
  // Outputs of the node, unless they are there already.
  virtual void observe(LaneRun&) const {}
  // Positions and velocities of the node, where a method keeps others: before anybody reads them.
  virtual void restore(LaneRun&) const {}

  // --- for steps of controlled size (lane_march.cpp) -----------------------------------------------------------------------
  // Slot: the error of the last step, in units of what is allowed; −1: it was not asked for.
  virtual int error() const { return -1; }
  // Slot: its turn, squared (turn_limit.hpp), where errors are asked for.
  virtual int turn() const { return -1; }
  // What a step changes and the next one needs, the node and its outputs included: a step that is done again begins with it.
  virtual std::vector<Slots> kept() const { return {}; }
  // The next step of a lane has not the size of the one before.
  virtual void resized(LaneRun&, int /*lane*/) const {}
  // Asks for the functions of time of a step, as step() does.
  virtual void pass_signals(LaneRun&, double /*t0*/, double /*t1*/) const {}

  // --- for devices (lane_trace.hpp) ----------------------------------------------------------------------------------------
  // Whether begin() and step() tell a trace all they do.
  virtual bool can_be_traced() const { return false; }
  // Slots, for steps of controlled size: 1 in lanes that take part in the step under way (−1: the method does not ask); those that become 1 in
  // lanes where resized() would be called.
  virtual int active() const { return -1; }
  virtual std::vector<int> of_resized() const { return {}; }
};

// The beginning that all methods share.
struct LaneStart {
  explicit LaneStart(LaneCompiler& compiler);
  int assemble = 0;   // one correction of the positions in lanes that need it
  int going = 0;      // slot: 1 in lanes that need another one
  int violation = 0;  // slot
  int settle = 0;     // after the last correction: measured angles; lanes that could not be assembled fail
  int project = 0;    // makes velocities obey the constraints
  int check = 0;      // lanes whose velocities contradict the constraints fail
};

}  // namespace aleator::core
