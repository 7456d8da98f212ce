#include "dynamics/generalized_alpha.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "dynamics/errors.hpp"
#include "dynamics/newton_failure.hpp"
#include "dynamics/turn_limit.hpp"

namespace aleator::core {

namespace {
constexpr int max_iterations = 15;
constexpr int refactor_every = 3;
// Close to a singular position corrections cannot become as small as wanted: round-off is all that is left of them. A
// correction that no longer shrinks is accepted when it is within 10⁴ tolerances, and below this part of accelerations and way.
constexpr double stalled = 1e-5;
constexpr int most_searches = 40;
constexpr double least_part = 1e-3;  // of a correction
}  // namespace

GeneralizedAlpha::GeneralizedAlpha(Assembly<double>& assembly, double rho, double tolerance)
    : assembly_(assembly), index1_(assembly), step_(assembly, index1_, rho, false), tolerance_(tolerance) {}

void GeneralizedAlpha::begin(State<double>& s, double h) { start(s, h, step_.flexible()); }

// In the midst of a motion h v̈ may be that of anything stiff, friction that lets go, say.
void GeneralizedAlpha::begin_again(State<double>& s, double h) { start(s, h, true); }

void GeneralizedAlpha::start(State<double>& s, double h, bool soften) {
  h_ = step_.h = h;
  own_accelerations_.clear();
  index1_.evaluate(s, Side::right);
  index1_.project_velocities(s);
  index1_.evaluate_again(s, Side::right);
  index1_.project_velocities(s);  // for what ε left open: 1e-11 of a jump of velocities, divided by h, would be seen
  index1_.evaluate(s, Side::right);
  index1_.accelerations(s);
  if (assembly_.accounts()) step_.w0 = s.power = assembly_.power(s.lambda.data());
  step_.time = s.t + step_.tiny * h;
  step_.find_jerk(s);
  if (soften) step_.soften_jerk(s);
  step_.find_start(s);
  starting_ = true;
  assembly_.regularize(step_.regularization(h));
}

// Its size against that of the accelerations, and as a change of positions against the way of the step; below is round-off of positions.
// Accelerations alone would not do: those of motions far faster than the step ring, by h⁻² times what anything moves, and what is small
// against them tears a beam apart. A way longer than the mechanism is no measure of anything.
bool GeneralizedAlpha::is_small() {
  const double bh2 = step_.beta * h_ * h_, round_off = 16 * std::numeric_limits<double>::epsilon() / bh2;
  double moved = 0, turned = 0, changed = 0, largest_move = 0, largest_turn = 0, largest_rate = 0, way = 0, turn = 0;
  const std::vector<Carrier>& carriers = assembly_.model().topology.carriers;
  for (int k = 6 * assembly_.carriers().first_state; k < assembly_.velocities(); ++k) {
    changed = std::max(changed, std::abs(step_.z[size_t(k)]));
    largest_rate = std::max(largest_rate, std::abs(step_.a1[size_t(k)]));
  }
  for (int c = 0; c < assembly_.carriers().first_state; ++c)
    for (int i = 0; i < 6; ++i) {
      const bool place = i < 3 && carriers[c].is_place;
      double &change = place ? moved : turned, &largest = place ? largest_move : largest_turn, &gone = place ? way : turn;
      change = std::max(change, std::abs(step_.z[6 * c + i]));
      largest = std::max(largest, std::abs(step_.a1[6 * c + i]));
      gone = std::max(gone, std::abs(step_.increments[6 * c + i]));
    }
  const double move_unit = std::min(largest_move, std::min(way, step_.size()) / bh2);
  const double turn_unit = std::min(largest_turn, std::min(turn, 1.0) / bh2);
  const double size =  // states are of order one: their rates have round-off of 1/h
      std::max({moved / (tolerance_ * move_unit + round_off * step_.length()), turned / (tolerance_ * turn_unit + round_off),
                changed / (tolerance_ * largest_rate + round_off * h_)});
  const bool small = size <= 1 || (size <= std::min(1e4, stalled / tolerance_) && size > 0.5 * previous_size_);
  previous_size_ = size;
  return small;
}

// Newton's iteration from a₁ and λ.
bool GeneralizedAlpha::iterate(const State<double>& s) {
  bool failed = false;
  previous_size_ = std::numeric_limits<double>::infinity();
  step_.find_end(s);
  for (int k = 0; k < max_iterations; ++k) {
    step_.evaluate();
    step_.find_residual();
    if (k % refactor_every == 0) failed = step_.renew(true);
    step_.solve();
    const bool small = is_small();
    step_.apply(false);
    failed = failed || assembly_.status().failed;
    step_.find_end(s);
    ++iterations_;
    if (small || failed) return failed;
  }
  return true;
}

// The correction as a change of velocities: sizes of places count as parts of the mechanism.
double GeneralizedAlpha::length_of_correction() const {
  const std::vector<Carrier>& carriers = assembly_.model().topology.carriers;
  double sum = 0;
  for (size_t i = 0; i < step_.z.size(); ++i) {
    const double x = step_.z[i] / (i % 6 < 3 && carriers[i / 6].is_place ? step_.size() : 1);
    sum += x * x;
  }
  return std::sqrt(sum);
}

// Newton's iteration with new factors each time, and as much of a correction as makes the next one, with the same factors, shorter
// (natural monotonicity test; Deuflhard 2004, section 3.3): that does not depend on the units of residuals.
bool GeneralizedAlpha::search(const State<double>& s) {
  previous_size_ = std::numeric_limits<double>::infinity();
  step_.find_end(s);
  step_.evaluate();
  for (int k = 0; k < most_searches; ++k) {
    step_.find_residual();
    if (step_.renew(true) || assembly_.status().failed) return true;
    step_.solve();
    const double length = length_of_correction();
    if (!std::isfinite(length)) return true;
    const bool small = is_small();
    step_.apply(true);  // turns become changes of the unknowns
    a1_ = step_.a1, lambda_ = step_.end.lambda, along_ = step_.z, along_rows_ = step_.rows;
    for (double part = 1;; part /= 2) {
      if (part < least_part) return true;
      for (size_t i = 0; i < a1_.size(); ++i) step_.a1[i] = a1_[i] + part * along_[i];
      for (size_t r = 0; r < lambda_.size(); ++r) step_.end.lambda[r] = lambda_[r] + part * along_rows_[r];
      step_.find_end(s);
      step_.evaluate();
      ++iterations_;
      if (assembly_.status().failed) continue;
      if (small) return false;
      step_.find_residual();
      step_.solve();
      if (length_of_correction() <= (1 - part / 2) * length) break;
    }
  }
  return true;
}

bool GeneralizedAlpha::step(State<double>& s, double t1) {
  if (starting_) std::copy(step_.velocities.begin(), step_.velocities.end(), s.velocities.begin());
  starting_ = false;
  if (!own_accelerations_.empty()) {  // the next step goes on from its own, whether there was an output or not
    std::swap(s.accelerations, own_accelerations_), std::swap(s.lambda, own_lambda_);
    own_accelerations_.clear();
  }
  step_.time = step_.end.t = t1;
  step_.hold(s);
  bool failed = iterate(s);
  if (failed && step_.flexible()) {
    // The second guess: no algorithmic acceleration. Where a load sets in at once, v̇ is that of the fastest motions, and h² v̇ would
    // tear a beam apart.
    std::fill(step_.a1.begin(), step_.a1.end(), 0.0);
    std::copy(s.lambda.begin(), s.lambda.end(), step_.end.lambda.begin());
    failed = iterate(s);
  }
  if (failed) {
    step_.hold(s);
    if (step_.flexible()) std::fill(step_.a1.begin(), step_.a1.end(), 0.0);
    try {
      failed = search(s);
    } catch (const SimulationError&) {  // far from a solution anything may be singular
    }
  }
  violates_ = !failed && step_.violates(step_.regularization(h_));
  if (failed) why_ = newton_failure(assembly_.model(), step_.z.data(), s.t, h_);
  if (violates_) why_ = step_.violation();
  if (failed || violates_) return true;
  if (assembly_.accounts()) step_.find_work(s), step_.w0 = step_.w1;
  step_.count_turns();
  if (const double turn = step_.turn(); turns_too_far(turn)) {
    violates_ = true, why_ = turn_failure(assembly_, turn, t1, h_);
    return true;
  }
  std::swap(step_.a0, step_.a1);
  std::swap(s, step_.end);
  return false;
}

void GeneralizedAlpha::evaluate_for_output(State<double>& s, Side side) {
  if (step_.is_noisy(h_)) {
    own_accelerations_ = s.accelerations, own_lambda_ = s.lambda;
    if (!index1_.evaluate(s, side)) index1_.accelerations(s);
    assembly_.regularize(step_.regularization(h_));
    return;
  }
  assembly_.kinematics(s.t, side, s.positions.data(), s.velocities.data(), s.turns.data());
  assembly_.constrain();
  assembly_.forces();
}

constinit const Integrator generalized_alpha_integrator{
    .order = 2,
    .uses_rho = true,
    .tolerance = 1e-9,
    .make = [](Assembly<double>& a, const Settings& s) -> std::unique_ptr<Stepper> {
      return std::make_unique<GeneralizedAlpha>(a, s.rho, tolerance_of(s));
    },
    .make_lanes = lane_generalized_alpha};

}  // namespace aleator::core
