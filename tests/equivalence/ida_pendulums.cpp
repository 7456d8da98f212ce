// The same motions from SUNDIALS IDA and from our own Runge–Kutta: two discretisations of one set of equations.
#include <gtest/gtest.h>

#include <cmath>

#include "dynamics/ida.hpp"
#include "support/run.hpp"
#include "support/statics_four_bar.hpp"

namespace aleator::core::test {
namespace ALEATOR_FILE {

// The largest difference of a channel over all output times.
double largest_difference(const Result& a, const Result& b, const std::string& name) {
  const std::vector<double> x = a.channel(name), y = b.channel(name);
  EXPECT_EQ(x.size(), y.size());
  double worst = 0;
  for (size_t k = 0; k < std::min(x.size(), y.size()); ++k) worst = std::max(worst, std::abs(x[k] - y[k]));
  return worst;
}

#define NEEDS_IDA \
  if (!have_ida()) GTEST_SKIP() << "built without SUNDIALS"

// A double pendulum, thrown; its motion grows errors by about e^{3t}.
const char* const double_pendulum = R"(
gravity: [0, 0, -9.81]
bodies:
  upper: {shape: {box: [1, 0.05, 0.05]}, mass: 2, at: [0.5, 0, 0]}
  lower: {shape: {box: [0.05, 0.05, 0.8]}, mass: 1, at: [1, 0, -0.4], angular_velocity: [4, 0, 0]}
joints:
  pin: {revolute: [ground, upper], axis: y, at: [0, 0, 0], damper: 0.1}
  knee: {universal: [upper, lower], axis: y, second_axis: x, at: [1, 0, 0]}
outputs:
  tip: {position: lower, at: [1, 0, -0.8]}
  speed: {velocity: lower, component: norm}
  push: {acceleration: lower}
  pull: {reaction: pin}
  angle: {coordinate: pin}
  open: {constraint_violation: all}
simulation: {duration: 2, step: 1e-3, output_step: 0.02}
)";

TEST(IdaPendulum, AgreesWithRungeKutta) {
  NEEDS_IDA;
  const Model model = model_from(double_pendulum);
  const Result ida = run(model, {.integrator = "ida", .tolerance = 1e-11}),
               rk = run(model, {.integrator = "runge-kutta", .step = 2e-4});
  for (const char* name : {"tip.x", "tip.y", "tip.z", "angle"}) EXPECT_LT(largest_difference(ida, rk, name), 1e-8) << name;
  EXPECT_LT(largest_difference(ida, rk, "speed"), 1e-7);
  EXPECT_LT(largest_difference(ida, rk, "push.z"), 1e-6);  // accelerations and reactions magnify by ω² ~ 1e2
  EXPECT_LT(largest_difference(ida, rk, "pull.x"), 1e-6);
}

// What the tolerance buys: the error follows it, and the constraints stay closed at its level.
TEST(IdaPendulum, ErrorAndViolationFollowTheTolerance) {
  NEEDS_IDA;
  const Model model = model_from(double_pendulum);
  const Result reference = run(model, {.integrator = "ida", .tolerance = 1e-12});
  for (const double tolerance : {1e-6, 1e-8, 1e-10}) {
    const Result r = run(model, {.integrator = "ida", .tolerance = tolerance});
    EXPECT_LT(largest_difference(r, reference, "tip.z"), 300 * tolerance) << tolerance;  // some 10³ steps, grown by the pendulum
    const std::vector<double> open = r.channel("open");
    EXPECT_LT(*std::max_element(open.begin(), open.end()), 100 * tolerance) << tolerance;
  }
}

// A wheel that turns ten times between two outputs: angles are counted at the steps of IDA.
TEST(IdaPendulum, AnglesAreCountedBetweenOutputs) {
  NEEDS_IDA;
  const Result r = run(R"(
bodies: {wheel: {shape: {cylinder: {radius: 0.1, length: 0.1}}, mass: 2, angular_velocity: [0, 0, 200]}}
joints: {axle: {revolute: [ground, wheel], axis: z, damper: 1e-3}}
outputs: {angle: {coordinate: axle}}
simulation: {duration: 1.5, output_step: 0.5, integrator: ida, tolerance: 1e-10}
)");
  // J φ̈ = −c φ̇:  φ = φ̇₀ J/c (1 − e^{−ct/J})
  const double J = 0.5 * 2 * 0.01, c = 1e-3;
  for (double t : {0.5, 1.0, 1.5})
    EXPECT_NEAR(r.at("angle", t), 200 * J / c * (1 - std::exp(-c * t / J)), 1e-5);  // 200 rad at 1e-10, some 10³ steps
}

// A door on two hinges: five constraints too many. The same ones all the time.
TEST(IdaPendulum, RedundantConstraints) {
  NEEDS_IDA;
  const Model model = model_from(R"(
gravity: [1, 2, -9.81]
bodies: {door: {shape: {box: [1, 0.05, 2]}, mass: 30, at: [0.5, 0, 0]}}
joints:
  upper: {revolute: [ground, door], axis: z, at: [0, 0, 0.8]}
  lower: {revolute: [ground, door], axis: z, at: [0, 0, -0.8]}
outputs:
  edge: {position: door, at: [1, 0, 0]}
  upper: {reaction: upper}
  lower: {reaction: lower}
simulation: {duration: 3, step: 1e-3, output_step: 0.05}
)");
  const Result ida = run(model, {.integrator = "ida", .tolerance = 1e-11}), rk = run(model, {.integrator = "runge-kutta"});
  EXPECT_LT(largest_difference(ida, rk, "edge.x"), 1e-8);
  EXPECT_LT(largest_difference(ida, rk, "edge.y"), 1e-8);
  // Both hand out the least multipliers; those rest on ε = 1e-11, so that 1e-16 / 1e-11 of the forces (300 N) is arbitrary.
  EXPECT_LT(largest_difference(ida, rk, "upper.x"), 1e-2);
  EXPECT_LT(largest_difference(ida, rk, "upper.z"), 1e-2);
}

// A four-bar linkage in space has three rows too many, and other ones as it turns; in the plane it has none.
TEST(IdaFourBar, InSpaceIsAsInThePlane) {
  NEEDS_IDA;
  const std::string settings = "{duration: 1.5, output_step: 0.01, integrator: ida, tolerance: 1e-11}";
  const Result plane = run(four_bar(true, "40", settings)), space = run(four_bar(false, "40", settings));
  EXPECT_GT(std::abs(plane.last("turns")), 6.3);  // more than one revolution
  // Some thousand steps of 1e-11 each, in phase
  for (const char* name : {"C.x", "C.y", "turns"}) EXPECT_LT(largest_difference(plane, space, name), 3e-8) << name;
  for (const char* name : {"pull.x", "pull.y"})
    EXPECT_LT(largest_difference(plane, space, name), 1e-6) << name;  // N: some 1e2 rad²/s² and kg
}

TEST(IdaPendulum, SaysWhenAndWhyItStops) {
  NEEDS_IDA;
  try {
    run(model_from(double_pendulum), {.integrator = "ida", .tolerance = 1e-17});
    FAIL() << "a tolerance below round-off was met";
  } catch (const SimulationError& e) {
    EXPECT_EQ(std::string(e.what()).rfind("IDA stopped at t = ", 0), 0u) << e.what();
    EXPECT_NE(std::string(e.what()).find("Try a larger 'tolerance'"), std::string::npos) << e.what();
  }
}

}  // namespace ALEATOR_FILE
}  // namespace aleator::core::test
