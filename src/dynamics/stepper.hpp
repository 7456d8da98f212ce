// A time integrator, as the driver sees it.
#pragma once

#include "dynamics/assembly.hpp"

namespace aleator::core {

// How steps were adapted.
struct StepReport {
  long reduced = 0;     // times that a step was done again, shorter
  double smallest = 0;  // step that was accepted; 0: all were of the size given
};

class Stepper {
 public:
  virtual ~Stepper() = default;

  // Starts, or starts anew after a kink, at state.t: positions are given; velocities are made consistent, accelerations and
  // multipliers are computed (limits from the right). `step` is the size of the steps to come.
  virtual void begin(State<double>& state, double step) = 0;
  // To the end of one step: t1 is handed in, so that times do not accumulate. Positions, velocities, accelerations and
  // multipliers are those of t1 (limits from the left). Returns whether it failed; why() says how.
  virtual bool step(State<double>& state, double t1) = 0;
  virtual std::string why() const { return ""; }
  // Whether it failed in a way that parts of the step do not heal: constraints remain open, or bodies turn too far. Then why() names them.
  virtual bool violates() const { return false; }
  virtual bool adapts() const { return false; }  // its steps to their error
  // Whether the step to this state was beyond the limit of stability.
  virtual bool is_unstable(const State<double>& /*end*/) { return false; }
  virtual long iterations() const { return 0; }  // of Newton's method, in all steps so far
  // Evaluates the assembly at the state, for outputs; accelerations and multipliers may be improved.
  virtual void evaluate_for_output(State<double>& state, Side side) = 0;

  virtual StepReport report() const { return {}; }

  // --- for steps that may be divided (divided.hpp) ------------------------------------------------------------------------
  // After a step that failed without violating constraints, which has left the state where it was, or between steps: those to come have
  // another size.
  virtual void begin_again(State<double>& /*state*/, double /*step*/) {}

  // --- where steps follow output times (recorder.hpp) --------------------------------------------------------------------------
  // Those to come have another size, nothing else has happened.
  virtual void regrid(double /*step*/) {}

  // --- for steps of controlled size (controlled.hpp) -----------------------------------------------------------------------
  // From now on error() is that of the last step, in units of what is allowed (step_error.hpp). False: it cannot tell.
  virtual bool estimate(double /*tolerance*/) { return false; }
  virtual double error() const { return 0; }
  virtual double turn() const { return 0; }  // likewise its turn, squared (turn_limit.hpp)
  // The steps to come have another size.
  virtual void resize(double /*step*/) {}
  // What it remembers of the past besides the state: kept, and taken back together with a state of that time.
  virtual void save() {}
  virtual void restore() {}
};

}  // namespace aleator::core
