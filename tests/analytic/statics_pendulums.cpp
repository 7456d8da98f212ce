// Pendulums: where they come to rest, from where they start, and when that is stable.
#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <cmath>

#include "support/statics_four_bar.hpp"
#include "support/statics_mechanism.hpp"

namespace aleator::core::test {
namespace ALEATOR_FILE {

constexpr double g = 9.81;
const double pi = std::acos(-1.0);

// A rod of 1 m and 2 kg, drawn at `angle` from hanging down.
std::string pendulum(double angle) {
  const std::string c = text(-0.5 * std::sin(angle)), z = text(-0.5 * std::cos(angle));
  return R"(
gravity: [0, 0, -9.81]
bodies: {rod: {shape: {box: [0.02, 0.02, 1]}, mass: 2, at: [)" +
         c + ", 0, " + z + "], orientation: {rpy: [0, " + text(angle) + R"(, 0]}}}
joints: {pin: {revolute: [ground, rod], axis: y, at: [0, 0, 0]}}
outputs:
  at: {position: rod}
  pull: {reaction: pin}
simulation: {duration: 1}
)";
}

class PendulumEndsHanging : public testing::TestWithParam<double> {};

TEST_P(PendulumEndsHanging, WhereverItStarts) {
  Mechanism m(pendulum(GetParam()));
  const Equilibrium e = equilibrium(m.assembly, m.start);
  // Round-off of the weight (1e-15) by the stiffness of swinging, m g l/2, is 1e-15 rad; the iteration stops within 1e-10 of it.
  EXPECT_NEAR(m.output(e.state, "at.x"), 0, 1e-10);
  EXPECT_NEAR(m.output(e.state, "at.z"), -0.5, 1e-12);
  EXPECT_NEAR(m.output(e.state, "pull.z"), 2 * g, 1e-8);
  EXPECT_TRUE(e.stable);
}

// From the horizontal there is no stiffness to begin with; from above, Newton's method would find the unstable position.
INSTANTIATE_TEST_SUITE_P(StaticsPendulum, PendulumEndsHanging, testing::Values(0.1, pi / 2, 2.0, 2.8, pi - 1e-3, -pi / 2));

TEST(StaticsPendulum, ExactlyUprightStaysAndIsReportedUnstable) {
  Mechanism m(pendulum(pi));
  const Equilibrium e = equilibrium(m.assembly, m.start);
  EXPECT_NEAR(m.output(e.state, "at.z"), 0.5, 1e-12);
  EXPECT_FALSE(e.stable);
}

// A stiff enough spring holds it upright: k > m g l/2.
TEST(StaticsPendulum, UprightOnASpringIsStable) {
  for (const double stiffness : {9.0, 11.0}) {
    std::string yaml = pendulum(pi);
    yaml.insert(yaml.find("}}\noutputs"), ", spring: {stiffness: " + text(stiffness) + "}");
    Mechanism m(yaml);
    const Equilibrium e = equilibrium(m.assembly, m.start);
    EXPECT_NEAR(m.output(e.state, "at.z"), 0.5, 1e-12);
    EXPECT_EQ(e.stable, stiffness > 2 * g * 0.5);
  }
}

// Two links with torsion springs, against Newton's method on the potential in two angles from the vertical:
//   V = −(m₁/2 + m₂) g l₁ cos θ₁ − m₂/2 g l₂ cos θ₂ + ½ k₁ (θ₁ − α₁)² + ½ k₂ (θ₂ − θ₁ − α₂)²
TEST(StaticsPendulum, TwoLinksWithTorsionSprings) {
  const double m1 = 2, m2 = 3, l1 = 0.7, l2 = 1.1, k1 = 12, k2 = 9, a1 = 1.2, a2 = -2.1;
  Eigen::Vector2d th(0, 0);
  for (int k = 0; k < 50; ++k) {
    const double A = (m1 / 2 + m2) * g * l1, B = m2 / 2 * g * l2;
    const Eigen::Vector2d slope(A * std::sin(th(0)) + k1 * (th(0) - a1) - k2 * (th(1) - th(0) - a2),
                                B * std::sin(th(1)) + k2 * (th(1) - th(0) - a2));
    Eigen::Matrix2d H;
    H << A * std::cos(th(0)) + k1 + k2, -k2, -k2, B * std::cos(th(1)) + k2;
    th -= H.ldlt().solve(slope);
  }

  Mechanism m(R"(
gravity: [0, 0, -9.81]
bodies:
  upper: {shape: {box: [0.02, 0.02, 0.7]}, mass: 2, at: [0, 0, -0.35]}
  lower: {shape: {box: [0.02, 0.02, 1.1]}, mass: 3, at: [0, 0, -1.25]}
joints:
  pin: {revolute: [ground, upper], axis: y, at: [0, 0, 0], spring: {stiffness: 12, rest: 1.2}}
  knee: {revolute: [upper, lower], axis: y, at: [0, 0, -0.7]}
forces:
  torsion: {torsion_spring: [upper, lower], axis: y, stiffness: 9, angle: -2.1}
outputs:
  pin: {coordinate: pin}
  knee: {coordinate: knee}
  pull: {reaction: knee}
simulation: {duration: 1}
)");
  const Equilibrium e = equilibrium(m.assembly, m.start);
  EXPECT_NEAR(m.output(e.state, "pin"), th(0), 1e-10);  // tolerance of the iteration; see above
  EXPECT_NEAR(m.output(e.state, "knee"), th(1) - th(0), 1e-10);
  EXPECT_NEAR(m.output(e.state, "pull.z"), m2 * g, 1e-8);
  EXPECT_NEAR(m.output(e.state, "pull.x"), 0, 1e-8);
  EXPECT_TRUE(e.stable);
}

// A load that follows the body: a torque-free balance, force along the rod's normal, m g l/2 sin θ = F l.
TEST(StaticsPendulum, FollowingForceAtTheTip) {
  std::string yaml = pendulum(0);
  yaml += "forces: {push: {force: rod, at: [0, 0, -1], value: [-4, 0, 0], follows: true}}\n";
  Mechanism m(yaml);
  const Equilibrium e = equilibrium(m.assembly, m.start);
  const double theta = std::asin(2 * 4.0 / (2 * g));
  EXPECT_NEAR(m.output(e.state, "at.x"), -0.5 * std::sin(theta), 1e-10);
  EXPECT_TRUE(e.stable);
}

// Redundant hinges: a four-bar linkage in space comes to rest where the planar one does, at the least potential energy.
TEST(StaticsFourBar, InSpaceIsAsInThePlane) {
  Mechanism plane(four_bar(true, "", "{duration: 1}")), space(four_bar(false, "", "{duration: 1}"));
  const Equilibrium a = equilibrium(plane.assembly, plane.start), b = equilibrium(space.assembly, space.start);
  EXPECT_TRUE(a.stable && b.stable);
  for (const char* name : {"C.x", "C.y", "turns"})
    EXPECT_NEAR(plane.output(a.state, name), space.output(b.state, name), 1e-9) << name;
  for (const char* name : {"pull.x", "pull.y"})
    EXPECT_NEAR(plane.output(a.state, name), space.output(b.state, name), 1e-7) << name;
  // Nothing does work on small motions: that of 1e-3 rad of the crank raises the energy on either side.
  const auto energy = [](Mechanism& m, const State<double>& s) {
    double sum = 0;
    for (int i = 0; i < m.assembly.carriers().count; ++i)
      sum -= m.assembly.body_parameters()[i].mass * (s.positions[7 * i] - g * s.positions[7 * i + 1]);
    return sum;
  };
  const double lowest = energy(space, b.state);
  for (const double turn : {-1e-3, 1e-3}) {
    State<double> moved = b.state;
    const double half = turn / 2, w = moved.positions[3], z = moved.positions[6];
    moved.positions[3] = w * std::cos(half) - z * std::sin(half), moved.positions[6] = z * std::cos(half) + w * std::sin(half);
    Index1<double> index1(space.assembly);
    for (int k = 0; k < 20; ++k) index1.evaluate(moved, Side::right), index1.project_positions(moved);
    EXPECT_GT(energy(space, moved), lowest);
  }
}

// The same mechanism before it is compiled gives the same place.
TEST(StaticsPendulum, UncompiledIsTheSame) {
  Mechanism compiled(pendulum(1.3)), plain(pendulum(1.3), {.lock_unmoved = false});
  const Equilibrium a = equilibrium(compiled.assembly, compiled.start), b = equilibrium(plain.assembly, plain.start);
  for (size_t i = 0; i < a.state.positions.size(); ++i) EXPECT_NEAR(a.state.positions[i], b.state.positions[i], 1e-10);
}

}  // namespace ALEATOR_FILE
}  // namespace aleator::core::test
