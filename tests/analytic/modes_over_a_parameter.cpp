// Natural frequencies over a parameter (modes --over) against closed forms: a vibration that begins after the first value, and a crossing.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "api/campbell.hpp"

namespace aleator::core::test {
namespace ALEATOR_FILE {

// Two masses, ω = √(k/m); the first one is free to move at k = 0.
TEST(ModesOverAParameter, begin_where_they_vibrate) {
  const aleator::Model model = aleator::model_from_text(R"(
parameters: {k: 100}
bodies:
  a: {mass: 2, inertia: {xx: 1, yy: 1, zz: 1}}
  b: {mass: 3, inertia: {xx: 1, yy: 1, zz: 1}, at: [1, 0, 0]}
joints:
  s1: {prismatic: [ground, a], axis: x, at: [0, 0, 0], spring: {stiffness: k}}
  s2: {prismatic: [ground, b], axis: y, at: [1, 0, 0], spring: {stiffness: 1500}}
simulation: {duration: 1}
)");
  CampbellRequest q;
  read_range("k=0..2000", q);
  q.points = 5;
  const CampbellDiagram d = campbell(model, q);
  ASSERT_EQ(d.frequency.size(), 2u);
  for (size_t i = 0; i < d.values.size(); ++i) {
    EXPECT_NEAR(d.frequency[0][i], std::sqrt(500) / (2 * std::numbers::pi), 1e-10);
    if (i == 0)
      EXPECT_TRUE(std::isnan(d.frequency[1][i]));
    else
      EXPECT_NEAR(d.frequency[1][i], std::sqrt(d.values[i] / 2) / (2 * std::numbers::pi), 1e-10);
  }
  // Empty cells before: frequency, damping ratio and MAC
  EXPECT_NE(campbell_csv(d).find(",,,\n500,"), std::string::npos) << campbell_csv(d);
}

}  // namespace ALEATOR_FILE
}  // namespace aleator::core::test
