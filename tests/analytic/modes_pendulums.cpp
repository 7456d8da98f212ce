// Pendulums: their stiffness is gravity, by way of the reactions.
#include <gtest/gtest.h>

#include <cmath>

#include "support/statics_mechanism.hpp"

namespace aleator::core::test {
namespace ALEATOR_FILE {

constexpr double g = 9.81;
const double pi = std::acos(-1.0);
constexpr double digits = 1e-9;  // relative: ε = 1e-11 of the multipliers (index1.hpp), doubled by squares

TEST(ModesPendulum, RodSwingsWithItsMomentOfInertiaAboutThePin) {
  Mechanism m(R"(
gravity: [0, 0, -9.81]
bodies: {rod: {shape: {box: [0.1, 0.2, 1]}, mass: 2, at: [0, 0, -0.5]}}
joints: {pin: {revolute: [ground, rod], axis: y, at: [0, 0, 0]}}
simulation: {duration: 1}
)");
  ModesReport report;
  const std::vector<Mode> all = modes(m.assembly, m.start, &report);
  const double J = 2 * ((1 + 0.01) / 12 + 0.25);
  ASSERT_EQ(all.size(), 1u);
  EXPECT_TRUE(report.balanced);
  EXPECT_NEAR(all[0].frequency, std::sqrt(2 * g * 0.5 / J) / (2 * pi), digits);
  EXPECT_NEAR(std::abs(all[0].shape(4)), 1, digits);  // a turn about y moves the centre by l/2 along −x
  EXPECT_NEAR(std::abs(all[0].shape(0) + 0.5 * all[0].shape(4)), 0, digits);
}

// Upright it falls at the rate it would swing with.
TEST(ModesPendulum, UprightIsUnstable) {
  Mechanism m(R"(
gravity: [0, 0, -9.81]
bodies: {rod: {shape: {box: [0.1, 0.2, 1]}, mass: 2, at: [0, 0, 0.5]}}
joints: {pin: {revolute: [ground, rod], axis: y, at: [0, 0, 0]}}
simulation: {duration: 1}
)");
  const std::vector<Mode> all = modes(m.assembly, m.start);
  const double rate = std::sqrt(g / (2 * ((1 + 0.01) / 12 + 0.25)));
  ASSERT_EQ(all.size(), 2u);
  EXPECT_EQ(int(all[0].unstable) + int(all[1].unstable), 1);
  for (const Mode& mode : all) EXPECT_NEAR(std::abs(mode.eigenvalue.real()), rate, digits * rate);
}

// Two equal masses on two equal rods without mass: ω² = (2 ∓ √2) g/l. The spheres may also spin.
TEST(ModesPendulum, TwoMassesOnRodsWithoutMass) {
  Mechanism m(R"(
plane: xz
gravity: [0, -9.81]
bodies:
  upper: {shape: {sphere: {radius: 0.1}}, mass: 2, at: [0, -0.8]}
  lower: {shape: {sphere: {radius: 0.1}}, mass: 2, at: [0, -1.6]}
joints:
  a: {distance: [ground, upper], points: [[0, 0], [0, -0.8]]}
  b: {distance: [upper, lower], points: [[0, -0.8], [0, -1.6]]}
simulation: {duration: 1}
)");
  ModesReport report;
  const std::vector<Mode> all = modes(m.assembly, m.start, &report);
  ASSERT_EQ(report.freedoms, 4);
  ASSERT_EQ(all.size(), 4u);
  EXPECT_TRUE(all[0].rigid && all[1].rigid);
  for (int i = 0; i < 2; ++i) {
    const double omega = std::sqrt((2 + (i == 0 ? -1 : 1) * std::sqrt(2.0)) * g / 0.8);
    EXPECT_NEAR(all[2 + i].frequency, omega / (2 * pi), digits * omega);
    EXPECT_NEAR(std::abs(all[2 + i].shape(6) / all[2 + i].shape(0)), std::sqrt(2.0) + (i == 0 ? 1 : -1),
                1e-8);  // as the sum over both rods
  }
}

// Two rods, from the equilibrium that statics finds:
//   [J₁ + m₂ l₁²,  m₂ l₁ c₂; ·, J₂] and diag((m₁ c₁ + m₂ l₁) g, m₂ c₂ g),  J about the upper ends
TEST(ModesPendulum, TwoRodsAboutTheirEquilibrium) {
  const double m1 = 2, m2 = 3, l1 = 0.7, l2 = 1.1, thick = 0.02 * 0.02;
  Mechanism m(R"(
gravity: [0, 0, -9.81]
bodies:
  upper: {shape: {box: [0.02, 0.02, 0.7]}, mass: 2, at: [-0.35, 0, 0], orientation: {rpy: [0, 90 deg, 0]}}
  lower: {shape: {box: [0.02, 0.02, 1.1]}, mass: 3, at: [-0.7, 0, -0.55]}
joints:
  pin: {revolute: [ground, upper], axis: y, at: [0, 0, 0]}
  knee: {revolute: [upper, lower], axis: y, at: [-0.7, 0, 0]}
simulation: {duration: 1}
)");
  const Equilibrium e = equilibrium(m.assembly, m.start);
  ModesReport report;
  const std::vector<Mode> all = modes(m.assembly, e.state, &report);
  EXPECT_TRUE(report.balanced);
  const double J1 = m1 * ((l1 * l1 + thick) / 12 + l1 * l1 / 4), J2 = m2 * ((l2 * l2 + thick) / 12 + l2 * l2 / 4);
  const double a = J1 + m2 * l1 * l1, b = m2 * l1 * l2 / 2, d = J2, k1 = (m1 * l1 / 2 + m2 * l1) * g, k2 = m2 * l2 / 2 * g;
  // (a d − b²) x² − (a k₂ + d k₁) x + k₁ k₂ = 0,  x = ω²
  const double p = (a * k2 + d * k1) / (2 * (a * d - b * b)), q = k1 * k2 / (a * d - b * b);
  ASSERT_EQ(all.size(), 2u);
  for (int i = 0; i < 2; ++i) {
    const double omega = std::sqrt(p + (i == 0 ? -1 : 1) * std::sqrt(p * p - q));
    EXPECT_NEAR(all[i].frequency, omega / (2 * pi), 1e-8);  // the equilibrium is found to 1e-10 rad
  }
}

// A cart that rolls freely with a rod that hangs from it, planar: a rigid mode, and
//   ω² = m g c (M + m) / ((M + m) J − m² c²),  J about the pin
TEST(ModesPendulum, CartAndRodInThePlane) {
  const double M = 3, mass = 2, c = 0.5, J = mass * ((1 + 0.01) / 12 + c * c);
  Mechanism m(R"(
plane: xz
gravity: [0, -9.81]
bodies:
  cart: {shape: {box: [0.4, 0.1, 0.2]}, mass: 3}
  rod: {shape: {box: [0.1, 0.1, 1]}, mass: 2, at: [0, -0.5]}
joints:
  rail: {prismatic: [ground, cart], axis: x}
  pin: {revolute: [cart, rod], at: [0, 0]}
simulation: {duration: 1}
)");
  const std::vector<Mode> all = modes(m.assembly, m.start);
  ASSERT_EQ(all.size(), 2u);
  EXPECT_TRUE(all[0].rigid);
  const double omega = std::sqrt(mass * g * c * (M + mass) / ((M + mass) * J - mass * mass * c * c));
  EXPECT_NEAR(all[1].frequency, omega / (2 * pi), digits);
}

// Hinges that hold the door twice do not disturb; the door's own axis leans, so that its weight brings it back.
TEST(ModesPendulum, DoorOnTwoHinges) {
  const double lean = 0.2;
  Mechanism m(R"(
gravity: [)" + text(9.81 * std::sin(lean)) +
              ", 0, " + text(-9.81 * std::cos(lean)) + R"(]
bodies: {door: {shape: {box: [1, 0.05, 2]}, mass: 30, at: [0.5, 0, 0]}}
joints:
  upper: {revolute: [ground, door], axis: z, at: [0, 0, 0.8]}
  lower: {revolute: [ground, door], axis: z, at: [0, 0, -0.8]}
simulation: {duration: 1}
)");
  const std::vector<Mode> all = modes(m.assembly, m.start);
  ASSERT_EQ(all.size(), 1u);
  const double J = (1 + 0.0025) / 12 + 0.25;
  EXPECT_NEAR(all[0].frequency, std::sqrt(g * std::sin(lean) * 0.5 / J) / (2 * pi), digits);
}

TEST(ModesPendulum, StateThatIsNoEquilibriumIsReported) {
  Mechanism m(R"(
gravity: [0, 0, -9.81]
bodies: {rod: {shape: {box: [1, 0.1, 0.1]}, mass: 2, at: [0.5, 0, 0]}}
joints: {pin: {revolute: [ground, rod], axis: y, at: [0, 0, 0], spring: {stiffness: 30}}}
simulation: {duration: 1}
)");
  ModesReport report;
  modes(m.assembly, m.start, &report);
  EXPECT_FALSE(report.balanced);
  EXPECT_EQ(report.unbalanced_body, "rod");
  EXPECT_GT(report.unbalanced, 5);
  modes(m.assembly, equilibrium(m.assembly, m.start).state, &report);
  EXPECT_TRUE(report.balanced);
}

}  // namespace ALEATOR_FILE
}  // namespace aleator::core::test
