// Masses and springs: frequencies, damping ratios and shapes in closed form.
#include <gtest/gtest.h>

#include <cmath>

#include "support/statics_mechanism.hpp"

namespace aleator::core::test {
namespace ALEATOR_FILE {

const double pi = std::acos(-1.0);
constexpr double digits = 1e-11;  // relative: round-off of an eigenvalue problem of a few unknowns

// A slide with a spring and a damper; 2 kg and 800 N/m make ω = 20 rad/s.
std::string oscillator(double damper) {
  return R"(
bodies: {mass: {shape: {sphere: {radius: 0.1}}, mass: 2}}
joints: {slide: {prismatic: [ground, mass], axis: x, spring: {stiffness: 800}, damper: )" +
         text(damper) + R"(}}
simulation: {duration: 1}
)";
}

TEST(ModesOscillator, FrequencyAndDampingRatio) {
  Mechanism m(oscillator(16));
  ModesReport report;
  const std::vector<Mode> all = modes(m.assembly, m.start, &report);
  ASSERT_EQ(all.size(), 1u);
  EXPECT_EQ(report.freedoms, 1);
  EXPECT_TRUE(report.balanced);
  EXPECT_NEAR(all[0].frequency, 20 / (2 * pi), digits);
  EXPECT_NEAR(all[0].damping_ratio, 0.2, digits);
  EXPECT_NEAR(all[0].damped_frequency, 20 * std::sqrt(1 - 0.04) / (2 * pi), digits);
  EXPECT_TRUE(all[0].oscillating);
  EXPECT_FALSE(all[0].rigid || all[0].unstable);
  EXPECT_NEAR(std::abs(all[0].shape(0) - 1.0), 0, digits);
}

TEST(ModesOscillator, NumbersThatOverflowAreRefused) {
  for (const double damper : {1e306, 1e308}) {
    std::string light = oscillator(damper);
    light.replace(light.find("mass: 2"), 7, "mass: 1e-3");
    Mechanism m(light);
    EXPECT_THROW(modes(m.assembly, m.start), SimulationError) << damper;
  }
}

TEST(ModesOscillator, WithoutDamperTheRatioIsZero) {
  Mechanism m(oscillator(0));
  const std::vector<Mode> all = modes(m.assembly, m.start);
  ASSERT_EQ(all.size(), 1u);
  EXPECT_NEAR(all[0].frequency, 20 / (2 * pi), digits);
  EXPECT_EQ(all[0].damping_ratio, 0);
  EXPECT_FALSE(all[0].unstable);
}

// s = −ω (D ± √(D² − 1))
TEST(ModesOscillator, OverdampedPairIsTwoModes) {
  Mechanism m(oscillator(160));
  const std::vector<Mode> all = modes(m.assembly, m.start);
  ASSERT_EQ(all.size(), 2u);
  for (int i = 0; i < 2; ++i) {
    const double s = -20 * (2 - (i == 0 ? 1 : -1) * std::sqrt(3.0));
    EXPECT_NEAR(all[i].eigenvalue.real(), s, 1e-10);
    EXPECT_EQ(all[i].eigenvalue.imag(), 0);
    EXPECT_FALSE(all[i].oscillating);
    EXPECT_NEAR(all[i].damping_ratio, 1, digits);
  }
}

// A damper without a spring: a rigid motion, and s = −c/m.
TEST(ModesOscillator, DamperAlone) {
  Mechanism m(R"(
bodies: {mass: {shape: {sphere: {radius: 0.1}}, mass: 2}}
joints: {slide: {prismatic: [ground, mass], axis: x, damper: 6}}
simulation: {duration: 1}
)");
  const std::vector<Mode> all = modes(m.assembly, m.start);
  ASSERT_EQ(all.size(), 2u);
  EXPECT_TRUE(all[0].rigid);
  EXPECT_NEAR(all[1].eigenvalue.real(), -3, digits);
}

// Wall, k₁, m₁, k₂, m₂; damping in proportion β to the stiffness makes ratios β ω/2.
TEST(ModesOscillator, TwoMassesInARow) {
  const double m1 = 2, m2 = 3, k1 = 700, k2 = 400, beta = 1e-3;
  Mechanism m(R"(
bodies:
  first: {shape: {sphere: {radius: 0.1}}, mass: 2}
  second: {shape: {sphere: {radius: 0.1}}, mass: 3, at: [1, 0, 0]}
joints:
  a: {prismatic: [ground, first], axis: x, spring: {stiffness: 700}, damper: 0.7}
  b: {prismatic: [first, second], axis: x, spring: {stiffness: 400}, damper: 0.4}
simulation: {duration: 1}
)");
  // m₁ m₂ ω⁴ − (m₁ k₂ + m₂ (k₁ + k₂)) ω² + k₁ k₂ = 0
  const double p = (m1 * k2 + m2 * (k1 + k2)) / (2 * m1 * m2), q = k1 * k2 / (m1 * m2);
  const std::vector<Mode> all = modes(m.assembly, m.start);
  ASSERT_EQ(all.size(), 2u);
  for (int i = 0; i < 2; ++i) {
    const double omega = std::sqrt(p + (i == 0 ? -1 : 1) * std::sqrt(p * p - q));
    EXPECT_NEAR(all[i].frequency, omega / (2 * pi), digits * omega);
    EXPECT_NEAR(all[i].damping_ratio, beta * omega / 2, digits);
    // (k₁ + k₂ − m₁ ω²) x₁ = k₂ x₂
    const std::complex<double> x1 = all[i].shape(0), x2 = all[i].shape(6);
    EXPECT_NEAR(std::abs((k1 + k2 - m1 * omega * omega) * x1 - k2 * x2), 0, 1e-9 * k1);
    EXPECT_NEAR(std::max(std::abs(x1), std::abs(x2)), 1, digits);
  }
}

// Two masses and a spring that nothing holds: a rigid motion, and ω² = k (1/m₁ + 1/m₂).
TEST(ModesOscillator, FreeFreeHasARigidMode) {
  Mechanism m(R"(
plane: xy
bodies:
  first: {shape: {sphere: {radius: 0.1}}, mass: 2}
  second: {shape: {sphere: {radius: 0.1}}, mass: 3, at: [1, 0]}
joints:
  a: {prismatic: [ground, first], axis: x}
  b: {prismatic: [first, second], axis: x, spring: {stiffness: 400}}
simulation: {duration: 1}
)");
  const std::vector<Mode> all = modes(m.assembly, m.start);
  ASSERT_EQ(all.size(), 2u);
  EXPECT_TRUE(all[0].rigid);
  EXPECT_EQ(all[0].frequency, 0);
  EXPECT_NEAR(std::abs(all[0].shape(0) - all[0].shape(6)), 0, digits);
  EXPECT_FALSE(all[1].rigid);
  const double omega = std::sqrt(400 * (1 / 2.0 + 1 / 3.0));
  EXPECT_NEAR(all[1].frequency, omega / (2 * pi), digits * omega);
  EXPECT_NEAR(std::abs(2.0 * all[1].shape(0) + 3.0 * all[1].shape(6)), 0, digits);  // momentum
}

TEST(ModesOscillator, FreeBodyHasSixRigidModes) {
  Mechanism m("bodies: {stone: {shape: {box: [1, 2, 3]}, mass: 2}}\nsimulation: {duration: 1}\n");
  const std::vector<Mode> all = modes(m.assembly, m.start);
  ASSERT_EQ(all.size(), 6u);
  for (const Mode& mode : all) EXPECT_TRUE(mode.rigid);
}

// A block on four bushings at the height of its centre, a and b from it: six modes that do not mix.
TEST(ModesSuspension, HeavePitchRollAndTheOthers) {
  const double mass = 1200, a = 1.3, b = 0.7, kx = 4e5, ky = 3e5, kz = 2e4;
  const double Jx = mass * (1.6 * 1.6 + 0.5 * 0.5) / 12, Jy = mass * (4.0 * 4.0 + 0.5 * 0.5) / 12,
               Jz = mass * (4.0 * 4.0 + 1.6 * 1.6) / 12;
  Mechanism m(R"(
bodies: {hull: {shape: {box: [4, 1.6, 0.5]}, mass: 1200}}
forces:
  front_left: &s {bushing: [ground, hull], at: [1.3, 0.7, 0], stiffness: [4e5, 3e5, 2e4]}
  front_right: {<<: *s, at: [1.3, -0.7, 0]}
  rear_left: {<<: *s, at: [-1.3, 0.7, 0]}
  rear_right: {<<: *s, at: [-1.3, -0.7, 0]}
simulation: {duration: 1}
)");
  struct Expected {
    double omega2;
    int component;
  };
  std::vector<Expected> expected = {{4 * kx / mass, 0},       {4 * ky / mass, 1},       {4 * kz / mass, 2},
                                    {4 * kz * b * b / Jx, 3}, {4 * kz * a * a / Jy, 4}, {4 * (kx * b * b + ky * a * a) / Jz, 5}};
  std::sort(expected.begin(), expected.end(), [](auto& x, auto& y) { return x.omega2 < y.omega2; });
  const std::vector<Mode> all = modes(m.assembly, m.start);
  ASSERT_EQ(all.size(), 6u);
  for (int i = 0; i < 6; ++i) {
    EXPECT_NEAR(all[i].frequency, std::sqrt(expected[i].omega2) / (2 * pi),
                1e-9);  // rad² of the stiffest by that of the softest: 1e2 · 1e-11
    for (int c = 0; c < 6; ++c) EXPECT_NEAR(std::abs(all[i].shape(c)), c == expected[i].component ? 1 : 0, 1e-9);
  }
}

// Very stiff beside very soft: 1e9 between the squares of the frequencies.
TEST(ModesOscillator, SoftModeKeepsItsDigitsBesideAStiffOne) {
  Mechanism m(R"(
bodies:
  soft: {shape: {sphere: {radius: 0.1}}, mass: 1}
  stiff: {shape: {sphere: {radius: 0.1}}, mass: 1, at: [1, 0, 0]}
joints:
  a: {prismatic: [ground, soft], axis: x, spring: {stiffness: 1}, damper: 0.02}
  b: {prismatic: [ground, stiff], axis: x, spring: {stiffness: 1e9}}
simulation: {duration: 1}
)");
  const std::vector<Mode> all = modes(m.assembly, m.start);
  ASSERT_EQ(all.size(), 2u);
  EXPECT_NEAR(all[0].frequency, 1 / (2 * pi), 1e-7);  // 1e-16 of 1e9, at worst
  EXPECT_NEAR(all[0].damping_ratio, 0.01, 1e-7);
  EXPECT_NEAR(all[1].frequency / (std::sqrt(1e9) / (2 * pi)), 1, digits);
}

}  // namespace ALEATOR_FILE
}  // namespace aleator::core::test
