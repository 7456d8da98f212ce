// Generalized-α, Runge-Kutta and IDA agree: the first two with the orders 2 and 4 of their truncation, IDA at a tight tolerance.
#include <gtest/gtest.h>

#include "compare.hpp"
#include "dynamics/ida.hpp"
#include "support/model_text.hpp"

namespace aleator::core::test {
namespace ALEATOR_FILE {

// A spatial mechanism with a loop, a drive, a stop, friction, a gear and a bushing.
const std::string machine = R"(
gravity: [0, 0, -9.81]
bodies:
  crank: {shape: {cylinder: {radius: 0.05, length: 0.3, axis: x}}, mass: 1, at: [0.15, 0, 0]}
  rod: {shape: {box: [0.8, 0.05, 0.05]}, mass: 2, at: [0.7, 0, 0]}
  wheel: {shape: {cylinder: {radius: 0.2, length: 0.05, axis: y}}, mass: 3, at: [0, 0.5, 0]}
  bob: {shape: {sphere: {radius: 0.1}}, mass: 1, at: [0.7, 0, -0.4], angular_velocity: [1, 2, 3]}
joints:
  axle: {revolute: [ground, crank], axis: y, at: [0, 0, 0], actuator: 2*sin(4*t), damper: 0.1}
  knee: {spherical: [crank, rod], at: [0.3, 0, 0]}
  rail: {point_on_line: [ground, rod], axis: x, at: [1.1, 0, 0], friction: {x: {force: 1, velocity: 0.2}}}
  spin: {revolute: [ground, wheel], axis: y, at: [0, 0.5, 0]}
  teeth: {gear: [axle, spin], ratio: -2}
forces:
  hang: {bushing: [rod, bob], at: [0.7, 0, -0.2], stiffness: [300, 300, 900], damping: [2, 2, 2], rotational_stiffness: [5, 5, 5]}
outputs:
  turn: {coordinate: axle}
  rate: {rate: spin}
  bob: {position: bob}
  accel: {acceleration: bob}
  knee: {reaction: knee}
simulation: {duration: 1, step: 1e-3, output_step: 0.05}
)";
const std::vector<std::string> channels = {"turn",    "rate",    "bob.x",   "bob.y",  "bob.z",
                                           "accel.x", "accel.y", "accel.z", "knee.x", "knee.z"};

const Result& reference() {  // truncation of 1e-9 at h = 2.5e-4 becomes 1e-12
  static const Result r = run(machine, {.integrator = "runge-kutta", .step = 5e-5});
  return r;
}

// The differences shrink by 2^order when the step is halved.
void expect_order(const std::string& integrator, double order, double tolerance) {
  const Result coarse = run(machine, {.integrator = integrator, .step = 2e-3}),
               fine = run(machine, {.integrator = integrator, .step = 1e-3});
  for (const std::string& c : channels) {
    const double ratio = difference(coarse, reference(), c) / difference(fine, reference(), c);
    EXPECT_NEAR(std::log2(ratio), order, 0.1) << c;
    EXPECT_LT(difference(fine, reference(), c), tolerance) << c;
  }
}

// Truncation; largest in the lateral acceleration of the bob, which a soft bushing makes small and fast: 4e-3 and 1e-6 observed.
TEST(Integrators, generalized_alpha_tends_to_runge_kutta) { expect_order("generalized-alpha", 2, 1e-2); }
TEST(Integrators, runge_kutta_tends_to_itself) { expect_order("runge-kutta", 4, 1e-5); }

TEST(Integrators, ida_agrees_with_runge_kutta) {
  if (!have_ida()) GTEST_SKIP() << "built without SUNDIALS";
  const Result ida = run(machine, {.integrator = "ida", .tolerance = 1e-11});
  // 1e-11 per step over some thousand steps; 2e-9 observed in accelerations, where IDA does not control its error
  for (const std::string& c : channels) EXPECT_LT(difference(ida, reference(), c), 1e-8) << c;
}

// Truncation again: what is left to drift, or pulled back, are errors of order 4.
TEST(Integrators, runge_kutta_without_stabilisation_agrees) {
  const Result r = run(machine, {.integrator = "runge-kutta", .step = 1e-3, .stabilization = "none"});
  for (const std::string& c : channels) EXPECT_LT(difference(r, reference(), c), 1e-5) << c;
}

// Baumgarte's terms 2a ġ + a² g with a = 1/(2h) act through the multipliers: g of 1e-9 m is 3e-4 m/s² in the reactions.
TEST(Integrators, runge_kutta_with_baumgarte_stabilisation_agrees) {
  const Result r = run(machine, {.integrator = "runge-kutta", .step = 1e-3, .stabilization = "baumgarte"});
  for (const std::string& c : channels) EXPECT_LT(difference(r, reference(), c), c.starts_with("knee") ? 2e-3 : 1e-5) << c;
}

}  // namespace ALEATOR_FILE
}  // namespace aleator::core::test
