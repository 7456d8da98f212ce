// A planar model and the same mechanism modelled in space move alike; in space the loop has redundant constraints.
#include "compare.hpp"
#include "dynamics/start.hpp"

namespace aleator::core::test {
namespace ALEATOR_FILE {

// A four-bar with a spring, a damper and a load: planar as it stands, spatial with axes and inertias named.
const std::string planar = R"(
plane: xy
gravity: [0, -9.81]
bodies:
  crank: {mass: 1, inertia: 0.02, center_of_mass: [0, 0.25]}
  coupler: {mass: 2, inertia: 0.3, center_of_mass: [0.6, 0.7], velocity: [0.1, 0], angular_velocity: 0.2}
  rocker: {mass: 1.5, inertia: 0.1, center_of_mass: [1.2, 0.5]}
joints:
  O: {revolute: [ground, crank], at: [0, 0], damper: 0.05}
  A: {revolute: [crank, coupler], at: [0, 0.5]}
  B: {revolute: [coupler, rocker], at: [1.2, 0.9]}
  C: {revolute: [ground, rocker], at: [1.2, 0]}
forces:
  spring: {spring_damper: [ground, coupler], points: [[0.5, 2], [0.6, 0.8]], stiffness: 80, damping: 1}
  push: {force: rocker, at: [1.2, 0.4], value: [5*sin(3*t), 0]}
  twist: {torque: crank, value: 0.5}
outputs:
  turn: {coordinate: O}
  angle: {orientation: coupler}
  point: {position: coupler, at: [0.6, 1]}
  accel: {acceleration: coupler, at: [0.6, 1]}
  tension: {tension: spring}
  energy: {energy: all}
simulation: {duration: 2, step: 1e-3, output_step: 0.02}
)";
const std::string spatial = R"(
gravity: [0, -9.81, 0]
bodies:
  crank: {mass: 1, inertia: {xx: 0.02, yy: 0.01, zz: 0.02}, center_of_mass: [0, 0.25, 0]}
  coupler: {mass: 2, inertia: {xx: 0.1, yy: 0.3, zz: 0.3, xy: 0.05}, center_of_mass: [0.6, 0.7, 0], velocity: [0.1, 0, 0], angular_velocity: [0, 0, 0.2]}
  rocker: {mass: 1.5, inertia: {xx: 0.1, yy: 0.01, zz: 0.1}, center_of_mass: [1.2, 0.5, 0]}
joints:
  O: {revolute: [ground, crank], axis: z, at: [0, 0, 0], damper: 0.05}
  A: {revolute: [crank, coupler], axis: z, at: [0, 0.5, 0]}
  B: {revolute: [coupler, rocker], axis: z, at: [1.2, 0.9, 0]}
  C: {revolute: [ground, rocker], axis: z, at: [1.2, 0, 0]}
forces:
  spring: {spring_damper: [ground, coupler], points: [[0.5, 2, 0], [0.6, 0.8, 0]], stiffness: 80, damping: 1}
  push: {force: rocker, at: [1.2, 0.4, 0], value: [5*sin(3*t), 0, 0]}
  twist: {torque: crank, value: [0, 0, 0.5]}
outputs:
  turn: {coordinate: O}
  angle: {orientation: coupler}
  point: {position: coupler, at: [0.6, 1, 0]}
  accel: {acceleration: coupler, at: [0.6, 1, 0]}
  tension: {tension: spring}
  energy: {energy: all}
simulation: {duration: 2, step: 1e-3, output_step: 0.02}
)";

void expect_same(const std::string& integrator, double tolerance) {
  const Result p = run(planar, {.integrator = integrator}), s = run(spatial, {.integrator = integrator});
  for (const char* name : {"turn", "point.x", "point.y", "accel.x", "accel.y", "tension", "energy"})
    EXPECT_LT(difference(p, s, name), tolerance) << name;
  EXPECT_LT(difference(p, s, "angle", "angle.yaw"), tolerance);
  for (const double z : s.channel("point.z")) EXPECT_NEAR(z, 0, 1e-12);
}

// Round-off: 1e-11 of regularised, redundant multipliers; and 1e-16 m / (β h²), times some ten, in accelerations of generalized-α.
TEST(PlanarAndSpatial, runge_kutta) { expect_same("runge-kutta", 1e-9); }
TEST(PlanarAndSpatial, generalized_alpha) { expect_same("generalized-alpha", 1e-7); }

TEST(PlanarAndSpatial, only_the_spatial_loop_is_redundant) {
  const Redundancy p = redundancy(model_from(planar)), s = redundancy(model_from(spatial));
  EXPECT_EQ(p.freedoms(), 1);
  EXPECT_EQ(s.freedoms(), 1);
  EXPECT_EQ(p.dependent.size(), 0u);
  EXPECT_EQ(s.dependent.size(), 3u);
}

}  // namespace ALEATOR_FILE
}  // namespace aleator::core::test
