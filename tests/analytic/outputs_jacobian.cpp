// Jacobians of points against closed forms: an arm, a slider-crank, and v = Σ J q̇.
#include <gtest/gtest.h>

#include <cmath>

#include "support/run.hpp"

namespace aleator::core::test {
namespace ALEATOR_FILE {

constexpr double round_off = 1e-9;  // positions are on the constraints to 1e-10

// Two links of lengths 0.5 and 0.4 in the plane xy, angles a and a + b: J_1 = z × p, J_2 = z × (p − elbow).
TEST(Jacobians, of_an_arm) {
  const Result r = run(R"(
bodies:
  upper: {shape: {box: [0.5, 0.05, 0.05]}, mass: 2, at: [0.25, 0, 0]}
  lower: {shape: {box: [0.4, 0.05, 0.05]}, mass: 1, at: [0.7, 0, 0]}
joints:
  shoulder: {revolute: [ground, upper], axis: z, at: [0, 0, 0], motion: 0.3 + 2*t}
  elbow: {revolute: [lower, upper], axis: z, at: [0.5, 0, 0], motion: -0.2 - 3*t^2}
simulation: {duration: 1, step: 1e-3, output_step: 0.1, integrator: runge-kutta}
outputs:
  J1: {jacobian: lower, at: [0.9, 0, 0], joint: shoulder}
  J2: {jacobian: lower, at: [0.9, 0, 0], joint: elbow}
  w1: {angular_jacobian: lower, joint: shoulder, component: z}
  w2: {angular_jacobian: lower, joint: elbow, component: z}
  none: {jacobian: upper, joint: elbow, component: norm}
  v: {velocity: lower, at: [0.9, 0, 0]}
  q1: {rate: shoulder}
  q2: {rate: elbow}
)");
  for (size_t i = 0; i < r.times.size(); ++i) {
    const double t = r.times[i], a = 0.3 + 2 * t,
                 b = 0.2 + 3 * t * t;  // the elbow's first body is beyond it: b counts the other way
    EXPECT_NEAR(r.channel("J1.x")[i], -0.5 * std::sin(a) - 0.4 * std::sin(a + b), round_off);
    EXPECT_NEAR(r.channel("J1.y")[i], 0.5 * std::cos(a) + 0.4 * std::cos(a + b), round_off);
    EXPECT_NEAR(r.channel("J2.x")[i], 0.4 * std::sin(a + b), round_off);
    EXPECT_NEAR(r.channel("J2.y")[i], -0.4 * std::cos(a + b), round_off);
    EXPECT_NEAR(r.channel("w1")[i], 1, round_off);
    EXPECT_NEAR(r.channel("w2")[i], -1, round_off);
    EXPECT_EQ(r.channel("none")[i], 0);
    for (const std::string x : {".x", ".y", ".z"})
      EXPECT_NEAR(r.channel("v" + x)[i],
                  r.channel("J1" + x)[i] * r.channel("q1")[i] + r.channel("J2" + x)[i] * r.channel("q2")[i], 10 * round_off);
  }
}

// Crank 0.2, rod 0.5: x = 0.2 cos φ + √(0.25 − 0.04 sin² φ). The rod and the slider follow the crank, and turn back along y.
TEST(Jacobians, of_a_loop) {
  const Result r = run(R"(
bodies:
  crank: {shape: {box: [0.2, 0.02, 0.02]}, mass: 1, at: [0.1, 0, 0]}
  rod: {shape: {box: [0.5, 0.02, 0.02]}, mass: 0.5, at: [0.45, 0, 0]}
  slider: {shape: {box: [0.1, 0.1, 0.1]}, mass: 2, at: [0.7, 0, 0]}
joints:
  main: {revolute: [ground, crank], axis: y, at: [0, 0, 0], motion: 3*t}
  pin: {revolute: [crank, rod], axis: y, at: [0.2, 0, 0]}
  guide: {prismatic: [ground, slider], axis: x, at: [0.7, 0, 0]}
  wrist: {revolute: [rod, slider], axis: y, at: [0.7, 0, 0]}
simulation: {duration: 2, step: 1e-3, output_step: 0.1, integrator: runge-kutta}
outputs:
  J: {jacobian: slider, joint: main}
  rod: {jacobian: rod, joint: main}
  w: {angular_jacobian: rod, joint: main, component: y}
  v: {velocity: slider, component: x}
  v_rod: {velocity: rod}
  w_rod: {angular_velocity: rod, component: y}
)");
  for (size_t i = 0; i < r.times.size(); ++i) {
    const double s = std::sin(3 * r.times[i]), c = std::cos(3 * r.times[i]);
    EXPECT_NEAR(r.channel("J.x")[i], -0.2 * s - 0.04 * s * c / std::sqrt(0.25 - 0.04 * s * s), 10 * round_off);
    EXPECT_NEAR(r.channel("J.z")[i], 0, round_off);
    EXPECT_NEAR(3 * r.channel("J.x")[i], r.channel("v")[i], 10 * round_off);
    for (const std::string x : {".x", ".z"}) EXPECT_NEAR(3 * r.channel("rod" + x)[i], r.channel("v_rod" + x)[i], 10 * round_off);
    EXPECT_NEAR(3 * r.channel("w")[i], r.channel("w_rod")[i], 10 * round_off);
  }
}

// A screw turns about z and advances by l = p/2π = 1 per radian: in its own columns, driven or not, turned round, and in a loop.
TEST(Jacobians, of_a_screw) {
  const Result r = run(R"(
bodies:
  nut: {mass: 1, inertia: {xx: 1, yy: 1, zz: 1}, at: [0, 0, 0]}
  driven: {mass: 1, inertia: {xx: 1, yy: 1, zz: 1}, at: [0, 0, 0]}
  reverse: {mass: 1, inertia: {xx: 1, yy: 1, zz: 1}, at: [0, 0, 0]}
  wheel: {mass: 1, inertia: {xx: 1, yy: 1, zz: 1}, at: [3, 0, 0]}
joints:
  s: {screw: [ground, nut], axis: z, at: [0, 0, 0], pitch: 2*pi}
  d: {screw: [ground, driven], axis: z, at: [0, 0, 0], pitch: 2*pi, motion: {about: 0*t}}
  r: {screw: [reverse, ground], axis: z, at: [0, 0, 0], pitch: 2*pi}
  w: {revolute: [ground, wheel], axis: z, at: [3, 0, 0]}
  g: {gear: [w, s], ratio: 2, second_direction: about}
outputs:
  about: {jacobian: nut, at: [1, 0, 0], joint: s, direction: about}
  along: {angular_jacobian: nut, joint: s, direction: along}
  d_about: {jacobian: driven, at: [1, 0, 0], joint: d, direction: about}
  d_along: {jacobian: driven, at: [1, 0, 0], joint: d, direction: along}
  r_about: {jacobian: reverse, at: [1, 0, 0], joint: r, direction: about}
  wheel: {jacobian: nut, at: [1, 0, 0], joint: w}
simulation: {duration: 0.1, step: 0.01, integrator: runge-kutta}
)");
  const auto expect = [&](const std::string& name, const Vec3<double>& J) {
    EXPECT_NEAR(r.at(name + ".x", 0), J.x, round_off) << name;
    EXPECT_NEAR(r.at(name + ".y", 0), J.y, round_off) << name;
    EXPECT_NEAR(r.at(name + ".z", 0), J.z, round_off) << name;
  };
  expect("about", {0, 1, 1}), expect("along", {0, 0, 1});
  expect("d_about", {0, 1, 1}), expect("d_along", {0, 1, 1});
  expect("r_about", {0, -1, -1});
  expect("wheel", {0, 2, 2});
}

}  // namespace ALEATOR_FILE
}  // namespace aleator::core::test
