// Constraints that cannot be closed because they contradict each other: two drives of one coordinate, gears in a loop whose ratios do not fit.
// The constraint rows of all methods are  G x − ε y = −g  (index1.hpp): of row r, ε_r y_r stays open. That is round-off where constraints agree,
// redundant or not; a contradiction is shared by the rows it concerns, and nothing else would tell.
//
// A simulation fails when a row is open by more than `tolerance`: of the size of the mechanism as drawn, for lengths; in rad, for angles.
// What methods leave open for good reasons is far below: round-off where positions are projected, and the integrator's
// own error where they are not (stabilization: baumgarte or none, and ida).
//
// One projection is linear: a loop that is stretched beyond its reach it closes to first order, and not at all. So what was open before it is
// looked at as well, with ten times the tolerance: the error of a step, and what the projection before has left.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "model/model.hpp"
#include "numerics/traced.hpp"

namespace aleator::core {

class Violation {
 public:
  static constexpr double tolerance = 1e-4, before_projection = 10;

  explicit Violation(const Model& model);

  // Lanes in which some row is too far open: by scale · open(r), r = 0 … rows − 1.
  template <class T, class Open>
  MaskOf<T> is_too_large(const T& scale, Open&& open) const {
    T largest(0);
    for (size_t r = 0; r < per_limit_.size(); ++r) largest = max(largest, abs(open(int(r))) * T(per_limit_[r]));
    return scale * largest > T(1);
  }
  template <class T>
  MaskOf<T> is_too_large(const T* open) const {
    return is_too_large(T(1), [open](int r) { return open[r]; });
  }

  // The same, and of what was open before the projection.
  template <class T>
  MaskOf<T> is_too_large(const T* open, const T* before) const {
    return is_too_large(open) | is_too_large(T(1 / before_projection), [before](int r) { return before[r]; });
  }

  // Which joints, by how much and when; the one that is open widest first.
  std::string message(std::span<const double> open, double t) const;

 private:
  const Model& model_;
  std::vector<double> per_limit_;  // [rows] 1 / what a row may be open by; 0 for rows that are no equations any more
};

// Without drives and couplings whatever could be assembled agrees.
bool may_contradict(const Model& model);

// The longest side of the box around all bodies, nodes and points of joints and forces, as drawn; 1 m if they are all at one point.
double size_as_drawn(const Model& model);

}  // namespace aleator::core
