// Radau IIA of order 5 (Hairer & Wanner 1996), fixed step: for stiff and flexible systems. radau_step.hpp has the equations and the
// arithmetic; here is what happens when: how often to iterate, when to renew the matrices, what to do when it does not converge.
// Accelerations and multipliers at output times are those of the
// index-1 form at the positions and velocities reached, which have the full order; those of the stages have order 3.
#pragma once

#include "dynamics/index1.hpp"
#include "dynamics/integrators.hpp"
#include "dynamics/radau_step.hpp"
#include "dynamics/step_error.hpp"
#include "dynamics/violation.hpp"

namespace aleator::core {

class Radau final : public Stepper {
 public:
  Radau(Assembly<double>& assembly, double tolerance);

  void begin(State<double>& state, double step) override;
  bool step(State<double>& state, double t1) override;
  std::string why() const override { return why_; }
  bool violates() const override { return violates_; }
  void begin_again(State<double>& state, double step) override;
  void evaluate_for_output(State<double>& state, Side side) override;

  bool estimate(double tolerance) override;
  double error() const override { return size_; }
  double turn() const override { return step_.turn; }
  void resize(double step) override;
  void save() override;
  void restore() override;

  // What it cost so far.
  long iterations() const override { return iterations_; }
  long renewals() const { return renewals_; }
  long attempts() const { return attempts_; }

 private:
  bool attempt(bool idle, int renew_every, int limit);
  bool search();
  void renew(bool which);

  Assembly<double>& assembly_;
  Index1<double> index1_;
  RadauStep<double> step_;
  Violation violation_;
  bool violates_ = false;   // the last step
  double contraction_ = 1;  // of Newton's iteration, as last measured …
  double trusted_ = 1;      // … and as it is trusted: less and less while nothing is measured
  double stalled_;          // size of a correction that is accepted when it no longer shrinks
  bool hard_ = false;       // it recently did not converge at the first attempt
  bool lost_ = false;       // it failed: nothing is tried any more
  bool stale_ = false;      // the matrices are to be renewed before the next step
  double age_ = 0;          // of the matrices, in steps
  double h_ = 0;
  bool started_ = false;  // a node was reached that is not that of begin()
  long iterations_ = 0, renewals_ = 0, attempts_ = 0;
  std::string why_;
  std::unique_ptr<StepError<double>> measure_;  // when errors are estimated
  AlignedVector<double> start_;                 // positions at the beginning, [7 carriers]
  Largest<double> reach_, saved_reach_;
  double size_ = 0;
  bool predicts_ = false, saved_predicts_ = false;             // the step before had the same size
  AlignedVector<double> past_, accelerations_, saved_lambda_;  // by save()
  AlignedVector<double> along_;                                // by search()
};

std::unique_ptr<LaneMethod> lane_radau(LaneCompiler& compiler, const LaneStart& start, const Settings& settings);

}  // namespace aleator::core
