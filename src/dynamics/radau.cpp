#include "dynamics/radau.hpp"

#include <algorithm>
#include <limits>

#include "dynamics/newton_failure.hpp"

namespace aleator::core {

namespace {
constexpr int renew_every = 20;    // steps: matrices are no older
constexpr double slow = 0.1;       // contraction from which on they are renewed before the next step
constexpr int limit = 10;          // iterations with matrices that were kept …
constexpr int patient_limit = 30;  // … and with new ones now and then
// Round-off: a correction that no longer shrinks is accepted when it is below this part of the accelerations, and within 10⁴ tolerances.
constexpr double stalled = 1e-5;
}  // namespace

template <class T>
Radau<T>::Radau(Assembly<T>& assembly, double tolerance)
    : assembly_(assembly),
      index1_(assembly),
      step_(assembly, tolerance),
      contraction_(1),
      trusted_(1),
      stalled_(std::min(1e4, stalled / tolerance)) {}

template <class T>
void Radau<T>::begin(State<T>& s, double h) {
  index1_.evaluate(s, Side::right);
  index1_.project_velocities(s);
  index1_.evaluate_again(s, Side::right);
  index1_.project_velocities(s);  // for what ε left open: 1e-11 of a jump of velocities, divided by h, would be seen
  index1_.evaluate(s, Side::right);
  index1_.accelerations(s);
  h_ = h;
  step_.h = T(h);
  step_.use(index1_.solver().program());
  step_.positions = s.positions, step_.velocities = s.velocities, step_.turns = s.turns, step_.lambda = s.lambda;
  step_.forget();
  contraction_ = trusted_ = T(0.5);
  stale_ = MaskOf<T>(true);
  age_ = T(0);
  hard_ = MaskOf<T>{};
  started_ = false;
}

template <class T>
void Radau<T>::renew(const MaskOf<T>& which) {
  step_.renew(which);
  ++renewals_;
  if constexpr (ScalarTraits<T>::lanes == 1) {
    if (!step_.failed) return;
    for (const T& v : step_.real_values())
      if (!std::isfinite(v)) return;
    LuOptions options;  // new pivots for the new values
    options.block = assembly_.model().structure.unknown_node;
    try {
      step_.use(std::make_shared<const LuProgram>(
          LuProgram::analyse(assembly_.model().structure.pattern, step_.real_values(), options)));
    } catch (const SingularMatrix&) {
      return;
    }
    step_.renew(which);
  }
}

// Newton's iteration in all lanes but `without`; returns those that did not converge. `every` > 0: the matrices are renewed so often, and in
// between corrections are combined.
template <class T>
MaskOf<T> Radau<T>::attempt(const MaskOf<T>& without, int every, int most) {
  MaskOf<T> converged = without, failed{};
  ++attempts_;
  T previous(std::numeric_limits<double>::infinity());
  trusted_ = select(without, trusted_, min(T(0.9), sqrt(trusted_)));  // the first correction is judged by earlier steps
  for (int k = 0; k < most; ++k) {
    if (every > 0 && k % every == 0) {
      renew(!(converged | failed));
      failed = failed | (step_.failed & !converged);
    }
    step_.frozen = converged | failed;
    step_.iterate(every > 0 ? k % every : -1);
    ++iterations_;
    const MaskOf<T> active = !(converged | failed);
    failed = failed | (step_.failed & active);
    if (k > 0) {
      const T measured = step_.size / previous;
      trusted_ = select(active, max(T(1e-4), measured), trusted_);
      contraction_ = select(active, measured, contraction_);
      failed = failed | (active & (measured > T(2)) & (step_.size > T(stalled_)) & MaskOf<T>(every == 0));
    }
    const T left = min(T(0.99), trusted_);
    const MaskOf<T> enough = (left * step_.size <= (T(1) - left)) |
                             ((step_.size <= T(stalled_)) & (step_.size > T(0.5) * previous) & MaskOf<T>(k > 1));
    converged = converged | (active & enough & !failed);
    failed = failed | (active & !is_finite(step_.size));
    previous = step_.size;
    if (all(converged | failed)) break;
  }
  return !converged;
}

template <class T>
MaskOf<T> Radau<T>::step(State<T>& s, double t1) {
  for (int i = 0; i < 2; ++i) step_.time[i] = s.t + RadauStep<T>::node(i) * h_;
  step_.time[2] = t1;
  step_.positions = s.positions, step_.velocities = s.velocities, step_.turns = s.turns;

  step_.frozen = MaskOf<T>{};
  step_.predict(MaskOf<T>{});
  stale_ = stale_ | (age_ >= T(renew_every));
  if (any(stale_)) renew(stale_);
  age_ = select(stale_, T(1), age_ + T(1));
  // Lanes that had trouble lately begin with the second attempt.
  MaskOf<T> open = attempt(lost_ | hard_, 0, limit) | hard_;
  hard_ = open & (age_ < T(renew_every));
  stale_ = (contraction_ > T(slow)) & !lost_;
  if (any(open)) {  // with new matrices every tenth iteration, and corrections combined; then from constant velocities
    step_.frozen = !open;
    step_.predict(MaskOf<T>{});
    open = attempt(!open, 10, patient_limit);
  }
  if (any(open)) {
    step_.frozen = !open;
    step_.predict(MaskOf<T>(true));
    open = attempt(!open, 10, patient_limit);
  }
  if (any(open)) explain(s);
  lost_ = lost_ | open;
  step_.finish();
  s.t = t1;
  std::copy(step_.positions.begin(), step_.positions.end(), s.positions.begin());
  std::copy(step_.velocities.begin(), step_.velocities.end(), s.velocities.begin());
  std::copy(step_.accelerations.begin(), step_.accelerations.end(), s.accelerations.begin());
  std::copy(step_.lambda.begin(), step_.lambda.end(), s.lambda.begin());
  std::copy(step_.turns.begin(), step_.turns.end(), s.turns.begin());
  started_ = true;
  return lost_;
}

// Where it went wrong, for a single realization.
template <class T>
void Radau<T>::explain(const State<T>& s) {
  if constexpr (ScalarTraits<T>::lanes == 1) {
    why_ = newton_failure(assembly_.model(), step_.correction().data(), s.t, h_);
  }
}

template <class T>
void Radau<T>::evaluate_for_output(State<T>& s, Side side) {
  index1_.evaluate(s, side);
  if (started_) index1_.accelerations(s);
}

template class Radau<double>;

constinit const Integrator radau_integrator{
    .order = 5,
    .tolerance = 1e-9,
    .work = 45,
    .make = [](Assembly<double>& a, const Settings& s) -> std::unique_ptr<Stepper<double>> {
      return std::make_unique<Radau<double>>(a, tolerance_of(s));
    },
    .make_lanes = lane_radau};

}  // namespace aleator::core
