// Bodies without joints: a projectile with spin, two bodies on a spring, a thruster that follows its body.
#include <gtest/gtest.h>

#include "support/run.hpp"

namespace aleator::core::test {
namespace ALEATOR_FILE {

// Parabola for the centre of mass, constant angular velocity for equal moments of inertia: p(t) = c(t) + exp(ω t) (p − c).
// Constant accelerations and constant angular velocities are integrated without truncation by generalized-alpha.
TEST(FreeFlight, projectile_with_spin) {
  const std::string model = R"(
gravity: [0, 0, -9.81]
bodies:
  ball: {shape: {sphere: {radius: 0.1}}, mass: 0.5, at: [1, 2, 3], velocity: [4, -1, 8], angular_velocity: [3, -4, 12]}
outputs:
  centre: {position: ball}
  point: {position: ball, at: [1.1, 2, 3]}
  speed: {velocity: ball, at: [1.1, 2, 3]}
  push: {acceleration: ball, at: [1.1, 2, 3]}
  spin: {angular_velocity: ball}
simulation: {duration: 2, step: 1e-3}
)";
  const Vec3<double> c0 = {1, 2, 3}, v0 = {4, -1, 8}, gravity = {0, 0, -9.81}, omega = {3, -4, 12}, arm = {0.1, 0, 0};
  struct Way {
    const char* integrator;
    double error;  // round-off of 2000 steps; runge-kutta adds (|ω| h)⁴/120 × 26 rad × arm
  };
  for (const Way way : {Way{"generalized-alpha", 1e-11}, Way{"runge-kutta", 1e-9}}) {
    SCOPED_TRACE(way.integrator);
    const Result r = run(model, {.integrator = way.integrator});
    for (int i = 0; i < 3; ++i) {
      const std::string x = std::string(".") + "xyz"[i];
      const auto centre = [&](double t) { return c0 + t * v0 + (0.5 * t * t) * gravity; };
      const auto turned = [&](double t) { return rotation_matrix(exponential(t * omega)) * arm; };
      EXPECT_LT(largest_error(r, "centre" + x, [&](double t) { return centre(t)[i]; }), 1e-11);
      EXPECT_LT(largest_error(r, "point" + x, [&](double t) { return (centre(t) + turned(t))[i]; }), way.error);
      EXPECT_LT(largest_error(r, "speed" + x, [&](double t) { return (v0 + t * gravity + cross(omega, turned(t)))[i]; }),
                13 * way.error);
      EXPECT_LT(largest_error(r, "push" + x, [&](double t) { return (gravity + cross(omega, cross(omega, turned(t))))[i]; }),
                169 * way.error);
      EXPECT_LT(largest_error(r, "spin" + x, [&](double) { return omega[i]; }), 1e-11);
    }
  }
}

const std::string pair = R"(
bodies:
  one: {shape: {sphere: {radius: 0.1}}, mass: 2, at: [0, 0, 0], velocity: VELOCITY}
  two: {shape: {sphere: {radius: 0.1}}, mass: 3, at: [0.6, -0.3, 0.6], velocity: [0.3, 0.5, 0.2]}
forces:
  spring: {spring_damper: [one, two], points: [[0, 0, 0], [0.6, -0.3, 0.6]], stiffness: 40, length: LENGTH}
outputs:
  one: {position: one}
  two: {position: two}
  length: {length: spring}
  tension: {tension: spring}
  energy: {energy: all}
simulation: {duration: 3, step: 1e-3, integrator: runge-kutta}
)";
std::string pair_with(const std::string& velocity, const std::string& length) {
  std::string m = pair;
  m.replace(m.find("VELOCITY"), 8, velocity);
  m.replace(m.find("LENGTH"), 6, length);
  return m;
}

