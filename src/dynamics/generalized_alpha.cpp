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

template <class T>
GeneralizedAlpha<T>::GeneralizedAlpha(Assembly<T>& assembly, double rho, double tolerance)
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

template <class T>
void GeneralizedAlpha<T>::begin(State<T>& s, double h) {
  h_ = h;
  index1_.evaluate(s, Side::right);
  index1_.project_velocities(s);
  index1_.evaluate_again(s, Side::right);
  index1_.project_velocities(s);  // for what ε left open: 1e-11 of a jump of velocities, divided by h, would be seen
  index1_.evaluate(s, Side::right);
  index1_.accelerations(s);
  find_jerk(s);
  soften_jerk(s);
  const T back((am_ - af_) * h);
  for (size_t i = 0; i < a0_.size(); ++i) a0_[i] = s.accelerations[i] + back * jerk_[i];
  find_shift(s);
  // As much as makes the constraints give way by round-off only: in a singular position, where multipliers are not
  // determined, this keeps round-off of g / (β h²) out of them.
  assembly_.regularize(T(std::clamp(0.5 * std::numeric_limits<double>::epsilon() * length_ / (beta_ * h * h), 1e-11, 1e-6)));
}

// v̈ from a tiny step: only its first digits matter.
template <class T>
void GeneralizedAlpha<T>::find_jerk(const State<T>& s) {
  const double small = 1e-4 * h_;
  const T half(0.5 * small * small), full(small), rate(1 / small);
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
template <class T>
void GeneralizedAlpha<T>::soften_jerk(const State<T>& s) {
  if (assembly_.carriers().count == assembly_.carriers().rigid) return;
  assembly_.kinematics(s.t, Side::right, s.positions.data(), s.velocities.data(), s.turns.data());
  assembly_.constrain();
  assembly_.forces();
  std::copy(jerk_.begin(), jerk_.end(), z_.begin());
  for (int b = 0; b < assembly_.carriers().rigid; ++b) {
    const Vec3<T> turning = assembly_.frames()[b].R * Vec3<T>{z_[6 * b + 3], z_[6 * b + 4], z_[6 * b + 5]};
    for (int i = 0; i < 3; ++i) z_[6 * b + 3 + i] = turning[i];
  }
  std::fill(rows_.begin(), rows_.end(), T(0));
  assembly_.gather(z_.data(), rows_.data(), start_.data());
  assembly_.mass_matrix();
  const SparsePattern& p = assembly_.model().structure.pattern;
  std::fill(right_.begin(), right_.end(), T(0));
  for (int c = 0; c < p.n; ++c)
    for (int k = p.column_start[c]; k < p.column_start[c + 1]; ++k) right_[p.row[k]] += assembly_.values()[k] * start_[c];
  assembly_.tangent(T(1), T(h_ * gamma_), T(h_ * h_ * beta_), s.accelerations.data(), s.lambda.data(), nullptr);
  if (!solver_.prepared()) solver_.prepare(assembly_, index1_.solver().program());
  solver_.factor(assembly_);
  solver_.solve(right_.data());
  assembly_.scatter(right_.data(), jerk_.data(), rows_.data());
}

// Across the constraints the velocities of the method differ from the true ones by h² (c v̈ + Ω×Ω̇/12), c = 1/6 − β + (γ−½)/2: that
// is how h v₀ + h² (½−β) a₀ + h² β a₁ agrees up to h³ with the increment between two points of the constraints. From true velocities,
// accelerations and multipliers would ring with an amplitude of order h (Arnold, Brüls & Cardona 2015).
template <class T>
void GeneralizedAlpha<T>::find_shift(const State<T>& s) {
  const T c(h_ * h_ * (1.0 / 6 - beta_ + 0.5 * (gamma_ - 0.5))), group(h_ * h_ / 12);
  for (size_t i = 0; i < shift_.size(); ++i) shift_[i] = c * jerk_[i];
  for (int b = 0; b < assembly_.carriers().rigid; ++b) {
    const T *v = &s.velocities[6 * b], *a = &s.accelerations[6 * b];
    const Vec3<T> turning = group * cross(Vec3<T>{v[3], v[4], v[5]}, Vec3<T>{a[3], a[4], a[5]});
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
template <class T>
void GeneralizedAlpha<T>::predict(const State<T>& s) {
  const T one(1 / (1 - am_)), am(am_);
  for (size_t i = 0; i < a1_.size(); ++i) a1_[i] = one * (s.accelerations[i] - am * a0_[i]);
  std::copy(s.lambda.begin(), s.lambda.end(), next_.lambda.begin());
  std::copy(s.turns.begin(), s.turns.end(), next_.turns.begin());
}

template <class T>
void GeneralizedAlpha<T>::update(const State<T>& s) {
  const T h(h_), h2a(h_ * h_ * (0.5 - beta_)), h2b(h_ * h_ * beta_), ha(h_ * (1 - gamma_)), hb(h_ * gamma_);
  const T m1((1 - am_) / (1 - af_)), m0(am_ / (1 - af_)), f0(af_ / (1 - af_));
  for (size_t i = 0; i < a1_.size(); ++i) {
    increments_[i] = h * s.velocities[i] + h2a * a0_[i] + h2b * a1_[i];
    next_.velocities[i] = s.velocities[i] + ha * a0_[i] + hb * a1_[i];
    next_.accelerations[i] = m1 * a1_[i] + m0 * a0_[i] - f0 * s.accelerations[i];
  }
  assembly_.carriers().move(s.positions.data(), increments_.data(), next_.positions.data());
}

template <class T>
void GeneralizedAlpha<T>::newton_residual(double t1) {
  next_.t = t1;
  assembly_.kinematics(t1, Side::left, next_.positions.data(), next_.velocities.data(), next_.turns.data());
  assembly_.constrain();
  assembly_.forces();
  assembly_.residual(next_.accelerations.data(), next_.lambda.data(), residual_.data());
  for (T& x : residual_) x = -x;
  const T scale(-1 / (beta_ * h_ * h_));
  for (int r = 0; r < assembly_.rows(); ++r)
    rows_[r] = scale * assembly_.evaluation().residual[r] + assembly_.regularization()[r] * next_.lambda[r];
}

template <class T>
void GeneralizedAlpha<T>::newton_matrix() {
  assembly_.tangent(T((1 - am_) / (1 - af_)), T(h_ * gamma_), T(h_ * h_ * beta_), next_.accelerations.data(), next_.lambda.data(),
                    increments_.data());
}

template <class T>
MaskOf<T> GeneralizedAlpha<T>::correct() {
  assembly_.gather(residual_.data(), rows_.data(), right_.data());
  solver_.solve(right_.data());
  assembly_.scatter(right_.data(), z_.data(), rows_.data());

  // Size of the correction against that of the accelerations; below is round-off of positions of size `length_`.
  const double round_off = 16 * std::numeric_limits<double>::epsilon() / (beta_ * h_ * h_);
  T moved(0), turned(0), largest_move(0), largest_turn(0);
  const std::vector<Carrier>& carriers = assembly_.model().topology.carriers;
  for (int c = 0; c < assembly_.carriers().count; ++c)
    for (int i = 0; i < 6; ++i) {
      const bool place = i < 3 && carriers[c].is_place;
      T &change = place ? moved : turned, &largest = place ? largest_move : largest_turn;
      change = max(change, abs(z_[6 * c + i]));
      largest = max(largest, abs(a1_[6 * c + i]));
    }
  const T size = max(moved / (T(tolerance_) * largest_move + T(round_off * length_)),
                     turned / (T(tolerance_) * largest_turn + T(round_off)));
  const MaskOf<T> small = (size <= T(1)) | ((size <= T(stalled_factor)) & (size > T(0.5) * previous_size_));
  previous_size_ = size;

  for (int b = 0; b < assembly_.carriers().rigid; ++b) {
    const T* d = &increments_[6 * b];
    const Vec3<T> turn = inverse_tangent_times(Vec3<T>{d[3], d[4], d[5]}, Vec3<T>{z_[6 * b + 3], z_[6 * b + 4], z_[6 * b + 5]});
    for (int i = 0; i < 3; ++i) z_[6 * b + 3 + i] = turn[i];
  }
  for (size_t i = 0; i < a1_.size(); ++i) a1_[i] = select(frozen_, a1_[i], a1_[i] + z_[i]);
  for (int r = 0; r < assembly_.rows(); ++r) next_.lambda[r] = select(frozen_, next_.lambda[r], next_.lambda[r] + rows_[r]);
  return small;
}

// The second guess, for lanes in which the first led nowhere: no algorithmic acceleration. Where a load sets in at once, v̇ is that of the
// fastest motions, and h² v̇ would tear a beam apart.
template <class T>
void GeneralizedAlpha<T>::predict_again(const State<T>& s, const MaskOf<T>& failed) {
  for (T& a : a1_) a = select(failed, T(0), a);
  for (size_t r = 0; r < s.lambda.size(); ++r) next_.lambda[r] = select(failed, s.lambda[r], next_.lambda[r]);
}

// Newton's iteration from a1_; `converged` are lanes that need none. Returns those that failed.
template <class T>
MaskOf<T> GeneralizedAlpha<T>::iterate(const State<T>& s, double t1, MaskOf<T> converged) {
  MaskOf<T> failed{};
  frozen_ = converged;
  previous_size_ = T(std::numeric_limits<double>::infinity());
  update(s);
  for (int k = 0; k < max_iterations; ++k) {
    newton_residual(t1);
    if (k % refactor_every == 0) {
      newton_matrix();
      if (!solver_.prepared()) solver_.prepare(assembly_, index1_.solver().program());
      failed = failed | (solver_.factor(assembly_) & !converged);
    }
    const MaskOf<T> small = correct();
    failed = failed | (assembly_.status().failed & !converged);
    converged = converged | (small & !failed);
    frozen_ = frozen_ | small | failed;
    update(s);
    ++iterations_;
    if (all(frozen_)) break;
  }
  return failed | !frozen_;
}

template <class T>
MaskOf<T> GeneralizedAlpha<T>::step(State<T>& s, double t1) {
  if (starting_)
    for (size_t i = 0; i < shift_.size(); ++i) s.velocities[i] += shift_[i];
  starting_ = false;
  predict(s);
  MaskOf<T> failed = iterate(s, t1, MaskOf<T>{});
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
template <class T>
void GeneralizedAlpha<T>::explain(const State<T>& s, const MaskOf<T>&) {
  if constexpr (ScalarTraits<T>::lanes == 1) {
    why_ = newton_failure(assembly_.model(), z_.data(), s.t, h_);
  }
}

template <class T>
void GeneralizedAlpha<T>::evaluate_for_output(State<T>& s, Side side) {
  assembly_.kinematics(s.t, side, s.positions.data(), s.velocities.data(), s.turns.data());
  assembly_.constrain();
  assembly_.forces();
}

template class GeneralizedAlpha<double>;

constinit const Integrator generalized_alpha_integrator{
    .order = 2,
    .uses_rho = true,
    .tolerance = 1e-9,
    .make = [](Assembly<double>& a, const Settings& s) -> std::unique_ptr<Stepper<double>> {
      return std::make_unique<GeneralizedAlpha<double>>(a, s.rho, tolerance_of(s));
    },
    .make_lanes = lane_generalized_alpha};

}  // namespace aleator::core
