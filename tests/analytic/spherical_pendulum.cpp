// Does a mass on a rigid rod (a `distance` joint, and a body on a ball joint) move like a spherical pendulum? Length l, height z:
//   conical motion:  Ω² = g / (l cos α) at a constant tilt α;  pull of the rod m g / cos α
//   in general:      l² ż² = 2 (E − g z)(l² − z²) − J²  (per unit mass, J the angular momentum about the vertical), a cubic of z
#include <gtest/gtest.h>

#include "support/elliptic.hpp"
#include "support/run.hpp"

namespace aleator::core::test {
namespace ALEATOR_FILE {

constexpr double g = 9.81, l = 1.5;

std::string model(const Vec3<double>& at, const Vec3<double>& v, double duration) {
  const std::string place = "[" + text(at.x) + ", " + text(at.y) + ", " + text(at.z) + "]";
  return "gravity: [0, 0, -9.81]\nbodies:\n  bob: {shape: {sphere: {radius: 0.1}}, mass: 2, at: " + place + ", velocity: [" +
         text(v.x) + ", " + text(v.y) + ", " + text(v.z) + "]}\njoints:\n  rod: {distance: [ground, bob], points: [[0, 0, 0], " +
         place + "]}\noutputs:\n  bob: {position: bob}\n  pull: {reaction: rod, component: norm}\n" +
         "  off: {constraint_violation: all}\nsimulation: {duration: " + text(duration) +
         ", output_step: " + text(duration / 100) + "}\n";
}

struct Way {
  const char* integrator;
  double step, error;
};
// Truncation: (Ω h)⁴ and (Ω h)² with Ω ≈ 3 rad/s, over some ten radians
const Way ways[] = {{"runge-kutta", 2e-3, 1e-9}, {"generalized-alpha", 1e-3, 2e-4}};

TEST(SphericalPendulum, conical_motion) {
  const double tilt = 0.7, Omega = std::sqrt(g / (l * std::cos(tilt))), radius = l * std::sin(tilt);
  for (const Way& way : ways) {
    SCOPED_TRACE(way.integrator);
    const Result r =
        run(model({radius, 0, -l * std::cos(tilt)}, {0, Omega * radius, 0}, 4), {.integrator = way.integrator, .step = way.step});
    EXPECT_LT(largest_error(r, "bob.x", [&](double t) { return radius * std::cos(Omega * t); }), way.error);
    EXPECT_LT(largest_error(r, "bob.y", [&](double t) { return radius * std::sin(Omega * t); }), way.error);
    EXPECT_LT(largest_error(r, "bob.z", [&](double) { return -l * std::cos(tilt); }), way.error);
    EXPECT_LT(largest_error(r, "pull", [&](double) { return 2 * g / std::cos(tilt); }), 30 * way.error);
    EXPECT_LT(largest_error(r, "off", [](double) { return 0; }), 1e-13);
  }
}

TEST(SphericalPendulum, any_motion) {
  // From the top of its motion, with a horizontal velocity.
  const double z0 = -0.3, v0 = 2, radius = std::sqrt(l * l - z0 * z0);
  //   l² ż² = 2 (E − g z)(l² − z²) − J² = 2g (z0 − z) [ l² − z² + b (z + z0) ],   b = v0²/2g;   the bracket is (z − z1)(z3 − z)
  const double b = v0 * v0 / (2 * g), root = std::sqrt(b * b / 4 + l * l + b * z0);
  const CubicOscillation z{2 * g / (l * l), b / 2 - root, z0, b / 2 + root};
  const double J = v0 * radius;
  const auto azimuth = [&](double t) { return integral([&](double x) { return J / (l * l - z(x) * z(x)); }, 0, t, 60); };
  for (const Way& way : ways) {
    SCOPED_TRACE(way.integrator);
    const Result r = run(model({radius, 0, z0}, {0, v0, 0}, 2 * z.period()), {.integrator = way.integrator, .step = way.step});
    EXPECT_LT(largest_error(r, "bob.z", z), way.error);
    EXPECT_LT(largest_error(r, "bob.x", [&](double t) { return std::sqrt(l * l - z(t) * z(t)) * std::cos(azimuth(t)); }),
              way.error);
    EXPECT_LT(largest_error(r, "bob.y", [&](double t) { return std::sqrt(l * l - z(t) * z(t)) * std::sin(azimuth(t)); }),
              way.error);
  }
}

}  // namespace ALEATOR_FILE
}  // namespace aleator::core::test
