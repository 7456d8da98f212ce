#include "dynamics/radau.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "dynamics/newton_failure.hpp"
#include "dynamics/turn_limit.hpp"

namespace aleator::core {

namespace {
constexpr int renew_every = 20;    // steps: matrices are no older
constexpr double slow = 0.1;       // contraction from which on they are renewed before the next step
constexpr int limit = 10;          // iterations with matrices that were kept …
constexpr int patient_limit = 30;  // … and with new ones now and then
// Round-off: a correction that no longer shrinks is accepted when it is below this part of the accelerations, and within 10⁴ tolerances.
constexpr double stalled = 1e-5;
constexpr int most_searches = 40;
constexpr double least_part = 1e-3;  // of a correction
}  // namespace

Radau::Radau(Assembly<double>& assembly, double tolerance)
    : assembly_(assembly),
      index1_(assembly),
      step_(assembly, tolerance),
      violation_(assembly.model()),
      stalled_(std::min(1e4, stalled / tolerance)) {}

void Radau::begin(State<double>& s, double h) {
  index1_.evaluate(s, Side::right);
  index1_.project_velocities(s);
  index1_.evaluate_again(s, Side::right);
  index1_.project_velocities(s);  // for what ε left open: 1e-11 of a jump of velocities, divided by h, would be seen
  index1_.evaluate(s, Side::right);
  index1_.accelerations(s);
  h_ = h;
  step_.h = h;
  step_.use(index1_.solver().program());
  step_.positions = s.positions, step_.velocities = s.velocities, step_.turns = s.turns, step_.lambda = s.lambda;
  step_.accelerations = s.accelerations;
  step_.forget();
  predicts_ = true;
  if (start_.empty()) start_ = s.positions;
  contraction_ = trusted_ = 0.5;
  stale_ = true;
  age_ = 0;
  hard_ = false;
  started_ = false;
}

bool Radau::estimate(double tolerance) {
  measure_ = std::make_unique<StepError<double>>(assembly_, tolerance);
  step_.estimate();
  return true;
}

void Radau::resize(double h) {
  if (h == h_) return;
  h_ = step_.h = h;
  stale_ = true;
  predicts_ = false;
}

void Radau::begin_again(State<double>&, double h) {
  resize(h);
  lost_ = hard_ = false, stale_ = true;
  why_.clear();
}

void Radau::save() {
  past_.clear();
  step_.each_past([&](double* x, size_t n) { past_.insert(past_.end(), x, x + n); });
  accelerations_ = step_.accelerations, saved_lambda_ = step_.lambda;
  saved_reach_ = reach_, saved_predicts_ = predicts_;
}

void Radau::restore() {
  const double* from = past_.data();
  step_.each_past([&](double* x, size_t n) { std::copy_n(from, n, x), from += n; });
  step_.accelerations = accelerations_, step_.lambda = saved_lambda_;
  reach_ = saved_reach_, predicts_ = saved_predicts_;
  lost_ = hard_ = false, stale_ = true;
  why_.clear();
}

void Radau::renew(bool which) {
  step_.renew(which);
  ++renewals_;
  if (!step_.failed) return;
  for (const double v : step_.real_values())
    if (!std::isfinite(v)) return;
  LuOptions options;  // new pivots for the new values
  options.block = assembly_.model().structure.unknown_node;
  try {
    step_.use(
        std::make_shared<const LuProgram>(LuProgram::analyse(assembly_.model().structure.pattern, step_.real_values(), options)));
  } catch (const SingularMatrix&) {
    return;
  }
  step_.renew(which);
}

// Newton's iteration, unless it is to be `idle`; returns whether it did not converge. `every` > 0: the matrices are renewed so often, and
// in between corrections are combined.
bool Radau::attempt(bool idle, int every, int most) {
  bool converged = idle, failed = false;
  ++attempts_;
  double previous = std::numeric_limits<double>::infinity();
  if (!idle) trusted_ = std::min(0.9, std::sqrt(trusted_));  // the first correction is judged by earlier steps
  for (int k = 0; k < most; ++k) {
    if (every > 0 && k % every == 0) {
      renew(!converged && !failed);
      failed = failed || (step_.failed && !converged);
    }
    step_.frozen = converged || failed;
    step_.iterate(every > 0 ? k % every : -1);
    ++iterations_;
    const bool active = !converged && !failed;
    failed = failed || (step_.failed && active);
    if (k > 0) {
      const double measured = step_.size / previous;
      if (active) trusted_ = std::max(1e-4, measured), contraction_ = measured;
      failed = failed || (active && measured > 2 && step_.size > stalled_ && every == 0);
    }
    const double left = std::min(0.99, trusted_);
    const bool enough = left * step_.size <= 1 - left || (step_.size <= stalled_ && step_.size > 0.5 * previous && k > 1);
    converged = converged || (active && enough && !failed);
    failed = failed || (active && !is_finite(step_.size));
    previous = step_.size;
    if (converged || failed) break;
  }
  return !converged;
}

// The same with new matrices each time, and as much of a correction as makes the next one, with the same matrices, shorter (natural monotonicity
// test; Deuflhard 2004, section 3.3).
bool Radau::search() {
  ++attempts_;
  step_.frozen = false;
  const auto length = [this] {
    double sum = 0;
    for (const double x : step_.found()) sum += x * x;
    return std::sqrt(sum);
  };
  double previous = std::numeric_limits<double>::infinity();
  for (int k = 0; k < most_searches; ++k) {
    renew(true);
    if (step_.failed) return true;
    step_.find_correction();
    if (step_.failed || !is_finite(step_.size)) return true;
    const double size = step_.size, whole = length();
    const bool enough = size <= 1 || (size <= stalled_ && size > 0.5 * previous);
    along_ = step_.found();
    step_.move(along_, 1);
    ++iterations_;
    if (enough) return false;
    for (double part = 1;; part /= 2, ++iterations_) {
      step_.find_correction();
      if (!step_.failed && length() <= (1 - part / 2) * whole) break;
      if (part < least_part) return true;
      step_.move(along_, -part / 2);
    }
    previous = size;
  }
  return true;
}

bool Radau::step(State<double>& s, double t1) {
  for (int i = 0; i < 2; ++i) step_.time[i] = s.t + RadauStep<double>::node(i) * h_;
  step_.time[2] = t1;
  step_.positions = s.positions, step_.velocities = s.velocities, step_.turns = s.turns;
  step_.work = s.work;

  step_.frozen = false;
  step_.predict(!predicts_);
  stale_ = stale_ || age_ >= renew_every;
  if (stale_) renew(true);
  age_ = stale_ ? 1 : age_ + 1;
  // What had trouble lately begins with the second attempt.
  bool open = attempt(lost_ || hard_, 0, limit) || hard_;
  hard_ = open && age_ < renew_every;
  stale_ = contraction_ > slow && !lost_;
  if (open) {  // with new matrices every tenth iteration, and corrections combined; then from constant velocities
    step_.frozen = false;
    step_.predict(!predicts_);
    open = attempt(false, 10, patient_limit);
  }
  if (open) {
    step_.frozen = false;
    step_.predict(true);
    open = attempt(false, 10, patient_limit);
  }
  if (open && !measure_) {
    step_.predict(true);
    open = search();
  }
  if (open) why_ = newton_failure(assembly_.model(), step_.correction().data(), s.t, h_);
  lost_ = lost_ || open;
  violates_ = false;
  if (lost_) return true;
  step_.finish();
  violates_ = violation_.is_too_large(step_.open.data());
  if (violates_) lost_ = true, why_ = violation_.message(step_.open, t1);
  if (!violates_ && violation_.is_too_large(step_.open.data(), step_.gap.data())) {  // parts of a step that is too long may do it
    lost_ = true, violates_ = measure_ != nullptr, why_ = violation_.message(step_.gap, t1);
    return true;
  }
  if (!measure_ && turns_too_far(step_.turn)) {
    lost_ = violates_ = true, why_ = turn_failure(assembly_, step_.turn, t1, h_);
    return true;
  }
  predicts_ = true;
  if (measure_) {
    reach_ = measure_->reach(step_.positions.data(), start_.data(), reach_);
    size_ = error_with_turn(measure_->size(step_.error.data(), reach_), step_.turn);
  }
  s.t = t1;
  std::copy(step_.positions.begin(), step_.positions.end(), s.positions.begin());
  std::copy(step_.velocities.begin(), step_.velocities.end(), s.velocities.begin());
  std::copy(step_.accelerations.begin(), step_.accelerations.end(), s.accelerations.begin());
  std::copy(step_.lambda.begin(), step_.lambda.end(), s.lambda.begin());
  std::copy(step_.turns.begin(), step_.turns.end(), s.turns.begin());
  s.work = step_.work;
  started_ = true;
  return lost_;
}

void Radau::evaluate_for_output(State<double>& s, Side side) {
  index1_.evaluate(s, side);
  if (started_) index1_.accelerations(s);
}

constinit const Integrator radau_integrator{.order = 5,
                                            .tolerance = 1e-9,
                                            .step_tolerance = 1e-5,
                                            .work = 45,
                                            .make = [](Assembly<double>& a, const Settings& s) -> std::unique_ptr<Stepper> {
                                              return std::make_unique<Radau>(a, tolerance_of(s));
                                            },
                                            .make_lanes = lane_radau};

}  // namespace aleator::core
