#include "numerics/rotation.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace aleator::core {
namespace ALEATOR_FILE {

TEST(Rotation, a_vector_is_turned_as_by_the_matrix) {
  const Quaternion<double> q = normalized(Quaternion<double>{0.3, {-0.5, 0.2, 0.7}});
  const Vec3<double> v = {1.5, -2, 0.25}, turned = rotated(q, v), expected = rotation_matrix(q) * v;
  for (int i = 0; i < 3; ++i) EXPECT_NEAR(turned[i], expected[i], 2e-15);  // round-off of numbers around 2
  EXPECT_NEAR(norm(turned), norm(v), 2e-15);
  const Vec3<double> quarter = rotated(Quaternion<double>{std::sqrt(0.5), {0, 0, std::sqrt(0.5)}}, Vec3<double>{1, 0, 0});
  EXPECT_NEAR(quarter.y, 1, 1e-15) << "from x to y about z";
}

}  // namespace ALEATOR_FILE
}  // namespace aleator::core
