// The energy that drives and loads supply and dampers dissipate, against closed forms; and that nothing else is left over.
#include <gtest/gtest.h>

#include <cmath>

#include "support/in_lanes.hpp"
#include "support/run.hpp"

namespace aleator::core::test {
namespace ALEATOR_FILE {

const std::string book = R"(
  E: {energy: all}
  W: {work: all}
  D: {dissipated_energy: all}
  B: {energy_balance: all}
)";

double largest(const Result& r, const std::string& name) {
  return largest_error(r, name, [](double) { return 0; });
}

// A pendulum: nothing is supplied, nothing dissipated. It swings with energies of 5 J.
TEST(EnergyBalance, of_a_pendulum) {
  const Model m = model_from(R"(
gravity: [0, 0, -9.81]
bodies: {bar: {shape: {box: [1, 0.05, 0.05]}, mass: 1, at: [0.5, 0, 0]}}
joints: {pin: {revolute: [ground, bar], axis: y, at: [0, 0, 0]}}
simulation: {duration: 3, step: 2e-3, output_step: 0.02}
outputs:)" + book);
  struct Case {
    const char* integrator;
    double error;  // of order h⁴ (251/720 instead of 1/120), the step's tolerance, h⁵, h²
  };
  for (const auto& [integrator, error] : {Case{"runge-kutta", 1e-7},
                                          {"adams-bashforth", 4e-6},
                                          {"dormand-prince", 1e-9},
                                          {"radau", 1e-8},
                                          {"generalized-alpha", 1e-3}}) {
    const Result r = run(m, {.integrator = integrator});
    EXPECT_LT(largest(r, "B"), error) << integrator;
    EXPECT_EQ(largest(r, "W"), 0) << integrator;
    EXPECT_EQ(largest(r, "D"), 0) << integrator;
  }
}

const std::string mass = "bodies: {mass: {shape: {box: [0.1, 0.1, 0.1]}, mass: 2}}\n";

// F = 3 N on 2 kg from rest: W = F x = F² t²/(2m). A torque of 0.1 N m on J = m a²/6 = 1/300 kg m²: W = M² t²/(2J).
TEST(EnergyBalance, of_constant_loads) {
  for (const char* integrator : {"runge-kutta", "adams-bashforth", "dormand-prince", "radau", "generalized-alpha"}) {
    SCOPED_TRACE(integrator);
    const Model m = model_from(mass + R"(
forces:
  push: {force: mass, value: [3, 0, 0]}
  turn: {torque: mass, value: [0, 0, 0.1]}
simulation: {duration: 1, step: 1e-2, output_step: 0.1}
outputs:)" + book);
    const Result r = run(m, {.integrator = integrator});
    const auto work = [](double t) { return (9.0 / 4 + 0.01 * 300 / 2) * t * t; };
    // Power is linear in time, Ṗ = 7.5 W/s: exact but for round-off. Generalized-alpha starts with w₀ = P instead of that at (αm − αf) h, which
    // leaves (αf − αm) h² Ṗ [(1 − γ)(1 − αm) − γ αm] = h² Ṗ/162 with rho = 0.8.
    const double error = std::string(integrator) == "generalized-alpha" ? 1.001 * 1e-4 * 7.5 / 162 : 1e-11;
    EXPECT_LT(largest_error(r, "W", work), error);
    EXPECT_LT(largest(r, "B"), error);
  }
}

// ẍ + 2δẋ + ω²x = 0 from x = 0.1:  x = 0.1 e^{−δt} (cos νt + δ/ν sin νt),  ẋ = −0.1 ω²/ν e^{−δt} sin νt
TEST(EnergyBalance, of_a_damped_oscillator) {
  const Model m = model_from(mass + R"(
joints: {guide: {prismatic: [ground, mass], axis: x, spring: {stiffness: 200, preload: 20}, damper: 3}}
simulation: {duration: 2, step: 1e-3, output_step: 0.02}
outputs:)" + book);
  // The preload moves the place of rest to −0.1: the start is 0.1 away from it.
  const double omega2 = 100, delta = 0.75, nu = std::sqrt(omega2 - delta * delta);
  const auto lost = [&](double t) {
    const double e = std::exp(-delta * t), x = 0.1 * e * (std::cos(nu * t) + delta / nu * std::sin(nu * t)),
                 v = -0.1 * omega2 / nu * e * std::sin(nu * t);
    return 0.5 * 200 * 0.01 - 0.5 * 2 * v * v - 0.5 * 200 * x * x;
  };
  struct Case {
    const char* integrator;
    double error;  // (ωh)⁴ = 1e-8, the step's tolerance, (ωh)⁵, (ωh)² = 1e-4, each of 1 J and with a small factor
  };
  for (const auto& [integrator, error] : {Case{"runge-kutta", 1e-9},
                                          {"adams-bashforth", 4e-8},
                                          {"dormand-prince", 1e-9},
                                          {"radau", 1e-10},
                                          {"generalized-alpha", 1e-4},
                                          {"ida", 1e-5}}) {
    const Result r = run(m, {.integrator = integrator});
    EXPECT_LT(largest_error(r, "D", lost), error) << integrator;
    EXPECT_LT(largest(r, "B"), error) << integrator;
    EXPECT_EQ(largest(r, "W"), 0) << integrator;
  }
}

// A mass m on a spring whose other end, of mass M, moves by u = a sin Ωt. From rest
//   x = X (sin Ωt − Ω/ω sin ωt),  X = a ω²/(ω² − Ω²),      W = ½ m ẋ² + ½ k (x − u)² + ½ M (u̇² − u̇(0)²)
const std::string shaken = R"(
bodies:
  base: {shape: {box: [0.1, 0.1, 0.1]}, mass: 5}
  mass: {shape: {box: [0.1, 0.1, 0.1]}, mass: 2, at: [1, 0, 0]}
joints:
  shaker: {prismatic: [ground, base], axis: x, motion: 0.02*sin(7*t)}
  guide: {prismatic: [ground, mass], axis: x, at: [1, 0, 0]}
forces:
  spring: {spring_damper: [base, mass], points: [[0, 0, 0], [1, 0, 0]], stiffness: k}
simulation: {duration: 3, step: 1e-3, output_step: 0.02}
outputs:)" + book;

TEST(EnergyBalance, of_a_prescribed_motion) {
  const Model m = model_from("parameters: {k: 200}\n" + shaken);
  const double a = 0.02, O = 7, o = 10, X = a * o * o / (o * o - O * O);
  const auto work = [&](double t) {
    const double x = X * (std::sin(O * t) - O / o * std::sin(o * t)), v = X * O * (std::cos(O * t) - std::cos(o * t));
    const double u = a * std::sin(O * t), du = a * O * std::cos(O * t);
    return 0.5 * 2 * v * v + 0.5 * 200 * (x - u) * (x - u) + 0.5 * 5 * (du * du - a * a * O * O);
  };
  struct Case {
    const char* integrator;
    double error;  // as above, of 0.35 J
  };
  for (const auto& [integrator, error] : {Case{"runge-kutta", 1e-9},
                                          {"adams-bashforth", 4e-8},
                                          {"dormand-prince", 1e-9},
                                          {"radau", 1e-10},
                                          {"generalized-alpha", 4e-5},
                                          {"ida", 1e-5}}) {
    const Result r = run(m, {.integrator = integrator});
    EXPECT_LT(largest_error(r, "W", work), error) << integrator;
    EXPECT_LT(largest(r, "B"), error) << integrator;
  }
}

}  // namespace ALEATOR_FILE
}  // namespace aleator::core::test
