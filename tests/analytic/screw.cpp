// A nut that falls along a screw without friction: its potential energy goes into translation and rotation,
//   a = g / (1 + (2π/p)² J/m)
#include <gtest/gtest.h>

#include <cmath>

#include "support/run.hpp"

namespace aleator::core::test {
namespace ALEATOR_FILE {

constexpr double pi = 3.14159265358979323846;

std::string nut(double pitch, const std::string& more = "") {
  return "gravity: [0, 0, -9.81]\n"
         "bodies: {nut: {mass: 2, inertia: {xx: 0.02, yy: 0.02, zz: 0.03}, at: [0.1, 0.2, 0]}}\n"
         "joints: {spindle: {screw: [ground, nut], axis: z, at: [0.1, 0.2, 0], pitch: " +
         text(pitch) + more +
         "}}\n"
         "outputs: {z: {coordinate: spindle, direction: along}, angle: {coordinate: spindle, direction: about}, violation: "
         "{constraint_violation: all}, p: {position: nut}, thread: {reaction: spindle}}\n"
         "simulation: {duration: 1, step: 1e-3, integrator: runge-kutta}\n";
}

TEST(Screw, a_nut_falls_slowly) {
  for (const double pitch : {0.5, -0.05}) {
    const double a = 9.81 / (1 + std::pow(2 * pi / pitch, 2) * 0.03 / 2);
    const Result r = run(nut(pitch));
    // A constant acceleration is exact for Runge–Kutta; what is left is round-off of 1000 steps and of projections
    EXPECT_LT(largest_error(r, "z", [&](double t) { return -a * t * t / 2; }), 1e-9) << pitch;
    EXPECT_LT(largest_error(r, "angle", [&](double t) { return -a * t * t / 2 * 2 * pi / pitch; }), 1e-7) << pitch;
    EXPECT_LT(largest_error(r, "thread.z", [&](double) { return 2 * (9.81 - a); }), 1e-9) << pitch;
    EXPECT_LT(largest_error(r, "p.z", [&](double t) { return -a * t * t / 2; }), 1e-9) << pitch;
  }
}

TEST(Screw, driven_by_its_angle) {
  const Result r = run(nut(0.1, ", motion: {about: 3*t^2}"));
  EXPECT_LT(largest_error(r, "z", [](double t) { return 3 * t * t * 0.1 / (2 * pi); }), 1e-9)
      << "positions satisfy constraints to this";
}

}  // namespace ALEATOR_FILE
}  // namespace aleator::core::test
