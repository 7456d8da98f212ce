// Where there is no equilibrium, or nothing to be done.
#include <gtest/gtest.h>

#include "support/message_of.hpp"
#include "support/statics_mechanism.hpp"

namespace aleator::core::test {
namespace ALEATOR_FILE {

std::string message_of(const std::string& yaml) {
  Mechanism m(yaml);
  return test::message_of<SimulationError>([&] { equilibrium(m.assembly, m.start); });
}

TEST(StaticsFailures, FreeBodyWithoutLoadStaysWhereItIs) {
  Mechanism m(R"(
bodies: {stone: {shape: {box: [0.1, 0.2, 0.3]}, mass: 2, at: [1, 2, 3], velocity: [1, 0, 0], angular_velocity: [0, 3, 0]}}
simulation: {duration: 1}
)");
  const Equilibrium e = equilibrium(m.assembly, m.start);
  for (size_t i = 0; i < m.start.positions.size(); ++i) EXPECT_EQ(e.state.positions[i], m.start.positions[i]);
  for (double v : e.state.velocities) EXPECT_EQ(v, 0);
  EXPECT_EQ(e.residual, 0);
  EXPECT_TRUE(e.stable);
}

// The size of the mechanism is that of what holds and loads it.
TEST(StaticsFailures, PointLookedAtFromFarAwayChangesNothing) {
  const std::string hung = R"(
gravity: [0, 0, -10]
bodies: {a: {shape: {sphere: {radius: 0.1}}, mass: 5}}
joints: {slide: {prismatic: [ground, a], axis: z, spring: {stiffness: 100}}}
simulation: {duration: 1}
)";
  Mechanism near(hung), far(hung + "outputs: {p: {acceleration: a, at: [5e10, 0, 0]}}\n");
  const Equilibrium e = equilibrium(near.assembly, near.start), f = equilibrium(far.assembly, far.start);
  EXPECT_NEAR(f.state.positions[2], -0.5, 1e-12);  // m g / k, to round-off
  EXPECT_EQ(e.state.positions, f.state.positions);
  EXPECT_EQ(e.iterations, f.iterations);
}

TEST(StaticsFailures, FallingBodyIsNamed) {
  EXPECT_EQ(message_of(R"(
gravity: [0, 0, -9.81]
bodies:
  hung: {shape: {sphere: {radius: 0.1}}, mass: 5}
  stone: {shape: {box: [0.1, 0.2, 0.3]}, mass: 2, at: [1, 2, 3]}
joints: {slide: {prismatic: [ground, hung], axis: z, spring: {stiffness: 100}}}
simulation: {duration: 1}
)"),
            "there is no static equilibrium: body 'stone' (test.yaml:5:3) keeps moving, nothing holds it against its load");
}

TEST(StaticsFailures, DrivenShaftKeepsTurning) {
  EXPECT_EQ(message_of(R"(
bodies: {shaft: {shape: {cylinder: {radius: 0.1, length: 1}}, mass: 5}}
joints: {bearing: {revolute: [ground, shaft], axis: z, actuator: "2 + t", damper: 0.1}}
simulation: {duration: 1}
)"),
            "there is no static equilibrium: body 'shaft' (test.yaml:2:10) keeps turning, nothing holds it against its load");
}

// Nothing is free: the reaction is what statics gives.
TEST(StaticsFailures, FullyHeldBodyHasItsReactionsOnly) {
  Mechanism m(R"(
gravity: [0, 0, -9.81]
bodies: {block: {shape: {box: [0.1, 0.1, 0.1]}, mass: 2, at: [1, 0, 0]}}
joints: {wall: {fixed: [ground, block], at: [0, 0, 0]}}
outputs:
  force: {reaction: wall}
  torque: {reaction_torque: wall}
simulation: {duration: 1}
)");
  const Equilibrium e = equilibrium(m.assembly, m.start);
  EXPECT_NEAR(m.output(e.state, "force.z"), 2 * 9.81, 1e-9);
  EXPECT_NEAR(m.output(e.state, "torque.y"), -2 * 9.81, 1e-9);
}

// Motions are frozen where they are at t = 0, prescribed velocities are not seen.
TEST(StaticsFailures, PrescribedMotionIsFrozen) {
  Mechanism m(R"(
gravity: [0, 0, -9.81]
bodies:
  cart: {shape: {box: [0.1, 0.1, 0.1]}, mass: 1}
  ball: {shape: {sphere: {radius: 0.05}}, mass: 2, at: [0.5, 0, -0.5]}
joints:
  drive: {prismatic: [ground, cart], axis: x, motion: "0.2 + 3*t + 4*t^2"}
  rod: {distance: [cart, ball], points: [[0, 0, 0], [0.5, 0, -0.5]]}
outputs: {ball: {position: ball}, cart: {position: cart}}
simulation: {duration: 1}
)");
  const Equilibrium e = equilibrium(m.assembly, m.start);
  EXPECT_NEAR(m.output(e.state, "cart.x"), 0.2, 1e-12);
  EXPECT_NEAR(m.output(e.state, "ball.x"), 0.2, 1e-10);
  EXPECT_NEAR(m.output(e.state, "ball.z"), -std::sqrt(0.5), 1e-12);
}

}  // namespace ALEATOR_FILE
}  // namespace aleator::core::test
