// How large the error of a step is, in units of what is allowed. With δv, δq the estimated errors of velocities and positions,
//   explicit methods:  size = max over carriers of  max(|δv|, |δq| / h) / (tolerance · speed + round-off / h),
//   implicit ones:     size = max over carriers of  |δq| / (tolerance · reach + round-off),
// for each of two kinds of coordinates: places (m) and turns (rad; directors of nodes). States of elements are a third kind,
//   all methods:       size = |δx| / tolerance,
// since 1 is the size they may have. `speed` is the largest of its kind so far, `reach` the
// largest distance from the start. An implicit method is there to pass over vibrations that are fast and small; their velocities are not
// small, so that it is judged by positions. A kind that hardly moves is measured by the other one, on an arm of the model's length: it may be
// round-off. Lengths come from the model, so that its units do not matter.
#pragma once

#include "dynamics/assembly.hpp"

namespace aleator::core {

// The largest of each kind of coordinates.
template <class T>
struct Largest {
  T places{}, turns{};
  T states{};  // of errors alone: the measure of states does not depend on the motion
};

template <class T>
class StepError {
 public:
  StepError(const Assembly<T>& assembly, double tolerance);

  // The larger of `before` and the speeds of these velocities, [6 carriers].
  Largest<T> speeds(const T* velocities, const Largest<T>& before) const;
  // The larger of `before` and the distances between these positions, [7 carriers].
  Largest<T> reach(const T* positions, const T* start, const Largest<T>& before) const;
  // Of an explicit method: δv [6 carriers], δq [7 carriers]. Infinite where it is not a number.
  T size(const T* dv, const T* dq, const Largest<T>& speeds, const T& h) const;
  // Of an implicit one: δq as increments, of states δx, [6 carriers].
  T size(const T* increments, const Largest<T>& reach) const;

 private:
  // Of changes of positions [7 carriers]
  Largest<T> moved(const T* dq, const Largest<T>& before) const;
  T of_states(const T* x) const;
  T relative(const Largest<T>& error, const Largest<T>& motion, const T& round_off, const T& sum) const;
  const Assembly<T>& assembly_;
  double tolerance_;
  double length_ = 0;                // of the model: distances between bodies, and from their centres to what acts on them
  double round_off_;                 // of places, m
  mutable AlignedVector<T> change_;  // [7 carriers]
};

extern template class StepError<double>;
extern template class StepError<Traced>;

}  // namespace aleator::core
