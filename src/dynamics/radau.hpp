// Radau IIA of order 5 (Hairer & Wanner 1996), fixed step: for stiff and flexible systems. radau_step.hpp has the equations and the
// arithmetic; here is what happens when: how often to iterate, when to renew the matrices, what to do about lanes that do not converge.
// Every decision rests on a fixed schedule or on the lane's own numbers. Accelerations and multipliers at output times are those of the
// index-1 form at the positions and velocities reached, which have the full order; those of the stages have order 3.
#pragma once

#include "dynamics/index1.hpp"
#include "dynamics/integrators.hpp"
#include "dynamics/radau_step.hpp"

namespace aleator::core {

template <class T>
class Radau final : public Stepper<T> {
 public:
  Radau(Assembly<T>& assembly, double tolerance);

  void begin(State<T>& state, double step) override;
  MaskOf<T> step(State<T>& state, double t1) override;
  std::string why() const override { return why_; }
  void evaluate_for_output(State<T>& state, Side side) override;

  // What it cost so far.
  long iterations() const override { return iterations_; }
  long renewals() const { return renewals_; }
  long attempts() const { return attempts_; }

 private:
  MaskOf<T> attempt(const MaskOf<T>& without, int renew_every, int limit);
  void renew(const MaskOf<T>& which);
  void explain(const State<T>& s);

  Assembly<T>& assembly_;
  Index1<T> index1_;
  RadauStep<T> step_;
  T contraction_;      // of Newton's iteration, as last measured …
  T trusted_;          // … and as it is trusted: less and less while nothing is measured
  double stalled_;     // size of a correction that is accepted when it no longer shrinks
  MaskOf<T> hard_{};   // lanes that recently did not converge at the first attempt
  MaskOf<T> lost_{};   // lanes that failed: nothing is tried any more
  MaskOf<T> stale_{};  // lanes whose matrices are to be renewed before the next step
  T age_;              // of the matrices, in steps
  double h_ = 0;
  bool started_ = false;  // a node was reached that is not that of begin()
  long iterations_ = 0, renewals_ = 0, attempts_ = 0;
  std::string why_;
};

extern template class Radau<double>;

std::unique_ptr<LaneMethod> lane_radau(LaneCompiler& compiler, const LaneStart& start, const Settings& settings);

}  // namespace aleator::core
