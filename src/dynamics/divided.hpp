// Steps of equal size, named together with their integrator. One in which Newton's iteration does not converge is done in 2, 4, 8 … parts, each
// of which may be halved again; the next step of the grid has its size again.
#pragma once

#include <memory>

#include "dynamics/stepper.hpp"

namespace aleator::core {

class Divided final : public Stepper {
 public:
  static constexpr int most_halvings =
      6;  // parts are no shorter than 1/64 of the step: beyond that steps should be adapted to their error

  explicit Divided(std::unique_ptr<Stepper> stepper) : stepper_(std::move(stepper)) {}

  void begin(State<double>& state, double step) override;
  bool step(State<double>& state, double t1) override;
  std::string why() const override { return why_; }
  bool violates() const override { return stepper_->violates(); }
  long iterations() const override { return stepper_->iterations(); }
  void evaluate_for_output(State<double>& state, Side side) override { stepper_->evaluate_for_output(state, side); }
  StepReport report() const override { return {divisions_, smallest_}; }

 private:
  bool fails(State<double>& state, double t1);
  bool step_in_parts(State<double>& state, double t1);

  std::unique_ptr<Stepper> stepper_;
  double h_ = 0;
  bool in_parts_ = false;  // the last step was
  long divisions_ = 0;
  double smallest_ = 0;
  std::string why_;
};

}  // namespace aleator::core
