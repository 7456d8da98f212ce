// Driven supports under a beam on bushings (in the manner of the five-body mechanism): stiff, and with kinks that IDA must not
// step across. Against Runge–Kutta with a step so small that its error is that of round-off.
#include <gtest/gtest.h>

#include <cmath>

#include "dynamics/ida.hpp"
#include "support/run.hpp"

namespace aleator::core::test {
namespace ALEATOR_FILE {

const char* const driven = R"(
gravity: [0, 0, -9.81]
bodies:
  left: {shape: {cylinder: {radius: 0.03, length: 0.2}}, mass: 4, at: [-1, 0, 0.1]}
  right: {shape: {cylinder: {radius: 0.03, length: 0.2}}, mass: 4, at: [1, 0, 0.1]}
  beam: {shape: {box: [2.4, 0.4, 0.1]}, mass: 40, at: [0, 0.02, 0.55]}
  rider: {shape: {box: [0.2, 0.2, 0.3]}, mass: 5, at: [0.3, 0.1, 0.7]}
joints:
  guide1: {prismatic: [ground, left], axis: z, at: [-1, 0, 0], motion: {ramp: {from: 1e-3, to: 6e-3, height: 0.01}}}
  guide2: {generic: [ground, right], locked: [y, rx, ry, rz], at: [1, 0, 0], motion: {z: {ramp: {from: 1.1e-2, to: 1.6e-2, height: 0.01}}}}
  hinge: {revolute: [beam, rider], axis: y, at: [0.3, 0.1, 0.6], spring: {stiffness: 200}, damper: 2}
forces:
  bushing1: &b
    bushing: [left, beam]
    at: [-1, 0, 0.5]
    stiffness: [1e6, 1e6, 2.8e5]
    damping: [300, 300, 260]
    rotational_stiffness: [1e5, 1e5, 1e5]
    rotational_damping: [50, 50, 50]
  bushing2: {<<: *b, bushing: [right, beam], at: [1, 0, 0.5]}
outputs:
  z: {position: beam, component: z}
  accel: {acceleration: beam, component: z}
  alpha: {angular_acceleration: beam}
  drive: {reaction: guide1, component: z}
  rider: {orientation: rider}
simulation: {duration: 0.03, step: 2e-6, output_step: 1e-4}
)";

// The largest difference of a channel, against its largest value.
double relative_difference(const Result& a, const Result& b, const std::string& name) {
  const std::vector<double> x = a.channel(name), y = b.channel(name);
  EXPECT_EQ(x.size(), y.size());
  double worst = 0, size = 0;
  for (size_t k = 0; k < std::min(x.size(), y.size()); ++k)
    worst = std::max(worst, std::abs(x[k] - y[k])), size = std::max(size, std::abs(y[k]));
  return worst / size;
}

TEST(IdaDriven, AgreesWithRungeKuttaAcrossKinks) {
  if (!have_ida()) GTEST_SKIP() << "built without SUNDIALS";
  const Model model = model_from(driven);
  const Result ida = run(model, {.integrator = "ida", .tolerance = 1e-11}), rk = run(model, {.integrator = "runge-kutta"});
  EXPECT_LT(relative_difference(ida, rk, "z"), 1e-12);
  // The acceleration is that of springs that carry 1e6 N/m: an error of 1e-12 m makes 3e-8 m/s², of 60.
  EXPECT_LT(relative_difference(ida, rk, "accel"), 1e-9);
  EXPECT_LT(relative_difference(ida, rk, "alpha.y"), 1e-9);
  EXPECT_LT(relative_difference(ida, rk, "drive"), 1e-9);
}

// Loose tolerances give the tolerance: nothing is lost at the kinks.
TEST(IdaDriven, ErrorFollowsTheTolerance) {
  if (!have_ida()) GTEST_SKIP() << "built without SUNDIALS";
  const Model model = model_from(driven);
  const Result reference = run(model, {.integrator = "ida", .tolerance = 1e-12});
  for (const double tolerance : {1e-6, 1e-8}) {
    const Result r = run(model, {.integrator = "ida", .tolerance = tolerance});
    EXPECT_LT(relative_difference(r, reference, "z"), tolerance) << tolerance;
    EXPECT_LT(relative_difference(r, reference, "accel"), 10 * tolerance) << tolerance;  // measured: 0.6 to 0.8 times
  }
}

}  // namespace ALEATOR_FILE
}  // namespace aleator::core::test
