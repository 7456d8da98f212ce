// Does a free asymmetric body turn by Jacobi's functions (Landau & Lifshitz, Mechanics, §37)? With I1 < I2 < I3, energy E, angular
// momentum L and L² > 2E I2:
//   ω1 = a1 cn τ, ω2 = a2 sn τ, ω3 = a3 dn τ,   τ̇² = (I3−I2)(L²−2E I1)/(I1 I2 I3),   m = (I2−I1)(2E I3−L²)/((I3−I2)(L²−2E I1)).
// Axis 3 makes an angle with L whose cosine is I3ω3/L, and goes around L at  φ̇ = L (I1ω1² + I2ω2²)/(I1²ω1² + I2²ω2²).
#include <gtest/gtest.h>

#include "support/elliptic.hpp"
#include "support/run.hpp"

namespace aleator::core::test {
namespace ALEATOR_FILE {

constexpr double I1 = 0.5, I2 = 0.9, I3 = 1.2;

struct FreeBody {
  double a1, a2, a3, rate, m, L, phase;  // phase: τ at t = 0
  FreeBody(const Vec3<double>& w, double phase_of_start) : phase(phase_of_start) {
    const double twice_E = I1 * w.x * w.x + I2 * w.y * w.y + I3 * w.z * w.z;
    const double L2 = I1 * I1 * w.x * w.x + I2 * I2 * w.y * w.y + I3 * I3 * w.z * w.z;
    a1 = std::sqrt((twice_E * I3 - L2) / (I1 * (I3 - I1)));
    a2 = std::sqrt((twice_E * I3 - L2) / (I2 * (I3 - I2)));
    a3 = std::sqrt((L2 - twice_E * I1) / (I3 * (I3 - I1)));
    rate = std::sqrt((I3 - I2) * (L2 - twice_E * I1) / (I1 * I2 * I3));
    m = (I2 - I1) * (twice_E * I3 - L2) / ((I3 - I2) * (L2 - twice_E * I1));
    L = std::sqrt(L2);
  }
  Vec3<double> omega(double t) const {
    const Jacobi j = jacobi(phase + rate * t, m);
    return {a1 * j.cn, a2 * j.sn, a3 * j.dn};
  }
  double azimuth(double t) const {
    const auto precession = [&](double x) {
      const Vec3<double> w = omega(x);
      return L * (I1 * w.x * w.x + I2 * w.y * w.y) / (I1 * I1 * w.x * w.x + I2 * I2 * w.y * w.y);
    };
    return integral(precession, 0, t, 100);
  }
  // Axis 3, which is z at t = 0.
  Vec3<double> axis3(double t) const {
    const Vec3<double> w = omega(0), z = {0, 0, 1};
    const Vec3<double> along = (1 / L) * Vec3<double>{I1 * w.x, I2 * w.y, I3 * w.z};
    const Vec3<double> out = z - along.z * along, side = (1 / norm(out)) * out;
    const double c = I3 * omega(t).z / L, s = std::sqrt(1 - c * c), phi = azimuth(t);
    return c * along + (s * std::cos(phi)) * side + (s * std::sin(phi)) * cross(along, side);
  }
};

std::string body(const Vec3<double>& w, double duration) {
  return "bodies:\n  body: {mass: 3, center_of_mass: [0, 0, 0], inertia: {xx: 0.5, yy: 0.9, zz: 1.2}, angular_velocity: [" +
         text(w.x) + ", " + text(w.y) + ", " + text(w.z) +
         "]}\noutputs:\n  omega: {angular_velocity: body, in: body}\n  axis3: {position: body, at: [0, 0, 1]}\n" +
         "simulation: {duration: " + text(duration) + ", output_step: " + text(duration / 100) + "}\n";
}

void expect_turns(const Result& r, const FreeBody& expected, double error) {
  for (int i = 0; i < 3; ++i) {
    const std::string component = std::string(".") + "xyz"[i];
    EXPECT_LT(largest_error(r, "omega" + component, [&](double t) { return expected.omega(t)[i]; }), error) << component;
    EXPECT_LT(largest_error(r, "axis3" + component, [&](double t) { return expected.axis3(t)[i]; }), error) << component;
  }
}

TEST(TorqueFree, jacobi_functions) {
  const Vec3<double> start = {1.5, 0, 3};  // ω2 = 0: τ = 0
  const FreeBody expected(start, 0);
  ASSERT_NEAR(expected.omega(0).x, 1.5, 1e-14);
  const std::string model = body(start, 5);
  // Truncation: (ω h)⁴ and (ω h)² per radian, for 15 rad
  expect_turns(run(model, {.integrator = "runge-kutta", .step = 1e-3}), expected, 1e-10);
  expect_turns(run(model, {.integrator = "generalized-alpha", .step = 1e-3}), expected, 1e-4);
}

// A tennis racket thrown with a spin about its middle axis turns over, again and again: ω2 changes its sign every 2K/τ̇ seconds.
TEST(TorqueFree, tennis_racket_flips_about_the_middle_axis) {
  const Vec3<double> start = {0, 10, 0.1};  // ω1 = 0: τ = K
  FreeBody expected(start, 0);
  expected.phase = elliptic_K(expected.m);
  ASSERT_NEAR(expected.omega(0).z, 0.1, 1e-12);
  const double flip = 2 * expected.phase / expected.rate;
  const std::string model = body(start, 2 * flip);
  // Errors grow like the tilt, which starts at 1/100: truncation (ω h)⁴ and (ω h)² times a hundred
  const Result fine = run(model, {.integrator = "runge-kutta", .step = flip / 4000});
  expect_turns(fine, expected, 1e-6);
  EXPECT_NEAR(fine.at("omega.y", flip), -10, 1e-7);
  EXPECT_NEAR(fine.at("omega.y", 2 * flip), 10, 1e-7);
  const Result coarse = run(model, {.integrator = "generalized-alpha", .step = flip / 8000});
  EXPECT_NEAR(coarse.at("omega.y", flip), -10, 1e-3);
  EXPECT_NEAR(coarse.at("omega.x", flip), 0, 2e-2);
}

}  // namespace ALEATOR_FILE
}  // namespace aleator::core::test
