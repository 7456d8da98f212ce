// Volume and inertia of homogeneous shapes.
#pragma once

#include <string>

#include "model/mass_properties.hpp"

namespace aleator::core {

struct ShapeProperties {
  DrawnShape drawn;
  double volume;
  Vec3<double> center;         // inertial axes
  Mat3<double> second_moment;  // (1/m) ∫ x xᵀ dm about the centre, inertial axes (Z)
  std::string defect;          // of a mesh that is no solid: why it has none of these
};

// The shape of an item of shape_kinds(), placed by the body's `at` and orientation unless it has its own.
ShapeProperties shape_properties(const input::Item& shape, const Builder& b, const Vec3<double>& at,
                                 const Mat3<double>& orientation);

// Largest extent of a shape from its position in direction d.
double reach(const DrawnShape& shape, const Vec3<double>& d);

}  // namespace aleator::core