// A spring of no length is linear: the relative motion is an ellipse, r = r₀ cos Ωt + ṙ₀/Ω sin Ωt with Ω² = k (1/m₁ + 1/m₂); the
// common centre of mass moves uniformly.
TEST(FreeFlight, two_bodies_on_a_spring_without_length) {
  const Result r = run(pair_with("[1, 0, -0.4]", "0"));
  const double Omega = std::sqrt(40 * (1 / 2.0 + 1 / 3.0));
  const Vec3<double> r0 = {0.6, -0.3, 0.6}, dr0 = {-0.7, 0.5, 0.6}, c0 = 0.6 * r0,
                     dc0 = {0.4 + 0.6 * 0.3, 0.6 * 0.5, -0.4 * 0.4 + 0.6 * 0.2};
  for (int i = 0; i < 3; ++i) {
    const auto relative = [&](double t) { return r0[i] * std::cos(Omega * t) + dr0[i] / Omega * std::sin(Omega * t); };
    const std::string x = std::string(".") + "xyz"[i];
    // (Ω h)⁴/120 × 17 rad: truncation
    EXPECT_LT(largest_error(r, "one" + x, [&](double t) { return c0[i] + t * dc0[i] - 0.6 * relative(t); }), 1e-10);
    EXPECT_LT(largest_error(r, "two" + x, [&](double t) { return c0[i] + t * dc0[i] + 0.4 * relative(t); }), 1e-10);
  }
}

// Relative velocity along the spring: a linear oscillation of the length about that at rest, with the reduced mass.
TEST(FreeFlight, two_bodies_oscillate_along_the_spring) {
  const Result r = run(pair_with("[0.5, 0.4, 0.4]", "0.7"));  // ṙ = (−0.2, 0.1, −0.2) = −0.3 n, and r = 0.9 n
  const double Omega = std::sqrt(40 * (1 / 2.0 + 1 / 3.0));
  const auto stretch = [&](double t) { return 0.2 * std::cos(Omega * t) - 0.3 / Omega * std::sin(Omega * t); };
  EXPECT_LT(largest_error(r, "length", [&](double t) { return 0.7 + stretch(t); }), 1e-10);
  EXPECT_LT(largest_error(r, "tension", [&](double t) { return 40 * stretch(t); }), 4e-9);
}

// A force fixed to a body that turns at a constant rate: v = F/(m ω) (sin ωt, 1 − cos ωt). A fixed one: v = F/m t.
TEST(FreeFlight, follower_force) {
  const std::string model = R"(
bodies:
  rocket: {shape: {sphere: {radius: 0.1}}, mass: 2, at: [0, 0, 0], angular_velocity: [0, 0, 5]}
forces:
  thrust: {force: rocket, value: [3, 0, 0], follows: FOLLOWS}
outputs:
  v: {velocity: rocket}
  push: {force: thrust}
simulation: {duration: 2, step: 1e-3, integrator: runge-kutta}
)";
  const auto with = [&](const std::string& follows) {
    std::string m = model;
    return m.replace(m.find("FOLLOWS"), 7, follows);
  };
  const Result turning = run(with("true")), fixed = run(with("false"));
  EXPECT_LT(largest_error(turning, "v.x", [](double t) { return 1.5 / 5 * std::sin(5 * t); }), 1e-11);  // (ω h)⁴/120 × 10 rad
  EXPECT_LT(largest_error(turning, "v.y", [](double t) { return 1.5 / 5 * (1 - std::cos(5 * t)); }), 1e-11);
  EXPECT_LT(largest_error(turning, "push.y", [](double t) { return 3 * std::sin(5 * t); }), 1e-10);
  EXPECT_LT(largest_error(fixed, "v.x", [](double t) { return 1.5 * t; }), 1e-12);
  EXPECT_LT(largest_error(fixed, "v.y", [](double) { return 0; }), 1e-15);
}

// A torque fixed in space on a body with equal moments, and a force at a point: angular acceleration r × F / J.
TEST(FreeFlight, torque_and_eccentric_force) {
  const Result r = run(R"(
bodies:
  spun: {mass: 2, center_of_mass: [0, 0, 0], inertia: {xx: 0.5, yy: 0.5, zz: 0.5}}
  pushed: {mass: 2, center_of_mass: [5, 0, 0], inertia: {xx: 0.5, yy: 0.5, zz: 0.5}}
forces:
  wind: {torque: spun, value: [0, 0, 2*t]}
  push: {force: pushed, at: [5, 0.1, 0], value: [3, 0, 0], follows: true}
outputs:
  spin: {angular_velocity: spun, component: z}
  turn: {angular_acceleration: pushed, component: z}
simulation: {duration: 1, step: 1e-2, integrator: runge-kutta}
)");
  EXPECT_LT(largest_error(r, "spin", [](double t) { return t * t / 0.5; }), 1e-12);
  EXPECT_LT(largest_error(r, "turn", [](double) { return -0.1 * 3 / 0.5; }), 1e-12);
}

}  // namespace ALEATOR_FILE
}  // namespace aleator::core::test
