// Do constraints stay closed over long runs: at round-off for generalized-alpha and with projection, bounded with Baumgarte's terms,
// drifting without any of them? And velocities: does G v + g_t stay zero?
#include <gtest/gtest.h>

#include "support/run.hpp"

namespace aleator::core::test {
namespace ALEATOR_FILE {

// Every kind of joint in one mechanism, lengths of about 1 m.
const std::string model = R"(
gravity: [0.5, 0, -9.81]
bodies:
  cart: {shape: {box: [0.3, 0.2, 0.1]}, mass: 3, at: [0, 0, 0]}
  arm: {shape: {box: [0.8, 0.1, 0.1]}, mass: 2, at: [0.4, 0, 0]}
  fork: {shape: {box: [0.1, 0.5, 0.1]}, mass: 1, at: [0.8, 0.25, 0]}
  rod: {shape: {cylinder: {radius: 0.05, length: 0.4, axis: z}}, mass: 1, at: [0.8, 0.5, -0.2]}
  puck: {shape: {cylinder: {radius: 0.1, length: 0.05, axis: z}}, mass: 0.5, at: [-0.6, 0.3, 0.2], velocity: [0.4, 0.3, 0], angular_velocity: [0, 0, 3]}
  bead: {shape: {sphere: {radius: 0.05}}, mass: 0.2, at: [-0.5, -0.5, 0]}
joints:
  drive: {prismatic: [ground, cart], axis: x, at: [0, 0, 0], motion: 0.1*sin(3*t)}
  hinge: {revolute: [cart, arm], axis: [0, 1, 0.3], at: [0, 0, 0], damper: 1}
  cross: {universal: [arm, fork], axis: x, second_axis: z, at: [0.8, 0, 0], damper: {rx: 0.3, ry: 0.3}}
  ball: {spherical: [fork, rod], at: [0.8, 0.5, 0]}
  table: {planar: [ground, puck], axis: z, at: [-0.6, 0.3, 0.2]}
  wire: {point_on_line: [ground, bead], axis: [1, 0, 0.2], at: [-0.5, -0.5, 0]}
  strut: {distance: [puck, bead], points: [[-0.6, 0.3, 0.2], [-0.5, -0.5, 0]]}
outputs:
  off: {constraint_violation: all}
simulation: {duration: 10, output_step: 0.02}
)";

double largest(const Result& r) {
  const auto off = r.channel("off");
  return *std::max_element(off.begin(), off.end());
}

// Velocity level at the end.
double velocity_violation(const Model& m, const Result& r) {
  const Realization<double> realization = make_realization<double>(m, std::span(&m.nominal, 1));
  Assembly<double> a(m, realization);
  const State<double>& s = r.trajectory.final_state;
  a.kinematics(s.t, Side::left, s.positions.data(), s.velocities.data(), s.turns.data());
  a.constrain();
  std::vector<double> out(a.rows());
  a.velocity_residual(out.data());
  double worst = 0;
  for (const double x : out) worst = std::max(worst, std::abs(x));
  return worst;
}

TEST(Constraints, stay_closed_in_generalized_alpha) {
  const Model m = model_from(model);
  for (const double rho : {0.95, 0.8, 0.0}) {
    const Result r = run(m, {.integrator = "generalized-alpha", .step = 1e-3, .rho = rho});
    EXPECT_LT(largest(r), 1e-12) << rho;               // round-off, and a compliance of 1e-16 s² times accelerations
    EXPECT_LT(velocity_violation(m, r), 1e-5) << rho;  // of order h²: velocities are not constrained
  }
}

TEST(Constraints, stay_closed_in_radau) {
  const Model m = model_from(model);
  const Result r = run(m, {.integrator = "radau", .step = 2e-3});
  EXPECT_LT(largest(r), 1e-12);  // one correction, by a matrix that is some steps old, of what a step leaves, order h⁶
  EXPECT_LT(velocity_violation(m, r), 1e-9);  // Newton's tolerance, and what the correction of positions changes
}

TEST(Constraints, stay_closed_with_projection) {
  const Model m = model_from(model);
  const Result r = run(m, {.integrator = "runge-kutta", .step = 1e-3, .stabilization = "projection"});
  EXPECT_LT(largest(r), 1e-14);  // one Newton correction of h⁵ leaves h¹⁰: round-off
  EXPECT_LT(velocity_violation(m, r), 1e-12);
}

TEST(Constraints, are_held_by_baumgarte_and_drift_without) {
  const Model m = model_from(model);
  const Result held = run(m, {.integrator = "runge-kutta", .step = 1e-3, .stabilization = "baumgarte"});
  const Result loose = run(m, {.integrator = "runge-kutta", .step = 1e-3, .stabilization = "none"});
  EXPECT_LT(largest(held), 1e-8);  // local errors of order h⁵, forgotten within a few steps
  EXPECT_LT(velocity_violation(m, held), 1e-10);
  EXPECT_LT(largest(loose), 1e-5);
  EXPECT_GT(largest(loose), 10 * largest(held)) << "there is a drift to hold";
}

// Joints that the compiler takes out of the equations must be closed exactly.
TEST(Constraints, of_compiled_joints_are_exact) {
  CompileOptions plain;
  plain.lock_unmoved = false;
  const Result compiled = run(model_from(model), {.step = 1e-3}), uncompiled = run(model_from(model, plain), {.step = 1e-3});
  EXPECT_LT(largest(compiled), 1e-12);
  EXPECT_LT(largest(uncompiled), 1e-12);
}

}  // namespace ALEATOR_FILE
}  // namespace aleator::core::test
