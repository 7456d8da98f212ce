// Point masses of a body: mass, centre of mass and inertia by the parallel axis theorem; uncertain as parameters are.
#include <gtest/gtest.h>

#include "support/message_of.hpp"
#include "support/run.hpp"

namespace aleator::core::test {
namespace ALEATOR_FILE {

std::string arm(const std::string& points) {
  return "parameters: {payload: 2}\n"
         "bodies:\n  arm: {shape: {box: [0.6, 0.2, 0.1]}, mass: 4, at: [1, 0, 0], point_masses: " +
         points +
         "}\n"
         "simulation: {duration: 1}\n";
}

TEST(PointMasses, count_in_mass_centre_and_inertia) {
  const Model m = model_from(arm("{tool: {mass: payload, at: [1.6, 0, 0]}, weight: {mass: 2, at: [0.4, 0, 0.4]}}"));
  const BodyProperties& p = m.bodies[0];
  EXPECT_DOUBLE_EQ(p.mass, 8);
  // (4·1 + 2·1.6 + 2·0.4) / 8 = 1;  2·0.4 / 8 = 0.1
  EXPECT_DOUBLE_EQ(p.center_of_mass.x, 1);
  EXPECT_DOUBLE_EQ(p.center_of_mass.z, 0.1);
  // box: 4/12 (0.2² + 0.1²), 4/12 (0.6² + 0.1²), 4/12 (0.6² + 0.2²); shifted by 0.1 along z; points at (0.6, 0, −0.1), (−0.6, 0, 0.3).
  // Round-off of sums of order 1
  EXPECT_NEAR(p.inertia[0][0], 4.0 / 12 * 0.05 + 4 * 0.01 + 2 * 0.01 + 2 * 0.09, 1e-14);
  EXPECT_NEAR(p.inertia[1][1], 4.0 / 12 * 0.37 + 4 * 0.01 + 2 * 0.37 + 2 * 0.45, 1e-14);
  EXPECT_NEAR(p.inertia[2][2], 4.0 / 12 * 0.40 + 2 * 0.36 + 2 * 0.36, 1e-14);
  EXPECT_NEAR(p.inertia[0][2], 2 * 0.06 + 2 * 0.18, 1e-14);
  const Override more[] = {{"payload", 4.0}};
  EXPECT_DOUBLE_EQ(realize_bodies(m, more)[0].mass, 10);
  const Override scaled[] = {{"arm.mass", 16.0}};  // of the body with all that is on it
  EXPECT_NEAR(realize_bodies(m, scaled)[0].inertia[1][1], 2 * p.inertia[1][1], 1e-14);
}

TEST(PointMasses, what_is_wrong) {
  EXPECT_EQ(input_message_of([] { model_from(arm("{tool: {mass: -1, at: [0, 0, 0]}}")); }),
            "point_masses 'tool': 'mass' must be positive, found -1");
  EXPECT_EQ(input_message_of([] { model_from(arm("{tool: {mass: 1}}")); }), "point_masses 'tool': 'at' is missing");
}

}  // namespace ALEATOR_FILE
}  // namespace aleator::core::test
