// Laws in free directions and of springs: oscillators with damping, stops, friction, tables, one-sided springs, actuators.
#include <gtest/gtest.h>

#include <complex>
#include <functional>

#include "numerics/dense.hpp"
#include "support/linear_algebra.hpp"
#include "support/run.hpp"

namespace aleator::core::test {
namespace ALEATOR_FILE {

// A mass of 2 kg that slides along x, with fields of the joint (or of a spring) to be tested.
std::string slider(const std::string& fields, const std::string& velocity, const std::string& simulation,
                   const std::string& forces = "") {
  return "bodies:\n  mass: {shape: {box: [0.1, 0.1, 0.1]}, mass: 2, at: [0, 0, 0], velocity: [" + velocity + ", 0, 0]}\n" +
         "joints:\n  slide: {prismatic: [ground, mass], axis: x, at: [0, 0, 0]" + (fields.empty() ? "" : ", " + fields) + "}\n" +
         forces +
         "outputs:\n  x: {coordinate: slide}\n  v: {rate: slide}\n  a: {acceleration: mass, component: x}\n  energy: {energy: "
         "all}\nsimulation: {" +
         simulation + "}\n";
}

// Two masses in a row, M ẍ + C ẋ + K x = 0: y(t) = V e^{Λt} V⁻¹ y(0) of the first-order system.
TEST(Laws, two_masses_with_springs_and_dampers) {
  const double m1 = 2, m2 = 3, k1 = 50, k2 = 80, c1 = 0.7, c2 = 1.1;
  Eigen::MatrixXd A(4, 4);
  A << 0, 0, 1, 0, 0, 0, 0, 1, -(k1 + k2) / m1, k2 / m1, -(c1 + c2) / m1, c2 / m1, k2 / m2, -k2 / m2, c2 / m2, -c2 / m2;
  const dense::GeneralEigen eigen = dense::general_eigen(A);
  const Eigen::VectorXcd start = solve_complex(eigen.vectors, Eigen::Vector4cd(0.1, -0.05, 0, 0.4));
  const auto y = [&](double t, int i) {
    return (eigen.vectors.row(i).transpose().array() * (eigen.values * t).array().exp() * start.array()).sum().real();
  };
  const std::string model = R"(
bodies:
  one: {mass: 2, center_of_mass: [1, 0, 0], inertia: {xx: 0.1, yy: 0.1, zz: 0.1}}
  two: {mass: 3, center_of_mass: [2, 0, 0], inertia: {xx: 0.1, yy: 0.1, zz: 0.1}, velocity: [0.4, 0, 0]}
joints:
  first: {prismatic: [ground, one], axis: x, at: [1, 0, 0], spring: {stiffness: 50, rest: -0.1}, damper: 0.7}
  second: {prismatic: [one, two], axis: x, at: [2, 0, 0], spring: {stiffness: 80, rest: 0.15}, damper: 1.1}
outputs:
  x1: {coordinate: first}
  x2: {position: two, component: x}
  v2: {velocity: two, component: x}
simulation: {duration: 3, step: 1e-3}
)";  // at rest when the joints read −0.1 and 0.15: x₁ = 0.1 and x₂ = −0.05 beyond that as drawn
  struct Way {
    const char* integrator;
    double error;
  };
  // Truncation with ω up to 9 rad/s: (ω h)⁴/120 and (ω h)²/12 and damping of the method, over 25 rad, of 0.1 m
  for (const Way way : {Way{"runge-kutta", 1e-10}, Way{"generalized-alpha", 1e-4}}) {
    SCOPED_TRACE(way.integrator);
    const Result r = run(model, {.integrator = way.integrator});
    EXPECT_LT(largest_error(r, "x1", [&](double t) { return -0.1 + y(t, 0); }), way.error);
    EXPECT_LT(largest_error(r, "x2", [&](double t) { return 2.05 + y(t, 1); }), way.error);
    EXPECT_LT(largest_error(r, "v2", [&](double t) { return y(t, 3); }), 10 * way.error);
  }
}

// Preload: k (x − rest) + preload pulls back, so that it oscillates about rest − preload/k.
TEST(Laws, spring_with_rest_and_preload) {
  const Result r =
      run(slider("spring: {stiffness: 50, rest: 0.3, preload: 5}", "0", "duration: 3, step: 1e-3, integrator: runge-kutta"));
  EXPECT_LT(largest_error(r, "x", [](double t) { return 0.2 - 0.2 * std::cos(5 * t); }), 1e-10);
  EXPECT_LT(largest_error(r, "energy", [](double) { return 0.5 * 50 * 0.09 - 5 * 0.3; }), 1e-9);
}

// Free flight to the stop, half a sine in it, free flight back with the opposite velocity.
TEST(Laws, elastic_stop_gives_all_energy_back) {
  const double v = 1.5, omega = std::sqrt(800 / 2.0), t1 = 0.3 / v, t2 = t1 + std::acos(-1.0) / omega;
  const auto x = [&](double t) {
    return t < t1 ? v * t : t < t2 ? 0.3 + v / omega * std::sin(omega * (t - t1)) : 0.3 - v * (t - t2);
  };
  for (const std::string side : {"upper", "lower"}) {
    SCOPED_TRACE(side);
    const double sign = side == "upper" ? 1 : -1;
    const std::string fields =
        side == "upper" ? "stops: {upper: 0.3, stiffness: 800}" : "stops: {lower: -0.3, upper: 5, stiffness: 800}";
    const Result r = run(slider(fields, text(sign * v), "duration: 0.6, step: 1e-4, integrator: runge-kutta"));
    // The rate of acceleration jumps by v ω² inside a step: v is off by up to v ω² h²/8 = 7e-7 m/s at each of two passages
    EXPECT_LT(largest_error(r, "x", [&](double t) { return sign * x(t); }), 2e-7);
    EXPECT_NEAR(r.last("v"), -sign * v, 1e-6);
    EXPECT_LT(largest_error(r, "energy", [&](double) { return v * v; }), 1e-6);
  }
}

// k d (1 + c ḋ): with v = ḋ,  m v dv/dd = −k d (1 + c v), so that  v/c − ln(1 + c v)/c²  is the same at entry and exit.
TEST(Laws, damped_stop_restitution) {
  const double c = 0.4, v0 = 1.5;
  const auto F = [&](double v) { return v / c - std::log(1 + c * v) / (c * c); };
  double low = -1 / c + 1e-9, high = 0;  // F falls for v < 0: bisection
  for (int i = 0; i < 200; ++i) {
    const double middle = 0.5 * (low + high);
    (F(middle) > F(v0) ? low : high) = middle;
  }
  const Result r = run(
      slider("stops: {upper: 0.3, stiffness: 800, damping: 0.4}", "1.5", "duration: 0.6, step: 1e-4, integrator: runge-kutta"));
  EXPECT_NEAR(r.last("v"), low, 1e-6);  // kinks inside steps, as above
  EXPECT_GT(r.last("v"), -1.2) << "slower than it came";
}

// m v̇ = −F tanh(v/v_c):  sinh(v/v_c) = sinh(v₀/v_c) e^{−F t/(m v_c)}; the distance tends to v₀²/(2F/m) for small v_c.
TEST(Laws, friction_stops_a_slide) {
  const double vc = 0.05, v0 = 1, F = 3;
  const auto v = [&](double t) { return vc * std::asinh(std::sinh(v0 / vc) * std::exp(-F * t / (2 * vc))); };
  const Result r = run(slider("friction: {force: 3, velocity: 0.05}", "1", "duration: 1, step: 2e-4, integrator: runge-kutta"));
  EXPECT_LT(largest_error(r, "v", v), 1e-9);              // F h/(m v_c) = 6e-3: fourth power 1e-9, over a few steps
  EXPECT_NEAR(r.last("x"), v0 * v0 / (2 * F / 2), 2e-3);  // ∫ of the tail: about v_c² m/F (π²/24)
  const Result ga = run(slider("friction: {force: 3, velocity: 0.05}", "1", "duration: 1, step: 2e-4"));
  EXPECT_LT(largest_error(ga, "v", v), 1e-5);
}

TEST(Laws, actuator_and_sine) {
  const Result constant = run(slider("actuator: 5", "0.2", "duration: 1, step: 1e-2"));
  EXPECT_LT(largest_error(constant, "x", [](double t) { return 0.2 * t + 1.25 * t * t; }), 1e-13);
  const Result sine = run(
      slider("actuator: {sine: {amplitude: 6, angular_frequency: 4}}", "0", "duration: 2, step: 1e-3, integrator: runge-kutta"));
  EXPECT_LT(largest_error(sine, "x", [](double t) { return 3.0 / 4 * t - 3.0 / 16 * std::sin(4 * t); }), 1e-12);
  EXPECT_LT(largest_error(sine, "a", [](double t) { return 3 * std::sin(4 * t); }), 1e-11);
}

// A force that jumps: the integrator lands on the jump, so nothing is lost.
TEST(Laws, actuator_that_jumps) {
  const Result r = run(slider("actuator: {expression: {value: 't < 0.3337 ? 0 : 4', breakpoints: [0.3337]}}", "0",
                              "duration: 1, step: 1e-2, output_step: 1e-2"));
  EXPECT_LT(largest_error(r, "x", [](double t) { return t < 0.3337 ? 0 : std::pow(t - 0.3337, 2); }), 1e-13);
  EXPECT_LT(largest_error(r, "a", [](double t) { return t < 0.3337 ? 0 : 2; }), 1e-12);
}

// The tension of a spring between points while its length is prescribed: tables, one side, preload.
TEST(Laws, tables_and_one_sided_springs) {
  const std::string table = "characteristic: [[-0.2, -3], [0, 0], [0.1, 4], [0.3, 5]]";
  const auto from_table = [](double x) { return x < 0 ? 15 * x : x < 0.1 ? 40 * x : 4 + 5 * (x - 0.1); };  // the ends go on
  struct Case {
    std::string law;
    std::function<double(double x, double v)> expected;
  };
  const std::vector<Case> cases = {
      {table, [&](double x, double) { return from_table(x); }},
      {table + ", stiffness: 10, preload: 2", [&](double x, double) { return from_table(x) + 10 * x + 2; }},
      {"stiffness: 10, one_sided: tension", [](double x, double) { return x > 0 ? 10 * x : 0; }},
      {"stiffness: 10, damping: 3, one_sided: compression", [](double x, double v) { return x < 0 ? 10 * x + 3 * v : 0; }},
      {"damping_characteristic: [[-1, -8], [0, 0], [1, 2]]", [](double, double v) { return v < 0 ? 8 * v : 2 * v; }},
      {"stiffness: 10, length: 0.9", [](double x, double) { return 10 * (x + 0.1); }},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.law);
    const std::string model =
        slider("motion: {sine: {amplitude: 0.5, frequency: 1}}", "0", "duration: 1, step: 5e-3, integrator: runge-kutta",
               "forces:\n  spring: {spring_damper: [ground, mass], points: [[-1, 0, 0], [0, 0, 0]], " + c.law + "}\n");
    std::string with_output = model;
    with_output.insert(with_output.find("simulation:"), "  pull: {tension: spring}\n  on: {force: spring}\n");
    const Result r = run(with_output);
    const double w = 2 * std::acos(-1.0);
    const auto expected = [&](double t) { return c.expected(0.5 * std::sin(w * t), 0.5 * w * std::cos(w * t)); };
    // Where sin or cos passes zero at an output time its sign is a matter of round-off, and so is that of a one-sided damper: skip those
    const std::vector<double> pull = r.channel("pull"), on = r.channel("on.x");
    for (size_t k = 0; k < pull.size(); ++k) {
      if (std::abs(std::sin(w * r.times[k])) < 1e-9) continue;
      EXPECT_NEAR(pull[k], expected(r.times[k]), 1e-10);
      EXPECT_NEAR(on[k], -expected(r.times[k]), 1e-10) << "tension pulls the second body back";
    }
  }
}

}  // namespace ALEATOR_FILE
}  // namespace aleator::core::test
