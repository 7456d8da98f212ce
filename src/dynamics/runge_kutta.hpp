// Explicit methods on the index-1 form: those of Runge and Kutta, and those of Adams and Bashforth that begin with one of them. Constraints are
// kept by projection, by Baumgarte's terms, or not at all. Orientations are integrated as quaternions and normalised. Bodies on hinges move relative to
// what they hang on: within a step the state is reduced (relative_motion.hpp), between steps it is that of whole bodies.
#pragma once

#include "dynamics/index1.hpp"
#include "dynamics/integrators.hpp"
#include "dynamics/lane_method.hpp"
#include "dynamics/step_error.hpp"
#include "dynamics/violation.hpp"

namespace aleator::core {

// A method as a table.
struct Tableau {
  std::vector<double> c;               // [stages] of the step, the first is 0
  std::vector<std::vector<double>> a;  // [stages + 1] weights of the stages before; the last row is that of the step itself
  std::vector<double> error;  // [stages + 1] weights of the estimated error; the last derivative is that at the end of the step
  // Once there have been that many nodes in a piece: weights of the derivatives at the last ones, the newest first, in place of the stages.
  std::vector<double> past = {};
  int stages() const { return int(c.size()); }
  int start() const { return past.empty() ? 0 : int(past.size()) - 1; }  // steps with stages in each piece
};
// a h of Baumgarte's terms −2a ġ − a² g, a double root −a. With derivatives of the past −0.3/h is the limit of stability.
inline double pull_of(const Tableau& t) { return t.past.empty() ? 0.5 : 0.1; }
// With derivatives of the past a step is short, and leaves constraints open by little: one in so many projects.
constexpr int project_every = 4;

// Of steps that are not adapted, one in so many is looked at: is the method stable? With k_s the derivative at the last stage and k at the end of
// the step, both at the same time, h/6 |k_s − k| is about its error (exactly so for the classical method). One as large as 30 % of the speed,
// or of what a step adds to it, while the motion is faster than ever before, is instability. With derivatives of the past it is 3/8 h |∇³k|, by which
// the formulas of order 3 and 4, explicit and implicit, differ.
inline int watch_every(const Tableau& t) {
  return t.past.empty() ? 16 : 15;
}  // a multiple of the derivatives that lanes keep of the past
constexpr double unstable = 0.3;

enum class Stabilization { projection, baumgarte, none };
Stabilization stabilization_of(const Settings& settings);

class RungeKutta final : public Stepper {
 public:
  RungeKutta(Assembly<double>& assembly, const Tableau& tableau, Stabilization stabilization);

  void begin(State<double>& state, double step) override;
  bool step(State<double>& state, double t1) override;
  std::string why() const override { return why_; }
  bool violates() const override { return violates_; }
  bool is_unstable(const State<double>& end) override;
  void evaluate_for_output(State<double>& state, Side side) override;

  bool estimate(double tolerance) override;
  double error() const override { return size_; }
  double turn() const override { return turn_; }
  void save() override { saved_speeds_ = speeds_, saved_pull_ = pull_, saved_rotation_ = rotation_; }
  void restore() override { speeds_ = saved_speeds_, pull_ = saved_pull_, rotation_ = saved_rotation_; }

 private:
  void find_error(const State<double>& end, double h);
  Largest<double> speeds_at(const State<double>& node, double h);
  double instability(const State<double>& end);
  bool has_become_unstable(const State<double>& end);
  bool step_of(State<double>& s, double t1);  // a state that may be reduced
  bool derivative(State<double>& s, Side side, int stage);
  void remember(const State<double>& s);
  bool advance(const State<double>& s, double t1);
  bool leaps() const { return !tableau_.past.empty() && steps_ >= tableau_.start(); }
  bool remains_open(double t);
  void find_pull();
  void add_work(State<double>& end, double h);
  const double* pull() const { return pull_.empty() ? nullptr : pull_.data(); }

  Assembly<double>& assembly_;
  Index1<double> index1_;
  const Tableau& tableau_;
  Stabilization stabilization_;
  Violation violation_;
  bool violates_ = false;  // the last step
  std::string why_;
  double stiffness_ = 0;        // a of Baumgarte's terms −2a ġ − a² g …
  AlignedVector<double> pull_;  // … and the terms at the last node, [rows]; empty without them
  AlignedVector<double> saved_pull_;
  State<double> stage_, reduced_;
  std::vector<AlignedVector<double>> dq_, dv_;          // derivatives at the stages, [7 carriers] and [6 carriers]
  std::vector<Energies<double>> power_;                 // at the stages
  std::vector<AlignedVector<double>> past_q_, past_v_;  // derivatives at the last nodes, the newest first …
  std::vector<Energies<double>> past_power_;            // … and the power there
  bool leapt_ = false;                                  // the last step
  std::unique_ptr<StepError<double>> measure_;          // when errors are estimated …
  AlignedVector<double> error_q_, error_v_;             // … [7 carriers], [6 carriers]
  AlignedVector<double> end_v_, whole_v_;               // rates at the end of the step, velocities of whole bodies there
  Largest<double> speeds_, saved_speeds_;
  double size_ = 0, turn_ = 0;                // of the last step: its error, and its turn, squared
  double rotation_ = 0, saved_rotation_ = 0;  // the fastest at the last node, squared
  StepError<double> stability_;
  long steps_ = 0;  // since the start of the piece
  double h_ = 0;    // of the last step
};

std::unique_ptr<LaneMethod> lane_runge_kutta(LaneCompiler& compiler, const LaneStart& start, const Tableau& tableau,
                                             Stabilization stabilization, double step_tolerance);

// For the table of integrators.
template <const Tableau& (*tableau)()>
std::unique_ptr<Stepper> make_runge_kutta(Assembly<double>& assembly, const Settings& settings) {
  return std::make_unique<RungeKutta>(assembly, tableau(), stabilization_of(settings));
}
template <const Tableau& (*tableau)()>
std::unique_ptr<LaneMethod> make_lane_runge_kutta(LaneCompiler& compiler, const LaneStart& start, const Settings& settings) {
  return lane_runge_kutta(compiler, start, tableau(), stabilization_of(settings), settings.step_tolerance);
}

}  // namespace aleator::core
