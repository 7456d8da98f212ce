#include "report/frame.hpp"

#include <algorithm>
#include <cmath>

namespace aleator::core::report {

Frame frame_of(const double* pose) {
  const double w = pose[3], x = pose[4], y = pose[5], z = pose[6], length = std::sqrt(w * w + x * x + y * y + z * z);
  const Quaternion<double> q{w / length, {x / length, y / length, z / length}};
  return {{pose[0], pose[1], pose[2]}, rotated(q, Vector{1, 0, 0}), rotated(q, Vector{0, 1, 0}), rotated(q, Vector{0, 0, 1})};
}

Quaternion<double> quaternion_of(const Frame& frame) {
  const auto& [origin, x, y, z] = frame;
  const Quaternion<double> q = core::quaternion_of(transpose(Mat3<double>{{x, y, z}}));
  const double largest = std::max({q.w, q.v.x, q.v.y, q.v.z}), smallest = std::min({q.w, q.v.x, q.v.y, q.v.z});
  return largest >= -smallest ? q : Quaternion<double>{-q.w, -q.v};
}

}  // namespace aleator::core::report
