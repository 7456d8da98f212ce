#include "dynamics/step_error.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace aleator::core {

namespace {

constexpr double share = 1e-3;  // of the speed of one kind of coordinates, below which that of the other is not looked at closely

// The size of what is drawn; of a single body that nothing acts on, its radius of gyration.
double length_of(const Model& m) {
  double low[3], high[3], length = 0;
  for (int i = 0; i < 3; ++i) {
    low[i] = std::numeric_limits<double>::infinity(), high[i] = -low[i];
    for (size_t c = 0; c < m.topology.carriers.size(); ++c)
      if (const double x = m.nominal.positions[7 * c + i]; m.topology.carriers[c].is_place)
        low[i] = std::min(low[i], x), high[i] = std::max(high[i], x);
    length = std::max(length, high[i] - low[i]);
  }
  for (const auto& marker : m.nominal.markers) length = std::max(length, norm(marker.offset));
  if (length > 0 && std::isfinite(length)) return length;
  for (const auto& b : m.nominal.bodies)
    if (b.mass > 0) length = std::max(length, std::sqrt(trace(b.inertia) / (3 * b.mass)));
  return length > 0 && std::isfinite(length) ? length : 1;
}

}  // namespace

template <class T>
StepError<T>::StepError(const Assembly<T>& assembly, double tolerance)
    : assembly_(assembly), tolerance_(tolerance), length_(length_of(assembly.model())) {
  double far = length_;
  const Model& m = assembly.model();
  for (size_t c = 0; c < m.topology.carriers.size(); ++c)
    for (int i = 0; i < 3; ++i)
      if (m.topology.carriers[c].is_place) far = std::max(far, std::abs(m.nominal.positions[7 * c + i]));
  round_off_ = 16 * std::numeric_limits<double>::epsilon() * far;
}

template <class T>
Largest<T> StepError<T>::speeds(const T* v, const Largest<T>& before) const {
  Largest<T> out = before;
  const std::vector<Carrier>& carriers = assembly_.model().topology.carriers;
  for (int c = 0; c < assembly_.carriers().first_state; ++c)
    for (int i = 0; i < 6; ++i) {
      T& largest = i < 3 && carriers[c].is_place ? out.places : out.turns;
      largest = max(largest, abs(v[6 * c + i]));
    }
  return out;
}

template <class T>
Largest<T> StepError<T>::moved(const T* dq, const Largest<T>& before) const {
  Largest<T> out = before;
  const std::vector<Carrier>& carriers = assembly_.model().topology.carriers;
  for (int c = 0; c < assembly_.carriers().first_state; ++c) {
    const bool rigid = c < assembly_.carriers().rigid;
    for (int i = 0; i < (rigid ? 7 : 6); ++i) {
      const bool place = i < 3 && carriers[c].is_place;
      T& largest = place ? out.places : out.turns;
      largest = max(largest, T(rigid && !place ? 2 : 1) * abs(dq[7 * c + i]));  // quaternions change by half an angle
    }
  }
  return out;
}

template <class T>
Largest<T> StepError<T>::reach(const T* q, const T* start, const Largest<T>& before) const {
  AlignedVector<T>& change = change_;
  change.resize(size_t(7) * assembly_.carriers().count);
  for (size_t i = 0; i < change.size(); ++i) change[i] = q[i] - start[i];
  return moved(change.data(), before);
}

template <class T>
T StepError<T>::of_states(const T* x) const {
  T largest(0);
  for (int c = assembly_.carriers().first_state; c < assembly_.carriers().count; ++c)
    for (int i = 0; i < assembly_.model().topology.carriers[c].states; ++i) largest = max(largest, abs(x[6 * c + i]));
  return largest;
}

template <class T>
T StepError<T>::relative(const Largest<T>& error, const Largest<T>& motion, const T& round_off, const T& sum) const {
  const T places = max(motion.places, T(share * length_) * motion.turns),
          turns = max(motion.turns, T(share / length_) * motion.places);
  const T tolerance(tolerance_);
  const T motions =
      max(error.places / (tolerance * places + round_off), error.turns / (tolerance * turns + T(1 / length_) * round_off));
  const T size = max(motions, error.states / tolerance);
  return select(is_finite(sum), size, T(std::numeric_limits<double>::infinity()));  // max() does not see a NaN
}

template <class T>
T StepError<T>::size(const T* dv, const T* dq, const Largest<T>& s, const T& h) const {
  const T per_step = T(1) / h;
  Largest<T> error = moved(dq, {T(0), T(0)});
  error.places = per_step * error.places, error.turns = per_step * error.turns;
  error = speeds(dv, error);
  error.states = of_states(dv);
  T sum(0);
  for (int i = 0; i < assembly_.velocities(); ++i) sum += dv[i];
  return relative(error, s, T(round_off_) * per_step, sum);
}

template <class T>
T StepError<T>::size(const T* increments, const Largest<T>& reach) const {
  T sum(0);
  for (int i = 0; i < assembly_.velocities(); ++i) sum += increments[i];
  Largest<T> error = speeds(increments, {T(0), T(0)});
  error.states = of_states(increments);
  return relative(error, reach, T(round_off_), sum);
}

template class StepError<double>;
template class StepError<Traced>;

}  // namespace aleator::core
