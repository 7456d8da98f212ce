#include "dynamics/generalized_alpha.hpp"

#include <algorithm>
#include <limits>

#include "dynamics/newton_failure.hpp"

namespace aleator::core {

namespace {
constexpr int max_iterations = 15;
constexpr int refactor_every = 3;  // a fixed schedule, so that what a lane does not depend on its neighbours
// Close to a singular position corrections cannot become as small as wanted: round-off is all that is left of them. A
// correction that no longer shrinks is accepted when it is within this factor of the tolerance.
constexpr double stalled_factor = 1e4;
}  // namespace

GeneralizedAlpha::GeneralizedAlpha(Assembly<double>& assembly, double rho, double tolerance)
    : assembly_(assembly), index1_(assembly), rho_(rho), tolerance_(tolerance) {
  am_ = (2 * rho - 1) / (rho + 1);
  af_ = rho / (rho + 1);
  gamma_ = 0.5 + af_ - am_;
  beta_ = 0.25 * (0.5 + gamma_) * (0.5 + gamma_);
  const int n = assembly.velocities();
  for (auto* v : {&a0_, &a1_, &jerk_, &shift_, &increments_, &residual_, &z_}) v->resize(n);
  rows_.resize(assembly.rows());
  right_.resize(assembly.model().structure.size);
  start_.resize(assembly.model().structure.size);
  for (const auto& m : assembly.model().nominal.markers)
    length_ = std::max({length_, std::abs(m.offset.x), std::abs(m.offset.y), std::abs(m.offset.z)});
}

void GeneralizedAlpha::begin(State<double>& s, double h) {
  h_ = h;
  index1_.evaluate(s, Side::right);
  index1_.project_velocities(s);
  index1_.evaluate_again(s, Side::right);
  index1_.project_velocities(s);  // for what ε left open: 1e-11 of a jump of velocities, divided by h, would be seen
  index1_.evaluate(s, Side::right);
  index1_.accelerations(s);
  find_jerk(s);
  soften_jerk(s);
  const double back((am_ - af_) * h);
  for (size_t i = 0; i < a0_.size(); ++i) a0_[i] = s.accelerations[i] + back * jerk_[i];
  find_shift(s);
  // As much as makes the constraints give way by round-off only: in a singular position, where multipliers are not
  // determined, this keeps round-off of g / (β h²) out of them.
  assembly_.regularize(double(std::clamp(0.5 * std::numeric_limits<double>::epsilon() * length_ / (beta_ * h * h), 1e-11, 1e-6)));
}

// v̈ from a tiny step: only its first digits matter.
void GeneralizedAlpha::find_jerk(const State<double>& s) {
  const double small = 1e-4 * h_;
  const double half(0.5 * small * small), full(small), rate(1 / small);
  next_ = s;
  for (size_t i = 0; i < increments_.size(); ++i) {
    increments_[i] = full * s.velocities[i] + half * s.accelerations[i];
    next_.velocities[i] = s.velocities[i] + full * s.accelerations[i];
  }
  assembly_.carriers().move(s.positions.data(), increments_.data(), next_.positions.data());
  next_.t = s.t + small;
  index1_.evaluate(next_, Side::right);
  index1_.accelerations(next_);
  for (size_t i = 0; i < jerk_.size(); ++i) jerk_[i] = rate * (next_.accelerations[i] - s.accelerations[i]);
}

// A beam has motions much faster than the step (of its thickness, say). A load that sets in, or damping, makes their v̈ huge, and
// h v̈ in a₀ would set them ringing so hard that the iteration fails. What the step can follow is  (M + γh C + βh² K)⁻¹ M v̈  on the
// constraints: slow motions change by order h (a₀ by h²), fast ones come down to the size of v̇.
void GeneralizedAlpha::soften_jerk(const State<double>& s) {
  if (assembly_.carriers().count == assembly_.carriers().rigid) return;
  assembly_.kinematics(s.t, Side::right, s.positions.data(), s.velocities.data(), s.turns.data());
  assembly_.constrain();
  assembly_.forces();
  std::copy(jerk_.begin(), jerk_.end(), z_.begin());
  for (int b = 0; b < assembly_.carriers().rigid; ++b) {
    const Vec3<double> turning = assembly_.frames()[b].R * Vec3<double>{z_[6 * b + 3], z_[6 * b + 4], z_[6 * b + 5]};
    for (int i = 0; i < 3; ++i) z_[6 * b + 3 + i] = turning[i];
  }
  std::fill(rows_.begin(), rows_.end(), double(0));
  assembly_.gather(z_.data(), rows_.data(), start_.data());
  assembly_.mass_matrix();
  const SparsePattern& p = assembly_.model().structure.pattern;
  std::fill(right_.begin(), right_.end(), double(0));
  for (int c = 0; c < p.n; ++c)
    for (int k = p.column_start[c]; k < p.column_start[c + 1]; ++k) right_[p.row[k]] += assembly_.values()[k] * start_[c];
  assembly_.tangent(double(1), double(h_ * gamma_), double(h_ * h_ * beta_), s.accelerations.data(), s.lambda.data(), nullptr);
  if (!solver_.prepared()) solver_.prepare(assembly_, index1_.solver().program());
  solver_.factor(assembly_);
  solver_.solve(right_.data());
  assembly_.scatter(right_.data(), jerk_.data(), rows_.data());
}

// Across the constraints the velocities of the method differ from the true ones by h² (c v̈ + Ω×Ω̇/12), c = 1/6 − β + (γ−½)/2: that
// is how h v₀ + h² (½−β) a₀ + h² β a₁ agrees up to h³ with the increment between two points of the constraints. From true velocities,
// accelerations and multipliers would ring with an amplitude of order h (Arnold, Brüls & Cardona 2015).
void GeneralizedAlpha::find_shift(const State<double>& s) {
  const double c(h_ * h_ * (1.0 / 6 - beta_ + 0.5 * (gamma_ - 0.5))), group(h_ * h_ / 12);
  for (size_t i = 0; i < shift_.size(); ++i) shift_[i] = c * jerk_[i];
  for (int b = 0; b < assembly_.carriers().rigid; ++b) {
    const double *v = &s.velocities[6 * b], *a = &s.accelerations[6 * b];
    const Vec3<double> turning = group * cross(Vec3<double>{v[3], v[4], v[5]}, Vec3<double>{a[3], a[4], a[5]});
    for (int i = 0; i < 3; ++i) shift_[6 * b + 3 + i] += turning[i];
  }
  // Its part across the constraints is what projection takes away.
  next_.t = s.t;
  std::copy(s.positions.begin(), s.positions.end(), next_.positions.begin());
  for (size_t i = 0; i < shift_.size(); ++i) next_.velocities[i] = s.velocities[i] + shift_[i];
  index1_.evaluate_again(next_, Side::right);
  index1_.project_velocities(next_);
  for (size_t i = 0; i < shift_.size(); ++i) shift_[i] += s.velocities[i] - next_.velocities[i];
  starting_ = true;
}

// v̇ and λ stay what they were.
void GeneralizedAlpha::predict(const State<double>& s) {
  const double one(1 / (1 - am_)), am(am_);
  for (size_t i = 0; i < a1_.size(); ++i) a1_[i] = one * (s.accelerations[i] - am * a0_[i]);
  std::copy(s.lambda.begin(), s.lambda.end(), next_.lambda.begin());
  std::copy(s.turns.begin(), s.turns.end(), next_.turns.begin());
}

void GeneralizedAlpha::update(const State<double>& s) {
  const double h(h_), h2a(h_ * h_ * (0.5 - beta_)), h2b(h_ * h_ * beta_), ha(h_ * (1 - gamma_)), hb(h_ * gamma_);
  const double m1((1 - am_) / (1 - af_)), m0(am_ / (1 - af_)), f0(af_ / (1 - af_));
  for (size_t i = 0; i < a1_.size(); ++i) {
    increments_[i] = h * s.velocities[i] + h2a * a0_[i] + h2b * a1_[i];
    next_.velocities[i] = s.velocities[i] + ha * a0_[i] + hb * a1_[i];
    next_.accelerations[i] = m1 * a1_[i] + m0 * a0_[i] - f0 * s.accelerations[i];
  }
  assembly_.carriers().move(s.positions.data(), increments_.data(), next_.positions.data());
}

void GeneralizedAlpha::newton_residual(double t1) {
  next_.t = t1;
  assembly_.kinematics(t1, Side::left, next_.positions.data(), next_.velocities.data(), next_.turns.data());
  assembly_.constrain();
  assembly_.forces();
  assembly_.residual(next_.accelerations.data(), next_.lambda.data(), residual_.data());
  for (double& x : residual_) x = -x;
  const double scale(-1 / (beta_ * h_ * h_));
  for (int r = 0; r < assembly_.rows(); ++r)
    rows_[r] = scale * assembly_.evaluation().residual[r] + assembly_.regularization()[r] * next_.lambda[r];
}

void GeneralizedAlpha::newton_matrix() {
  assembly_.tangent(double((1 - am_) / (1 - af_)), double(h_ * gamma_), double(h_ * h_ * beta_), next_.accelerations.data(),
                    next_.lambda.data(), increments_.data());
}

bool GeneralizedAlpha::correct() {
  assembly_.gather(residual_.data(), rows_.data(), right_.data());
  solver_.solve(right_.data());
  assembly_.scatter(right_.data(), z_.data(), rows_.data());

  // Size of the correction against that of the accelerations; below is round-off of positions of size `length_`.
  const double round_off = 16 * std::numeric_limits<double>::epsilon() / (beta_ * h_ * h_);
  double moved(0), turned(0), largest_move(0), largest_turn(0);
  const std::vector<Carrier>& carriers = assembly_.model().topology.carriers;
  for (int c = 0; c < assembly_.carriers().count; ++c)
    for (int i = 0; i < 6; ++i) {
      const bool place = i < 3 && carriers[c].is_place;
      double &change = place ? moved : turned, &largest = place ? largest_move : largest_turn;
      change = max(change, abs(z_[6 * c + i]));
      largest = max(largest, abs(a1_[6 * c + i]));
    }
  const double size = max(moved / (double(tolerance_) * largest_move + double(round_off * length_)),
                          turned / (double(tolerance_) * largest_turn + double(round_off)));
  const bool small = (size <= double(1)) | ((size <= double(stalled_factor)) & (size > double(0.5) * previous_size_));
  previous_size_ = size;

  for (int b = 0; b < assembly_.carriers().rigid; ++b) {
    const double* d = &increments_[6 * b];
    const Vec3<double> turn =
        inverse_tangent_times(Vec3<double>{d[3], d[4], d[5]}, Vec3<double>{z_[6 * b + 3], z_[6 * b + 4], z_[6 * b + 5]});
    for (int i = 0; i < 3; ++i) z_[6 * b + 3 + i] = turn[i];
  }
  for (size_t i = 0; i < a1_.size(); ++i) a1_[i] = select(frozen_, a1_[i], a1_[i] + z_[i]);
  for (int r = 0; r < assembly_.rows(); ++r) next_.lambda[r] = select(frozen_, next_.lambda[r], next_.lambda[r] + rows_[r]);
  return small;
}

// The second guess, for lanes in which the first led nowhere: no algorithmic acceleration. Where a load sets in at once, v̇ is that of the
// fastest motions, and h² v̇ would tear a beam apart.
void GeneralizedAlpha::predict_again(const State<double>& s, const bool& failed) {
  for (double& a : a1_) a = select(failed, double(0), a);
  for (size_t r = 0; r < s.lambda.size(); ++r) next_.lambda[r] = select(failed, s.lambda[r], next_.lambda[r]);
}

// Newton's iteration from a1_; `converged` are lanes that need none. Returns those that failed.
bool GeneralizedAlpha::iterate(const State<double>& s, double t1, bool converged) {
  bool failed{};
  frozen_ = converged;
  previous_size_ = double(std::numeric_limits<double>::infinity());
  update(s);
  for (int k = 0; k < max_iterations; ++k) {
    newton_residual(t1);
    if (k % refactor_every == 0) {
      newton_matrix();
      if (!solver_.prepared()) solver_.prepare(assembly_, index1_.solver().program());
      failed = failed | (solver_.factor(assembly_) & !converged);
    }
    const bool small = correct();
    failed = failed | (assembly_.status().failed & !converged);
    converged = converged | (small & !failed);
    frozen_ = frozen_ | small | failed;
    update(s);
    ++iterations_;
    if (all(frozen_)) break;
  }
  return failed | !frozen_;
}

bool GeneralizedAlpha::step(State<double>& s, double t1) {
  if (starting_)
    for (size_t i = 0; i < shift_.size(); ++i) s.velocities[i] += shift_[i];
  starting_ = false;
  predict(s);
  bool failed = iterate(s, t1, false);
  if (any(failed) && assembly_.carriers().count > assembly_.carriers().rigid) {
    predict_again(s, failed);
    failed = iterate(s, t1, !failed);
  }
  if (any(failed)) explain(s, failed);

  assembly_.kinematics(t1, Side::left, next_.positions.data(), next_.velocities.data(), next_.turns.data());
  assembly_.update_turns(next_.turns.data());
  std::swap(a0_, a1_);
  std::swap(s, next_);
  return failed;
}

// Where it went wrong, for a single realization.
void GeneralizedAlpha::explain(const State<double>& s, const bool&) {
  why_ = newton_failure(assembly_.model(), z_.data(), s.t, h_);
}

void GeneralizedAlpha::evaluate_for_output(State<double>& s, Side side) {
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
