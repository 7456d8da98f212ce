// Bodies on springs and bushings: deflections and reactions in closed form.
#include <gtest/gtest.h>

#include <cmath>

#include "support/statics_mechanism.hpp"

namespace aleator::core::test {
namespace ALEATOR_FILE {

constexpr double g = 9.81;
// Newton's method ends at round-off: what is left is that of forces of the size of weights, divided by stiffnesses.
constexpr double round_off = 1e-12;

TEST(StaticsSprings, MassHangsLowerByItsWeightOverTheStiffness) {
  Mechanism m(R"(
gravity: [0, 0, -9.81]
bodies: {mass: {shape: {sphere: {radius: 0.1}}, mass: 3, at: [0, 0, -1]}}
joints: {slide: {prismatic: [ground, mass], axis: z}}
forces: {spring: {spring_damper: [ground, mass], points: [[0, 0, 0], [0, 0, -1]], stiffness: 500, damping: 7}}
outputs:
  z: {position: mass, component: z}
  tension: {tension: spring}
simulation: {duration: 1}
)");
  const Equilibrium e = equilibrium(m.assembly, m.start);
  EXPECT_NEAR(m.output(e.state, "z"), -1 - 3 * g / 500, round_off);
  EXPECT_NEAR(m.output(e.state, "tension"), 3 * g, 500 * round_off);
  EXPECT_TRUE(e.stable);
  EXPECT_EQ(e.load_steps, 1);
  EXPECT_LT(e.residual, 1e-11 * 3 * g);
}

// A free sphere on a spring can swing and turn about the spring as well: directions with little or no stiffness.
TEST(StaticsSprings, FreeBodyOnOneSpringHangsBelowIt) {
  Mechanism m(R"(
gravity: [0, 0, -9.81]
bodies: {ball: {shape: {sphere: {radius: 0.1}}, mass: 2, at: [0.3, 0.4, -1]}}
forces: {spring: {spring_damper: [ground, ball], points: [[0, 0, 0], [0.3, 0.4, -0.9]], stiffness: 300, length: 1}}
outputs:
  at: {position: ball}
  tension: {tension: spring}
simulation: {duration: 1}
)");
  const Equilibrium e = equilibrium(m.assembly, m.start);
  EXPECT_NEAR(m.output(e.state, "at.x"), 0, 1e-10);  // 1e-12 of the weight over the stiffness of swinging, m g / l
  EXPECT_NEAR(m.output(e.state, "at.y"), 0, 1e-10);
  EXPECT_NEAR(m.output(e.state, "at.z"), -1 - 2 * g / 300 - 0.1, 1e-10);
  EXPECT_NEAR(m.output(e.state, "tension"), 2 * g, 1e-8);
  EXPECT_TRUE(e.stable);
}

TEST(StaticsSprings, PreloadShortensTheDeflection) {
  Mechanism m(R"(
gravity: [0, 0, -9.81]
bodies: {mass: {shape: {sphere: {radius: 0.1}}, mass: 3, at: [0, 0, -1]}}
joints: {slide: {prismatic: [ground, mass], axis: z}}
forces: {spring: {spring_damper: [ground, mass], points: [[0, 0, 0], [0, 0, -1]], stiffness: 500, length: 0.9, preload: 12}}
outputs: {z: {position: mass, component: z}}
simulation: {duration: 1}
)");
  EXPECT_NEAR(m.output(equilibrium(m.assembly, m.start).state, "z"), -0.9 - (3 * g - 12) / 500, round_off);
}

// The body is drawn 5 mm above a one-sided spring: it falls onto it.
TEST(StaticsSprings, OneSidedSpringCatchesABodyThatIsDrawnAboveIt) {
  Mechanism m(R"(
gravity: [0, 0, -9.81]
bodies: {mass: {shape: {box: [0.1, 0.1, 0.1]}, mass: 4, at: [0, 0, 0.505]}}
joints: {slide: {prismatic: [ground, mass], axis: z}}
forces: {buffer: {spring_damper: [ground, mass], points: [[0, 0, 0], [0, 0, 0.505]], stiffness: 2e4, length: 0.5, one_sided: compression}}
outputs:
  z: {position: mass, component: z}
  tension: {tension: buffer}
simulation: {duration: 1}
)");
  const Equilibrium e = equilibrium(m.assembly, m.start);
  EXPECT_NEAR(m.output(e.state, "z"), 0.5 - 4 * g / 2e4, round_off);
  EXPECT_NEAR(m.output(e.state, "tension"), -4 * g, 1e-8);
  EXPECT_TRUE(e.stable);
}

TEST(StaticsSprings, StopAndCharacteristicOfASlide) {
  Mechanism m(R"(
gravity: [0, 0, -9.81]
bodies:
  stopped: {shape: {box: [0.1, 0.1, 0.1]}, mass: 4}
  curved: {shape: {box: [0.1, 0.1, 0.1]}, mass: 4, at: [1, 0, 0]}
joints:
  slide1: {prismatic: [ground, stopped], axis: z, stops: {lower: -0.02, stiffness: 5e4, damping: 3}, friction: {force: 5}}
  slide2: {prismatic: [ground, curved], axis: z, spring: {characteristic: [[-0.1, -60], [-0.01, -10], [0, 0], [0.1, 1]]}}
outputs:
  stopped: {position: stopped, component: z}
  curved: {position: curved, component: z}
simulation: {duration: 1}
)");
  const State<double> s = equilibrium(m.assembly, m.start).state;
  EXPECT_NEAR(m.output(s, "stopped"), -0.02 - 4 * g / 5e4, round_off);
  EXPECT_NEAR(m.output(s, "curved"), -0.01 - (4 * g - 10) * 0.09 / 50, round_off);
}

// A beam on two bushings: 2 kz carry the weight; a moment about y turns it by M / (kz l²/2 + 2 kry).
TEST(StaticsBushings, BeamSinksAndTilts) {
  Mechanism m(R"(
gravity: [0, 0, -9.81]
bodies: {beam: {shape: {box: [2, 0.2, 0.1]}, mass: 40, at: [0, 0, 0]}}
forces:
  left: &b {bushing: [ground, beam], at: [-1, 0, 0], stiffness: [1e6, 1e6, 2.8e5], rotational_stiffness: [1e5, 1e5, 1e5]}
  right: {<<: *b, at: [1, 0, 0]}
  moment: {torque: beam, value: [0, 2 + 3*t, 0]}
outputs:
  at: {position: beam}
  turn: {orientation: beam}
  left: {force: left}
  right: {force: right}
simulation: {duration: 1}
)");
  const Equilibrium e = equilibrium(m.assembly, m.start);
  EXPECT_NEAR(m.output(e.state, "at.z"), -40 * g / (2 * 2.8e5), 1e-10);  // tilting lifts it by cos: 6e-12 m
  const double* q = &e.state.positions[3];
  const double angle = 2 * std::atan2(q[2], q[0]);
  EXPECT_NEAR(angle, 2 / (2 * 2.8e5 + 2 * 1e5), 1e-10);  // small angles: their third power, and weight times tilt, 40 g · 1e-6
  EXPECT_NEAR(m.output(e.state, "left.z") + m.output(e.state, "right.z"), 40 * g, 1e-8);
  EXPECT_TRUE(e.stable);
}

// Reactions: one block on a hinge and a roller, closed form by moments; the roller stands a quarter of the way.
TEST(StaticsReactions, AreTheWeights) {
  Mechanism m(R"(
plane: xz
gravity: [0, -9.81]
bodies: {beam: {shape: {box: [4, 0.1, 0.1]}, mass: 10, at: [2, 0]}}
joints:
  hinge: {revolute: [ground, beam], at: [0, 0]}
  roller: {point_on_line: [ground, beam], axis: x, at: [3, 0]}
outputs:
  hinge: {reaction: hinge}
  roller: {reaction: roller}
simulation: {duration: 1}
)");
  const Equilibrium e = equilibrium(m.assembly, m.start);
  EXPECT_NEAR(m.output(e.state, "roller.z"), 10 * g * 2 / 3, 1e-9);  // round-off of the weight, and ε = 1e-11 of index1.hpp
  EXPECT_NEAR(m.output(e.state, "hinge.z"), 10 * g / 3, 1e-9);
  EXPECT_NEAR(m.output(e.state, "hinge.x"), 0, 1e-9);
  EXPECT_EQ(e.iterations, 0);
}

// Redundant: a platform held by two parallel hinges shares its weight equally, being the least multipliers that carry it.
TEST(StaticsReactions, OfRedundantHingesAddUp) {
  Mechanism m(R"(
gravity: [0, 0, -9.81]
bodies: {door: {shape: {box: [1, 0.05, 2]}, mass: 30, at: [0.5, 0, 0]}}
joints:
  upper: {revolute: [ground, door], axis: z, at: [0, 0, 0.8], spring: {stiffness: 4, rest: 0.3}}
  lower: {revolute: [ground, door], axis: z, at: [0, 0, -0.8]}
outputs:
  upper: {reaction: upper}
  lower: {reaction: lower}
  angle: {coordinate: upper}
simulation: {duration: 1}
)");
  const Equilibrium e = equilibrium(m.assembly, m.start);
  EXPECT_NEAR(m.output(e.state, "angle"), 0.3, 1e-10);
  EXPECT_NEAR(m.output(e.state, "upper.z"), 15 * g, 1e-2);  // the redundant part rests on ε = 1e-11: 1e-5 of it is left
  EXPECT_NEAR(m.output(e.state, "upper.z") + m.output(e.state, "lower.z"), 30 * g, 1e-8);
}

}  // namespace ALEATOR_FILE
}  // namespace aleator::core::test
