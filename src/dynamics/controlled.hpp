// Steps whose size is controlled by their error. A step of the grid is taken whole where its error allows; otherwise it is done again in parts
// of 1/2, 1/4, 1/8 … of it, each as long as the error there allows and at a multiple of its length, so that parts end where the
// step does. The next step of the grid begins with parts as long as the last ones.
//
// The rules are here, as functions of one realization's own numbers, for a single one (Controlled) and for lanes (lane_march.cpp).
#pragma once

#include <cmath>
#include <memory>

#include "dynamics/stepper.hpp"

namespace aleator::core {

// How many parts may be tried in the whole simulation before it is given up; before the implicit method is tried instead of an explicit one.
// Parts in which a body turns by `free_turn` count less (turn_limit.hpp).
struct TryLimit {
  double most, of_a_turn;
};
TryLimit try_limit(const Settings& settings);

// Where one realization is within a step of the grid.
class StepParts {
 public:
  // A step of the grid begins, in parts as long as the last ones.
  void begin() { at_ = 0; }
  bool done() const { return at_ >= whole; }
  bool is_whole() const { return level_ == 0; }
  double start() const { return double(at_) / double(whole); }          // of the part that is tried, as part of the step …
  double end() const { return double(at_ + part()) / double(whole); }   // … and its end
  double size(double step) const { return std::ldexp(step, -level_); }  // its length
  // After a try: whether it is accepted. `error`: in units of what is allowed; infinite when it failed otherwise. `turn`: squared.
  bool judge(double error, double turn, const TryLimit& limit);
  // It cannot be done: parts are as short as they can be, or there are too many of them.
  bool hopeless(const TryLimit& limit) const { return level_ > deepest_level || tries_ > limit.most; }

  static constexpr double easy =
      0.02;  // below this error the next part is twice as long: of order 5, twice the length is 32 times the error
  // As many halvings as an error of order 5 asks for, one to four; where nothing is known about it, two.
  static int halvings(double error);

  long reductions() const { return reductions_; }
  int deepest() const { return deepest_; }
  static constexpr double shortest = 1.0 / double(1LL << 32), too_short = 1.0 / double(1LL << 30);  // parts

 private:
  static constexpr int most_levels = 32, deepest_level = 30;  // parts are no shorter than 10⁻⁹ of the step
  static constexpr long long whole = 1LL << most_levels;
  long long part() const { return whole >> level_; }

  long long at_ = 0;
  int level_ = 0;  // parts are 2⁻ˡᵉᵛᵉˡ of the step
  int deepest_ = 0;
  long reductions_ = 0;
  double tries_ = 0;
};

class Controlled final : public Stepper {
 public:
  Controlled(std::unique_ptr<Stepper> stepper, const Model& model, double tolerance, const TryLimit& limit);

  void begin(State<double>& state, double step) override;
  bool step(State<double>& state, double t1) override;
  void regrid(double step) override { h_ = step; }
  std::string why() const override { return why_; }
  bool adapts() const override { return true; }
  long iterations() const override { return stepper_->iterations(); }
  void evaluate_for_output(State<double>& state, Side side) override { stepper_->evaluate_for_output(state, side); }
  StepReport report() const override;

 private:
  std::unique_ptr<Stepper> stepper_;
  const Model& model_;
  StepParts parts_;
  State<double> saved_;
  double h_ = 0;
  TryLimit limit_;
  double smallest_ = 0;
  std::string why_;
};

}  // namespace aleator::core
