// Where something that is drawn is and how it is turned.
#pragma once

#include "numerics/rotation.hpp"

namespace aleator::core::report {

using Vector = Vec3<double>;

// Its axes x, y, z = x × y are unit vectors.
struct Frame {
  Vector origin{};
  Vector x{1, 0, 0}, y{0, 1, 0}, z{0, 0, 1};

  Vector point(const Vector& local) const { return origin + direction(local); }
  Vector direction(const Vector& local) const { return local.x * x + local.y * y + local.z * z; }
};

// `pose`: x y z qw qx qy qz. The quaternion need not be of length one to the last bit.
Frame frame_of(const double* pose);

// Of the axes of a frame. Of the two that mean the same rotation, the one whose largest component is positive.
Quaternion<double> quaternion_of(const Frame& frame);

}  // namespace aleator::core::report
