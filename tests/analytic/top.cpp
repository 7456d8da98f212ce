// Does a heavy symmetric top precess and nutate as it should? Tip fixed, I about the tip across the axis, C about the axis, tilt
// θ from the vertical, ω₃ the spin about the axis (conserved).
//   Steady precession:  I Ω² cos θ − C ω₃ Ω + m g l = 0.
//   Released at tilt θ₀ without precession: u = cos θ obeys  u̇² = β (u₀ − u)(u − u1)(u3 − u),  a = C ω₃/I,  β = 2 m g l/I,  where
//   u1 < u3 are the roots of β (1 − u²) = a² (u₀ − u);   precession φ̇ = a (u₀ − u)/(1 − u²).
#include <gtest/gtest.h>

#include "support/elliptic.hpp"
#include "support/run.hpp"

namespace aleator::core::test {
namespace ALEATOR_FILE {

constexpr double m = 2, g = 9.81, l = 0.3, across = 0.04, along = 0.03;  // inertia about the centre of mass
constexpr double I = across + m * l * l, C = along;

std::string top(double tilt, const Vec3<double>& omega, double duration) {
  const double s = std::sin(tilt), c = std::cos(tilt);
  const Vec3<double> v = cross(omega, Vec3<double>{l * s, 0, l * c});  // the tip stays where it is
  // Axis of the top in the x-z plane; the tensor in the body's own axes, whose z is the axis.
  return "gravity: [0, 0, -9.81]\nbodies:\n  top: {mass: 2, center_of_mass: [" + text(l * s) + ", 0, " + text(l * c) +
         "], orientation: {rpy: [0, " + text(tilt) +
         ", 0]}, inertia_axes: body, inertia: {xx: 0.04, yy: 0.04, zz: 0.03}, angular_velocity: [" + text(omega.x) + ", " +
         text(omega.y) + ", " + text(omega.z) + "], velocity: [" + text(v.x) + ", " + text(v.y) + ", " + text(v.z) + "]}\n" +
         "joints:\n  tip: {spherical: [ground, top], at: [0, 0, 0]}\noutputs:\n  tip: {position: top, at: [0, 0, 0]}\n  axis: "
         "{position: top, at: [" +
         text(s) + ", 0, " + text(c) + "]}\n  omega: {angular_velocity: top, in: top}\nsimulation: {duration: " + text(duration) +
         ", output_step: " + text(duration / 50) + "}\n";
}

TEST(Top, steady_precession) {
  const double tilt = 0.5, spin = 100, c = std::cos(tilt);
  const double slow = (C * spin - std::sqrt(C * C * spin * spin - 4 * I * c * m * g * l)) / (2 * I * c);
  const double fast = (C * spin + std::sqrt(C * C * spin * spin - 4 * I * c * m * g * l)) / (2 * I * c);
  for (const double rate : {slow, fast}) {
    const Vec3<double> omega = {(spin - rate * c) * std::sin(tilt), 0, rate + (spin - rate * c) * c};
    const Result r = run(top(tilt, omega, 1), {.integrator = "runge-kutta", .step = 2e-4});
    // truncation: (100 rad/s × 2e-4 s)⁴/120 per radian, for 100 rad
    EXPECT_LT(largest_error(r, "axis.z", [&](double) { return c; }), 1e-8) << "precession " << rate;
    EXPECT_LT(largest_error(r, "axis.x", [&](double t) { return std::sin(tilt) * std::cos(rate * t); }), 1e-7);
    EXPECT_LT(largest_error(r, "axis.y", [&](double t) { return std::sin(tilt) * std::sin(rate * t); }), 1e-7);
    EXPECT_LT(largest_error(r, "omega.z", [&](double) { return spin; }), 1e-9 * spin);
  }
}

TEST(Top, nutation) {
  const double tilt = 0.8, spin = 40, u0 = std::cos(tilt);
  const double a = C * spin / I, beta = 2 * m * g * l / I;
  const double root = std::sqrt(a * a * a * a - 4 * beta * (a * a * u0 - beta));
  const CubicOscillation u{beta, (a * a - root) / (2 * beta), u0, (a * a + root) / (2 * beta)};
  const Vec3<double> omega = {spin * std::sin(tilt), 0, spin * std::cos(tilt)};
  const double duration = 3 * u.period();
  const auto azimuth = [&](double t) {
    return integral([&](double x) { return a * (u0 - u(x)) / (1 - u(x) * u(x)); }, 0, t, 60);
  };
  struct Way {
    const char* integrator;
    double step, error;
  };
  // (spin h)⁴ and (spin h)² over a second: truncation
  for (const Way way : {Way{"runge-kutta", 2e-4, 1e-8}, Way{"generalized-alpha", 2e-4, 1e-3}}) {
    SCOPED_TRACE(way.integrator);
    const Result r = run(top(tilt, omega, duration), {.integrator = way.integrator, .step = way.step});
    EXPECT_LT(largest_error(r, "axis.z", u), way.error);
    EXPECT_LT(largest_error(r, "axis.x", [&](double t) { return std::sqrt(1 - u(t) * u(t)) * std::cos(azimuth(t)); }), way.error);
    EXPECT_LT(largest_error(r, "axis.y", [&](double t) { return std::sqrt(1 - u(t) * u(t)) * std::sin(azimuth(t)); }), way.error);
    EXPECT_LT(largest_error(r, "tip.x", [](double) { return 0; }), 1e-13);
  }
}

}  // namespace ALEATOR_FILE
}  // namespace aleator::core::test
