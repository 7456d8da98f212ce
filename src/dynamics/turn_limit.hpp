// How far bodies turn in a step. Measured angles are counted on from step to step by what they change, to the nearest turn, and rotations over
// a step are series that end: from half a turn on a step looks like a shorter one, or like one the other way round, and no estimate of its error
// sees it. So the turn of a step,
//   θ = max over bodies and measured angles of  max(|rotation vector|, h |ω|),       ω of an angle: the difference of those at its ends,
// is known to all integrators. Equal steps fail where θ is above `most_turn`; steps that are adapted to their error have
//   max(error, (θ/most_adapted_turn)⁵)
// for it, as if it were the error of a method of order 5. Squares are passed around: no root is taken where nothing turns far.
#pragma once

#include <string>

#include "dynamics/assembly.hpp"

namespace aleator::core {

constexpr double most_turn = 2.5;  // rad, of a step
// Of a step that is adapted to its error. Estimates see of a rotation what one step loses; what thousands of them lose in the same direction shows
// in phase and energy: at 0.2 rad about 1e-7 of the angle with dormand-prince, 5e-5 with radau (0.5 rad: 2e-3).
constexpr double most_adapted_turn = 0.2;
// From here on the implicit method needs as much work for a turn, in parts of `most_adapted_turn`, as an explicit one: what turns that far is
// fast, not stiff, and such parts count less among tries that may be too many (TryLimit).
constexpr double free_turn = 0.03;

// After kinematics: the square of the fastest rotation, (rad/s)².
template <class T>
T fastest_rotation(const Assembly<T>& a) {
  T fastest(0);
  for (int c = 0; c < a.carriers().rigid; ++c) {
    const BodyFrame<T>& f = a.frames()[c];
    const Vec3<T>& w = a.reads_reduced() && a.relative().has(c) ? f.w : f.omega;
    fastest = max(fastest, dot(w, w));
  }
  const Topology& t = a.model().topology;
  const auto is_seen = [&](int marker) { return t.marker_carrier[size_t(marker)] < a.carriers().rigid; };
  for (const Coordinate& c : t.turn_coordinate) {
    const int ground = a.carriers().count;
    if ((t.marker_carrier[size_t(c.a)] == ground && is_seen(c.b)) || (t.marker_carrier[size_t(c.b)] == ground && is_seen(c.a)))
      continue;  // that of a body
    const Vec3<T> w = a.evaluation().marker[c.b].w - a.evaluation().marker[c.a].w;
    fastest = max(fastest, dot(w, w));
  }
  return fastest;
}

// The square of the largest turn among increments, [6 carriers].
template <class T>
T largest_turn(const Assembly<T>& a, const T* increments) {
  T largest(0);
  for (int c = 0; c < a.carriers().rigid; ++c) {
    const Vec3<T> y = {increments[6 * c + 3], increments[6 * c + 4], increments[6 * c + 5]};
    largest = max(largest, dot(y, y));
  }
  return largest;
}

// The error of a step, in units of what is allowed, with its turn.
template <class T>
T error_with_turn(const T& error, const T& turn2) {
  const T x = T(1 / (most_adapted_turn * most_adapted_turn)) * turn2;
  return max(error, x * x * sqrt(x));
}

template <class T>
MaskOf<T> turns_too_far(const T& turn2) {
  return turn2 > T(most_turn * most_turn);
}

// After kinematics at its end: why a step of h to t, in which something turned by √turn2, is none.
std::string turn_failure(const Assembly<double>& assembly, double turn2, double t, double h);

}  // namespace aleator::core
