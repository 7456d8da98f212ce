// The centreline of a beam as drawn: a line, an arc through three points, or a smooth curve (natural cubic spline) through more,
// measured by its length.
#pragma once

#include <vector>

#include "numerics/vec3.hpp"

namespace aleator::core {

struct LinePoint {
  Vec3<double> place, tangent;  // unit
};

class Centreline {
 public:
  enum class Kind { spline, arc };
  // At least two points, neighbours apart; an arc has three, not on a line. Throws std::invalid_argument with a sentence.
  Centreline(std::vector<Vec3<double>> points, Kind kind);

  bool straight() const { return points_.size() == 2; }
  double length() const { return length_; }
  LinePoint at(double s) const;  // at this distance from the start

 private:
  LinePoint at_parameter(double u, double* speed = nullptr) const;

  Kind kind_;
  std::vector<Vec3<double>> points_;
  std::vector<double> knots_;                 // of the spline: chord lengths
  std::vector<Vec3<double>> curvature_;       // second derivatives at the knots
  Vec3<double> center_, from_, across_;       // of the arc: r = center + cos u from + sin u across
  std::vector<double> parameter_, distance_;  // a fine table of the length
  double length_ = 0;
};

}  // namespace aleator::core
