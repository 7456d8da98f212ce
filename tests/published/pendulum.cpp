// Simple pendulum, IFToMM benchmark A01: a point of 1 kg on a rod of 1 m without mass, let go from the horizontal, 10 s.
// Expected: the motion by Jacobi's elliptic functions. With k = sin(φ₀/2) and ω₀ = √(g/l), the angle from the vertical is
//   φ(t) = 2 arcsin( k sn(K(k) − ω₀ t, k) ).
#include <gtest/gtest.h>

#include "support/elliptic.hpp"
#include "support/run.hpp"

namespace aleator::core::test {
namespace ALEATOR_FILE {

const double pi = std::acos(-1.0);

double angle(double t) {  // from the vertical
  const double k = std::sin(pi / 4);
  return 2 * std::asin(k * jacobi(elliptic_K(k * k) - std::sqrt(9.81) * t, k * k).sn);
}

const std::string text = R"(
plane: xy
gravity: [0, -9.81]
bodies:
  bob: {mass: 1, inertia: 0, center_of_mass: [-1, 0]}
joints:
  pin: {revolute: [ground, bob], at: [0, 0]}
outputs:
  turn: {coordinate: pin}
  bob: {position: bob}
  energy: {energy: all}
  violation: {constraint_violation: all}
simulation: {duration: 10, step: 1e-3, output_step: 0.05}
)";

double turn(double t) { return pi / 2 - angle(t); }  // since t = 0, counterclockwise from the left: the bob falls

TEST(SimplePendulum, closed_form) {
  EXPECT_NEAR(angle(0), pi / 2, 1e-15);
  const double period = 4 * std::comp_ellint_1(std::sin(pi / 4)) / std::sqrt(9.81);
  EXPECT_NEAR(period, 2.367842, 1e-6);  // of 1 m, 2.00607 s for small angles, 18 % longer from the horizontal
  EXPECT_NEAR(angle(period), pi / 2, 1e-13);
}

double zero(double) { return 0; }

TEST(SimplePendulum, runge_kutta) {
  const Result r = run(text, {.integrator = "runge-kutta"});
  EXPECT_LT(largest_error(r, "turn", turn), 1e-10);       // truncation: h⁴ = 1e-12 times ten
  EXPECT_LT(largest_error(r, "energy", zero), 1e-9);      // J, of 9.81
  EXPECT_LT(largest_error(r, "violation", zero), 2e-15);  // m, round-off: positions are projected after every step
}

TEST(SimplePendulum, generalized_alpha) {
  const Result fine = run(text, {.integrator = "generalized-alpha"}),
               coarse = run(text, {.integrator = "generalized-alpha", .step = 2e-3});
  const double error = largest_error(fine, "turn", turn), energy = largest_error(fine, "energy", zero);
  EXPECT_LT(error, 2e-4);  // truncation: order 2, 1.3e-4 observed
  EXPECT_LT(energy, 1e-4);
  EXPECT_NEAR(largest_error(coarse, "turn", turn) / error, 4, 0.1);
  EXPECT_NEAR(largest_error(coarse, "energy", zero) / energy, 4, 0.1);
  EXPECT_LT(largest_error(fine, "violation", zero), 1e-13);  // round-off
}

// A point in space is the same point: its inertia vanishes about every axis, which the hinge does not mind.
TEST(SimplePendulum, point_in_space) {
  const Result r =
      run("gravity: [0, -9.81, 0]\n"
          "bodies: {bob: {mass: 1, inertia: {xx: 0, yy: 0, zz: 0}, center_of_mass: [-1, 0, 0]}}\n"
          "joints: {pin: {revolute: [ground, bob], axis: z, at: [0, 0, 0]}}\n"
          "outputs: {turn: {coordinate: pin}}\n"
          "simulation: {duration: 10, step: 1e-3, output_step: 0.05, integrator: runge-kutta}\n");
  EXPECT_LT(largest_error(r, "turn", turn), 1e-10);
}

}  // namespace ALEATOR_FILE
}  // namespace aleator::core::test
