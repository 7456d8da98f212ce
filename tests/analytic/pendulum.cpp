// Does a pendulum swing as elliptic functions say? Point mass (IFToMM A01: 1 kg at 1 m, released from the horizontal), a rod, and
// a small bob on a long arm. With θ from the lower equilibrium and ω₀² = m g d / I about the pivot,
//   sin(θ/2) = k cn/dn(ω₀ t),  k = sin(θ₀/2),  period 4K/ω₀;  tension of a point mass: m g (3 cos θ − 2 cos θ₀).
#include <gtest/gtest.h>

#include <numbers>

#include "support/elliptic.hpp"
#include "support/run.hpp"

namespace aleator::core::test {
namespace ALEATOR_FILE {

constexpr double g = 9.81, pi = std::numbers::pi;

struct Swing {
  double amplitude, omega;
  double m() const { return std::pow(std::sin(amplitude / 2), 2); }
  double period() const { return 4 * elliptic_K(m()) / omega; }
  double angle(double t) const {
    const Jacobi j = jacobi(omega * t, m());
    return 2 * std::asin(std::sqrt(m()) * j.cn / j.dn);
  }
  double rate(double t) const {  // θ̇ = −2 k ω₀ √(1−m) sn/dn
    const Jacobi j = jacobi(omega * t, m());
    return -2 * omega * std::sqrt(m() * (1 - m())) * j.sn / j.dn;
  }
};

// Released from the horizontal, along x; gravity in −z, so that the angle about y goes from 0 to π.
std::string model(const std::string& body, double duration) {
  return "gravity: [0, 0, -9.81]\nbodies:\n  bob: " + body +
         "\njoints:\n  pin: {revolute: [ground, bob], axis: y, at: [0, 0, 0]}\n" +
         "outputs:\n  angle: {coordinate: pin}\n  rate: {rate: pin}\n  end: {position: bob, at: [1, 0, 0]}\n  pull: {reaction: "
         "pin}\n" +
         "simulation: {duration: " + text(duration) + ", output_step: " + text(duration / 100) + "}\n";
}

struct Expected {
  const char* integrator;
  double step, angle, force;  // errors allowed
};

// runge-kutta: h⁴ errors of 1e-12 over a period, and the constraints' regularisation (1e-11 of the multipliers).
// generalized-alpha: phase errors of a few (ω h)² over a period, 3e-5 here (convergence/ shows the order).
const Expected expected[] = {{"runge-kutta", 1e-3, 1e-9, 1e-7}, {"generalized-alpha", 1e-3, 4e-5, 1e-3}};

void expect_swings(const std::string& body, const Swing& swing) {
  const Model m = model_from(model(body, swing.period()));
  for (const Expected& e : expected) {
    SCOPED_TRACE(e.integrator);
    const Result r = run(m, {.integrator = e.integrator, .step = e.step});
    EXPECT_LT(largest_error(r, "angle", [&](double t) { return pi / 2 - swing.angle(t); }), e.angle);
    EXPECT_LT(largest_error(r, "end.x", [&](double t) { return std::sin(swing.angle(t)); }), e.angle);
    EXPECT_LT(largest_error(r, "rate", [&](double t) { return -swing.rate(t); }), 10 * e.angle);
    EXPECT_NEAR(r.last("angle"), 0, e.angle) << "after one period it is back";
  }
}

TEST(Pendulum, point_mass_from_the_horizontal) {
  const Swing swing{pi / 2, std::sqrt(g)};
  EXPECT_NEAR(swing.period(), 2.3678419, 1e-7);  // 2 √(l/g) Γ(¼)²/(2√π) …, the period of A01
  const std::string body = "{mass: 1, center_of_mass: [1, 0, 0], inertia: {xx: 0, yy: 0, zz: 0}}";
  expect_swings(body, swing);
  for (const Expected& e : expected) {
    SCOPED_TRACE(e.integrator);
    const Result r = run(model_from(model(body, swing.period())), {.integrator = e.integrator, .step = e.step});
    // The ground pulls the bob towards the pivot.
    EXPECT_LT(largest_error(r, "pull.z", [&](double t) { return 3 * g * std::cos(swing.angle(t)) * std::cos(swing.angle(t)); }),
              e.force);
    EXPECT_LT(largest_error(r, "pull.x", [&](double t) { return -3 * g * std::cos(swing.angle(t)) * std::sin(swing.angle(t)); }),
              e.force);
  }
}

TEST(Pendulum, rod) {  // I about the end: m (l² + h²)/12 + m l²/4
  const double inertia = (1 + 0.05 * 0.05) / 12 + 0.25;
  expect_swings("{shape: {box: [1, 0.05, 0.05]}, density: 7800, at: [0.5, 0, 0]}", {pi / 2, std::sqrt(0.5 * g / inertia)});
}

TEST(Pendulum, small_bob_on_a_long_arm) {
  const double r = 0.01;
  expect_swings("{shape: {sphere: {radius: 0.01}}, mass: 1, at: [1, 0, 0]}", {pi / 2, std::sqrt(g / (1 + 0.4 * r * r))});
}

TEST(Pendulum, nearly_over_the_top) {  // released 1° from the upper equilibrium: a parameter m close to 1
  const double amplitude = 179 * pi / 180;
  const Swing swing{amplitude, std::sqrt(g / 1.4)};
  const std::string place = "[" + text(std::sin(amplitude)) + ", 0, " + text(-std::cos(amplitude)) + "]";
  const Result r = run(model("{mass: 1, center_of_mass: " + place + ", inertia: {xx: 0.4, yy: 0.4, zz: 0.4}}", swing.period()),
                       {.integrator = "runge-kutta", .step = 1e-3});
  EXPECT_LT(largest_error(r, "angle", [&](double t) { return amplitude - swing.angle(t); }),
            1e-7);  // h⁴, grown by e^{ω t} near the top
}

}  // namespace ALEATOR_FILE
}  // namespace aleator::core::test
