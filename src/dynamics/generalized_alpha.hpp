// Generalized-α for one realization. generalized_alpha_step.hpp has the equations and the arithmetic; here is what happens when: Newton's
// iteration from the accelerations before, with new factors at a fixed schedule, until the correction is small against the
// accelerations.
#pragma once

#include "dynamics/generalized_alpha_step.hpp"
#include "dynamics/integrators.hpp"

namespace aleator::core {

class GeneralizedAlpha final : public Stepper {
 public:
  GeneralizedAlpha(Assembly<double>& assembly, double rho, double tolerance);

  void begin(State<double>& state, double step) override;
  bool step(State<double>& state, double t1) override;
  std::string why() const override { return why_; }
  bool violates() const override { return violates_; }
  void begin_again(State<double>& state, double step) override;
  void evaluate_for_output(State<double>& state, Side side) override;
  long iterations() const override { return iterations_; }

 private:
  void start(State<double>& state, double step, bool soften);
  bool iterate(const State<double>& s);  // whether it failed
  bool search(const State<double>& s);   // likewise
  bool is_small();                       // the correction
  double length_of_correction() const;

  Assembly<double>& assembly_;
  Index1<double> index1_;
  GeneralizedAlphaStep<double> step_;
  double tolerance_;
  double h_ = 0;
  AlignedVector<double> own_accelerations_, own_lambda_;    // of the method, while the state has those of an output; else empty
  bool starting_ = false;                                   // the next step has to take the velocities to start with
  double previous_size_ = 0;                                // of the last correction, in units of the tolerance
  AlignedVector<double> a1_, lambda_, along_, along_rows_;  // of a search: where it is, and where to
  long iterations_ = 0;
  bool violates_ = false;  // the last step
  std::string why_;
};

std::unique_ptr<LaneMethod> lane_generalized_alpha(LaneCompiler& compiler, const LaneStart& start, const Settings& settings);

}  // namespace aleator::core
