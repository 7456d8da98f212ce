#include "dynamics/runge_kutta.hpp"

#include <algorithm>

#include "dynamics/newton_failure.hpp"
#include "dynamics/turn_limit.hpp"

namespace aleator::core {

Stabilization stabilization_of(const Settings& s) {
  return s.stabilization == "none"        ? Stabilization::none
         : s.stabilization == "baumgarte" ? Stabilization::baumgarte
                                          : Stabilization::projection;
}

RungeKutta::RungeKutta(Assembly<double>& assembly, const Tableau& tableau, Stabilization stabilization)
    : assembly_(assembly),
      index1_(assembly),
      tableau_(tableau),
      stabilization_(stabilization),
      violation_(assembly.model()),
      stability_(assembly, unstable) {
  dq_.resize(tableau.stages()), dv_.resize(tableau.stages()), power_.resize(tableau.stages());
  for (auto& x : dq_) x.resize(7 * assembly.carriers().count);
  for (auto& x : dv_) x.resize(assembly.velocities());
  past_q_.resize(tableau.past.size()), past_v_.resize(tableau.past.size()), past_power_.resize(tableau.past.size());
  for (auto& x : past_q_) x.resize(7 * assembly.carriers().count);
  for (auto& x : past_v_) x.resize(assembly.velocities());
  if (stabilization == Stabilization::baumgarte) pull_.resize(assembly.rows());
  error_q_.resize(size_t(7) * assembly_.carriers().count), error_v_.resize(assembly_.velocities());
  end_v_.resize(assembly_.velocities()), whole_v_.resize(assembly_.velocities());
}

// At a node, for all stages of the step from there: the stages' own positions are off by h², which a ~ 1/h would turn into
// accelerations that do not vanish with h.
void RungeKutta::find_pull() {
  if (stabilization_ != Stabilization::baumgarte) return;
  assembly_.velocity_residual(pull_.data());
  const double a2 = stiffness_ * stiffness_, two_a = 2 * stiffness_;
  for (size_t r = 0; r < pull_.size(); ++r) pull_[r] = -two_a * pull_[r] - a2 * assembly_.evaluation().residual[r];
}

void RungeKutta::begin(State<double>& s, double h) {
  stiffness_ = pull_of(tableau_) / h;
  index1_.evaluate(s, Side::right);
  index1_.project_velocities(s);
  index1_.evaluate_again(s, Side::right);
  index1_.project_velocities(s);  // for what ε left open: 1e-11 of a jump of velocities, divided by h, would be seen
  index1_.evaluate(s, Side::right);
  find_pull();
  index1_.accelerations(s, pull());
  if (assembly_.accounts()) s.power = assembly_.power(s.lambda.data());
  stage_ = s;
  steps_ = 0;
  rotation_ = fastest_rotation(assembly_);
  if (measure_) {
    speeds_ = measure_->speeds(s.velocities.data(), speeds_);
  } else {
    const Largest<double> now = speeds_at(s, h);
    speeds_ = {std::max(speeds_.places, now.places), std::max(speeds_.turns, now.turns)};
  }
}

bool RungeKutta::estimate(double tolerance) {
  if (!tableau_.past.empty()) return false;  // its steps are equal
  measure_ = std::make_unique<StepError<double>>(assembly_, tolerance);
  return true;
}

// The larger of v and h v̇.
Largest<double> RungeKutta::speeds_at(const State<double>& node, double h) {
  for (size_t k = 0; k < error_v_.size(); ++k) error_v_[k] = h * node.accelerations[k];
  assembly_.whole_velocities(node.velocities.data(), whole_v_.data());
  return stability_.speeds(error_v_.data(), stability_.speeds(whole_v_.data(), {}));
}

// The error of the step against the motion, in units of what is unstable. Far beyond the limit all is in k: then it is h/6 |k| against h |k|.
double RungeKutta::instability(const State<double>& end) {
  const Largest<double> now = speeds_at(end, h_);
  const AlignedVector<double>& last = dv_[tableau_.stages() - 1];
  if (leapt_)
    for (size_t k = 0; k < error_v_.size(); ++k)
      error_v_[k] = 3 * h_ / 8 * (end_v_[k] - 3 * past_v_[0][k] + 3 * past_v_[1][k] - past_v_[2][k]);
  else
    for (size_t k = 0; k < error_v_.size(); ++k) error_v_[k] = h_ / 6 * (last[k] - end_v_[k]);
  std::fill(error_q_.begin(), error_q_.end(), 0.0);
  assembly_.spread(error_v_.data());
  return stability_.size(error_v_.data(), error_q_.data(), now, h_);
}

// Asked when something is wrong already.
bool RungeKutta::is_unstable(const State<double>& end) {
  const bool before = assembly_.reads_reduced();
  assembly_.read_reduced(true);  // as derivatives are
  const bool unsteady = !measure_ && instability(end) > 0.1 / unstable;
  assembly_.read_reduced(before);
  return unsteady;
}

bool RungeKutta::has_become_unstable(const State<double>& end) {
  const Largest<double> now = speeds_at(end, h_);
  const bool faster = now.places > speeds_.places || now.turns > speeds_.turns;
  speeds_ = {std::max(speeds_.places, now.places), std::max(speeds_.turns, now.turns)};
  return faster && instability(end) > 1;
}

// h Σ e_i k_i
void RungeKutta::find_error(const State<double>& end, double h) {
  std::fill(error_q_.begin(), error_q_.end(), 0.0);
  std::fill(error_v_.begin(), error_v_.end(), 0.0);
  const auto add = [&](double weight, const AlignedVector<double>& dq, const AlignedVector<double>& dv) {
    if (weight == 0) return;
    for (size_t k = 0; k < dq.size(); ++k) error_q_[k] += weight * h * dq[k];
    for (size_t k = 0; k < dv.size(); ++k) error_v_[k] += weight * h * dv[k];
  };
  const int stages = tableau_.stages();
  for (int i = 0; i < stages; ++i) add(tableau_.error[i], dq_[i], dv_[i]);
  assembly_.derivative(end.positions.data(), end.velocities.data(), stage_.positions.data());
  add(tableau_.error[stages], stage_.positions, end_v_);
  assembly_.spread(error_v_.data(), error_q_.data());
  assembly_.whole_velocities(end.velocities.data(), whole_v_.data());
  speeds_ = measure_->speeds(whole_v_.data(), speeds_);
  size_ = error_with_turn(measure_->size(error_v_.data(), error_q_.data(), speeds_, h), turn_);
}

bool RungeKutta::derivative(State<double>& s, Side side, int i) {
  const bool bad = index1_.evaluate(s, side);
  index1_.accelerations(s, pull());
  assembly_.derivative(s.positions.data(), s.velocities.data(), dq_[i].data());
  index1_.rates(s, dv_[i].data());
  if (assembly_.accounts()) power_[i] = assembly_.power(s.lambda.data());
  return bad;
}

// The derivative at the node from which the step to come begins.
void RungeKutta::remember(const State<double>& s) {
  if (tableau_.past.empty()) return;
  const auto turn = [](auto& list) { std::rotate(list.begin(), list.end() - 1, list.end()); };
  turn(past_q_), turn(past_v_), turn(past_power_);
  past_q_[0] = dq_[0], past_v_[0] = dv_[0], past_power_[0] = s.power;
}

// The positions and velocities of t1, in stage_.
bool RungeKutta::advance(const State<double>& s, double t1) {
  const double t0 = s.t, h = t1 - t0;
  const auto sum = [&](const std::vector<double>& weights, const auto& dq, const auto& dv) {
    std::copy(s.positions.begin(), s.positions.end(), stage_.positions.begin());
    std::copy(s.velocities.begin(), s.velocities.end(), stage_.velocities.begin());
    for (size_t j = 0; j < weights.size(); ++j) {
      const double w = weights[j] * h;
      for (size_t k = 0; k < s.positions.size(); ++k) stage_.positions[k] = multiply_add(w, dq[j][k], stage_.positions[k]);
      for (size_t k = 0; k < s.velocities.size(); ++k) stage_.velocities[k] = multiply_add(w, dv[j][k], stage_.velocities[k]);
    }
    assembly_.normalize(stage_.positions.data());
  };
  if (leaps()) {
    sum(tableau_.past, past_q_, past_v_);
    return false;
  }
  bool bad = false;
  for (int i = 1; i < tableau_.stages(); ++i) {
    sum(tableau_.a[i], dq_, dv_);
    stage_.t = tableau_.c[i] == 1 ? t1 : t0 + tableau_.c[i] * h;
    bad = derivative(stage_, Side::left, i) || bad;
  }
  sum(tableau_.a[tableau_.stages()], dq_, dv_);
  return bad;
}

bool RungeKutta::step(State<double>& s, double t1) {
  if (!assembly_.relative().any()) return step_of(s, t1);
  const ReducedScope<double> scope(assembly_);
  reduced_ = s;
  assembly_.reduce(reduced_.positions.data(), reduced_.velocities.data());
  assembly_.kinematics(reduced_.positions.data(), reduced_.velocities.data(), reduced_.turns.data());
  const bool bad = step_of(reduced_, t1);
  std::swap(s, reduced_);
  // Projections have moved it since it was evaluated.
  assembly_.kinematics(s.positions.data(), s.velocities.data(), s.turns.data());
  assembly_.restore(s.positions.data(), s.velocities.data());
  return bad;
}

bool RungeKutta::step_of(State<double>& s, double t1) {
  const double h = h_ = t1 - s.t;
  if (!measure_ && turns_too_far(h * h * rotation_)) {  // before it becomes nonsense
    violates_ = true, why_ = turn_failure(assembly_, h * h * rotation_, t1, h);
    return true;
  }
  // k1 is known: the state carries its accelerations
  assembly_.derivative(s.positions.data(), s.velocities.data(), dq_[0].data());
  std::copy(s.accelerations.begin(), s.accelerations.end(), dv_[0].begin());
  assembly_.reduce_motion(dv_[0].data());
  std::copy(s.turns.begin(), s.turns.end(), stage_.turns.begin());
  remember(s);
  bool bad = advance(s, t1);
  leapt_ = leaps();
  ++steps_;
  std::swap(s.positions, stage_.positions);
  std::swap(s.velocities, stage_.velocities);
  s.t = t1;
  bad = index1_.evaluate(s, Side::left) || bad;
  const double rotation = fastest_rotation(assembly_);
  turn_ = h * h * std::max(rotation, rotation_), rotation_ = rotation;
  const bool projects = stabilization_ == Stabilization::projection && (!leapt_ || steps_ % project_every == 0);
  if (projects && !leapt_) {
    index1_.project_positions(s);
    index1_.project_velocities(s);
    bad = index1_.evaluate_again(s, Side::left) || bad;  // what projection changes is below the error of the step
  }
  find_pull();
  index1_.accelerations(s, pull());
  index1_.rates(s, end_v_.data());
  if (projects && leapt_) {  // one evaluation per step: derivatives are those before the projection, as in lanes
    index1_.project_velocities(s);
    index1_.project_positions(s);
  }
  if (assembly_.accounts()) add_work(s, h);
  assembly_.update_turns(s.turns.data());
  violates_ = false;
  if (bad) return true;
  if (!measure_ && turns_too_far(turn_)) {
    violates_ = true, why_ = turn_failure(assembly_, turn_, t1, h);
    return true;
  }
  if (remains_open(t1)) {
    if (is_unstable(s)) why_ = stability_failure(t1, h);
    return true;
  }
  if (measure_)
    find_error(s, h);
  else if (steps_ % watch_every(tableau_) == 0 && has_become_unstable(s))
    bad = true, why_ = stability_failure(t1, h);
  return bad;
}

// One more component of the equations, ẇ = power: its rates are those of the stages, or of the past.
void RungeKutta::add_work(State<double>& end, double h) {
  power_[0] = end.power;
  const std::vector<double>& weights = leapt_ ? tableau_.past : tableau_.a[tableau_.stages()];
  for (size_t i = 0; i < weights.size(); ++i) end.work.add(h * weights[i], (leapt_ ? past_power_ : power_)[i]);
  end.power = assembly_.power(end.lambda.data());
}

// Positions at the end of a step. Without projection it may be drift.
bool RungeKutta::remains_open(double t) {
  const double* open = assembly_.evaluation().residual;
  violates_ = violation_.is_too_large(open);
  if (!violates_) return false;
  why_ = violation_.message({open, size_t(assembly_.rows())}, t);
  if (stabilization_ != Stabilization::projection) why_ += "; or take 'stabilization: projection' or a smaller 'step'";
  return true;
}

void RungeKutta::evaluate_for_output(State<double>& s, Side side) {
  assembly_.kinematics(s.t, side, s.positions.data(), s.velocities.data(), s.turns.data());
  assembly_.constrain();
  assembly_.forces();
}

static Tableau classical_tableau() {
  return {{0, 0.5, 0.5, 1}, {{}, {0.5}, {0, 0.5}, {0, 0, 1}, {1.0 / 6, 1.0 / 3, 1.0 / 3, 1.0 / 6}}, {0, 0, 0, 1.0 / 6, -1.0 / 6}};
}

// The classical method of order 4.
static const Tableau& classical() {
  static const Tableau t = classical_tableau();
  return t;
}

// That of Adams and Bashforth of order 4: one evaluation per step.
static const Tableau& adams_bashforth() {
  static const Tableau t = [] {
    Tableau with_past = classical_tableau();
    with_past.past = {55.0 / 24, -59.0 / 24, 37.0 / 24, -9.0 / 24};
    return with_past;
  }();
  return t;
}

constinit const Integrator runge_kutta_integrator{
    .order = 4, .is_explicit = true, .make = make_runge_kutta<classical>, .make_lanes = make_lane_runge_kutta<classical>};

constinit const Integrator adams_bashforth_integrator{.order = 4,
                                                      .is_explicit = true,
                                                      .work = 2,  // it also observes outputs at all its nodes
                                                      .stable = 0.35,
                                                      .make = make_runge_kutta<adams_bashforth>,
                                                      .make_lanes = make_lane_runge_kutta<adams_bashforth>};

}  // namespace aleator::core
