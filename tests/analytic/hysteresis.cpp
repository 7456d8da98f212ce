// Bouc–Wen hysteresis: loops in closed form, free vibration against an independent integration, and its limits.
#include <gtest/gtest.h>

#include <cmath>

#include "dynamics/ida.hpp"
#include "support/statics_mechanism.hpp"

namespace aleator::core::test {
namespace ALEATOR_FILE {

// m = 1, c = 0.3, k = 9, β = 2, γ = 1, n = 2.
std::string oscillator(const std::string& law, const std::string& more, const std::string& simulation) {
  return "bodies: {m: {mass: 1, inertia: {xx: 1, yy: 1, zz: 1}, velocity: [3, 0, 0]}}\n"
         "joints: {slide: {prismatic: [ground, m], axis: x, hysteresis: {" +
         law + "}, " + more +
         "}}\n"
         "outputs:\n"
         "  x: {coordinate: slide}\n"
         "  v: {rate: slide}\n"
         "  z: {hysteretic_displacement: slide}\n"
         "  f: {hysteretic_force: slide}\n"
         "  E: {dissipated_energy: slide}\n"
         "  D: {dissipated_energy: all}\n"
         "  B: {energy_balance: all}\n"
         "simulation: {" +
         simulation + "}\n";
}
const std::string of_the_case = "stiffness: 9, beta: 2, gamma: 1, exponent: 2";

struct Case {
  const char* integrator;
  double error;
};

// x = sin 2t. On the way up dz/dx = 1 + z² for z < 0 and 1 − 3z² for z > 0, so that the loop from −Z to Z and back has
//   atan Z + artanh(√3 Z)/√3 = 2,        ∮ k z dx = −k [ ln(1 + Z²) + ln(1 − 3Z²)/3 ].
// A loop forgets 99 % of the one before.
TEST(Hysteresis, loop_of_a_prescribed_sine) {
  const double pi = std::acos(-1.0), Z = 0.5705725226835919, loop = 8.736165226089941;
  ASSERT_NEAR(std::atan(Z) + std::atanh(std::sqrt(3) * Z) / std::sqrt(3), 2, 1e-13);
  ASSERT_NEAR(-9 * (std::log(1 + Z * Z) + std::log(1 - 3 * Z * Z) / 3), loop, 1e-12);
  std::string text =
      oscillator(of_the_case, "motion: sin(2*t)",
                 "duration: " + std::to_string(6 * pi) + ", output_step: " + std::to_string(pi / 4) + ", step: 2e-3");
  text.replace(text.find(", velocity: [3, 0, 0]"), 21, "");
  // Steps across the reversals: |ẋ| has a kink there, so that each leaves an error of h², whatever the method.
  for (const auto& [integrator, error] :
       {Case{"runge-kutta", 3e-5}, {"radau", 3e-5}, {"generalized-alpha", 2e-4}, {"dormand-prince", 1e-4}}) {
    const Result r = run(model_from(text), {.integrator = integrator});
    const std::vector<double> E = r.channel("E"), z = r.channel("z");
    for (size_t k = 17; k < E.size(); k += 4)  // x = 1
      EXPECT_NEAR(E[k] - E[k - 4], loop, error * loop) << integrator << " " << k;
    EXPECT_NEAR(z[21], Z, 1e-3 * Z) << integrator;
    EXPECT_NEAR(r.last("D"), r.last("E"), error * r.last("E")) << integrator;
    EXPECT_LT(largest_error(r, "B", [](double) { return 0; }), error * r.last("E")) << integrator;
  }
}

// scipy 1.10's DOP853 with rtol 1e-13, stopped and started again at each v = 0 (α = 0.1): x, v, z, E.
TEST(Hysteresis, free_vibration) {
  const struct {
    double t, x, v, z, E;
  } reference[] = {{1, 0.781126570802, -1.459852315507, 0.204009497251, 2.180846580862},
                   {3, 0.638104195459, -0.550884982788, 0.200486776184, 2.699917327924},
                   {5, 0.559875764566, -0.191621801172, 0.149939217138, 2.769160287960},
                   {10, 0.278993972620, -0.109889988787, -0.114612916895, 2.792551519731}};
  const Model m = model_from(
      oscillator(of_the_case + ", post_yield_ratio: 0.1", "damper: 0.3", "duration: 10, output_step: 1, step: 1e-3, rho: 0.9"));
  std::vector<Case> cases = {{"runge-kutta", 3e-7}, {"radau", 3e-7}, {"generalized-alpha", 1e-5}, {"dormand-prince", 2e-5}};
  if (have_ida()) cases.push_back({"ida", 1e-5});  // its tolerance is 1e-8
  for (const auto& [integrator, error] : cases) {
    const Result r = run(m, {.integrator = integrator});
    for (const auto& p : reference) {
      EXPECT_NEAR(r.at("x", p.t), p.x, error) << integrator << " " << p.t;
      EXPECT_NEAR(r.at("v", p.t), p.v, error) << integrator << " " << p.t;
      EXPECT_NEAR(r.at("z", p.t), p.z, error) << integrator << " " << p.t;
      EXPECT_NEAR(r.at("E", p.t), p.E, error) << integrator << " " << p.t;
    }
    EXPECT_LT(largest_error(r, "B", [](double) { return 0; }), 2e-5) << integrator;  // generalized-alpha: h²
  }
}

// γ > β gives back more than it stored. That is supplied, not made by time stepping.
TEST(Hysteresis, that_supplies_energy_raises_no_alarm) {
  for (const char* law : {"stiffness: 9, beta: 1, gamma: 2", "stiffness: 9, beta: 0.5, gamma: 2.5, exponent: 2"})
    for (const char* integrator : {"runge-kutta", "radau", "generalized-alpha"}) {
      const Result r =
          run(oscillator(law, "damper: 0", "duration: 20, output_step: 0.1, step: 2e-3, integrator: " + std::string(integrator)));
      EXPECT_LT(largest_error(r, "B", [](double) { return 0; }), 1e-2) << law << " " << integrator;  // of 4.5 J
    }
}

// What is too long for it is noticed, and named.
TEST(Hysteresis, a_step_that_is_too_long) {
  try {
    run(oscillator("stiffness: 9e4, yield_displacement: 1e-3", "damper: 0", "duration: 1, step: 0.02, integrator: runge-kutta"));
    FAIL() << "three yield displacements in a step";
  } catch (const SimulationError& e) {
    EXPECT_NE(std::string(e.what()).find("hysteresis of joint 'slide'"), std::string::npos) << e.what();
  }
}

// A load that sets in: integrators begin again there, z goes on.
TEST(Hysteresis, goes_on_at_breakpoints) {
  const auto with = [](const std::string& simulation) {
    return run(oscillator(of_the_case, "actuator: {piecewise_linear: [[0, 0], [0.3, 0], [0.3001, -8], [1, -8], [1.1, 5]]}",
                          "duration: 2, output_step: 0.1, " + simulation));
  };
  const Result fine = with("integrator: runge-kutta, step: 1e-4");
  for (const char* simulation :
       {"integrator: radau, step: 1e-3", "integrator: generalized-alpha, step: 2e-4", "tolerance: 1e-7"}) {
    const Result r = with(simulation);
    for (const char* name : {"x", "z", "E"})
      for (size_t k = 0; k < r.times.size(); ++k)
        EXPECT_NEAR(r.channel(name)[k], fine.channel(name)[k], 2e-4) << simulation << name;
  }
}

// α = 1, and β = γ = 0: a spring. A = 2 makes the latter twice as stiff.
TEST(Hysteresis, of_a_spring) {
  const struct {
    const char* law;
    double omega;
  } cases[] = {{"stiffness: 9, post_yield_ratio: 1, yield_force: 1", 3},
               {"stiffness: 9, beta: 0, gamma: 0", 3},
               {"stiffness: 9, beta: 0, gamma: 0, A: 2, post_yield_ratio: 0.5", std::sqrt(13.5)}};
  for (const auto& c : cases) {
    const double w = c.omega;
    const Result r = run(oscillator(c.law, "damper: 0", "duration: 3, output_step: 0.1, step: 1e-3, integrator: runge-kutta"));
    EXPECT_LT(largest_error(r, "x", [&](double t) { return 3 / w * std::sin(w * t); }), 1e-10) << c.law;  // (hω)⁴
    EXPECT_LT(largest_error(r, "f", [&](double t) { return 3 * w * std::sin(w * t); }), 1e-9) << c.law;
    EXPECT_EQ(largest_error(r, "E", [](double) { return 0; }), 0) << c.law;
  }
}

// A large exponent: elastic up to the yield force, and constant beyond; back along the elastic line. |z|ⁿ rounds the corner off by ln 2/n.
TEST(Hysteresis, elastic_perfectly_plastic) {
  std::string text = oscillator("stiffness: 9, yield_force: 3, exponent: 400", "motion: 2*t - t^2",
                                "duration: 1.5, output_step: 0.01, step: 1e-3, integrator: radau");
  text.replace(text.find("[3, 0, 0]"), 9, "[2, 0, 0]");
  const Result r = run(text);
  const auto exact = [](double t) {
    const double x = 2 * t - t * t;
    return t < 1 ? std::min(9 * x, 3.0) : 3 - 9 * (1 - x);
  };
  EXPECT_LT(largest_error(r, "f", exact), 3 * std::log(2) / 400);
  EXPECT_LT(r.last("f"), 1);
}

// The stiffness before yielding; with z at t = 0 that of loading and unloading, averaged.
TEST(Hysteresis, modes_have_the_stiffness_before_yielding) {
  Mechanism m(oscillator(of_the_case + ", post_yield_ratio: 0.1", "damper: 0.3", "duration: 1"));
  const std::vector<Mode> all = modes(m.assembly, m.start);
  ASSERT_EQ(all.size(), 1u);
  EXPECT_NEAR(all[0].frequency, 3 / (2 * std::acos(-1.0)), 1e-11);
  EXPECT_NEAR(all[0].damping_ratio, 0.05, 1e-11);
}

// z stays what it was: a weight hangs on the stiffness after yielding.
TEST(Hysteresis, equilibrium_keeps_z) {
  Mechanism m("gravity: [-9, 0, 0]\n" + oscillator("stiffness: 9, post_yield_ratio: 0.5, yield_displacement: 1, initial: 0.4",
                                                   "damper: 0.3", "duration: 1"));
  const Equilibrium e = equilibrium(m.assembly, m.start);
  EXPECT_TRUE(e.stable);
  EXPECT_NEAR(e.state.positions[0], -(9 + 4.5 * 0.4) / 4.5, 1e-9);
  EXPECT_EQ(e.state.velocities[6], 0.4);
}

// Along an axis, as a bushing and in a joint: the same force, and the same as seen from the second body.
TEST(Hysteresis, is_the_same_in_joints_bushings_and_forces) {
  const std::string law = "stiffness: 9, post_yield_ratio: 0.1, yield_force: 2, exponent: 1.7";
  const std::string body = "bodies: {m: {mass: 1, inertia: {xx: 1, yy: 1, zz: 1}, at: [0.5, 0, 0], velocity: [3, 0, 0]}}\n",
                    more =
                        "  x: {position: m, component: x}\n"
                        "simulation: {duration: 2, output_step: 0.1, step: 1e-3, integrator: runge-kutta}\n",
                    all = "outputs:\n  z: {hysteretic_displacement: it}\n  E: {dissipated_energy: it}\n",
                    rail = "joints: {rail: {prismatic: [ground, m], axis: x}}\n";
  const Result joint =
      run(body + "joints: {it: {prismatic: [ground, m], axis: x, damper: 0.2, hysteresis: {" + law + "}}}\n" + all + more);
  const std::string of_force = "  F: {force: it, component: x}\n";
  for (const std::string& force :
       {"{bushing: [ground, m], at: [0.5, 0, 0], damping: [0.2, 0, 0], hysteresis: {x: {" + law + "}}}",
        "{bouc_wen: [ground, m], points: [[0.5, 0, 0], [0.5, 0, 0]], axis: x, damping: 0.2, " + law + "}",
        "{bouc_wen: [ground, m], points: [[-9, 0, 0], [0.5, 0, 0]], damping: 0.2, " + law + "}"}) {
    const Result r = run(body + rail + "forces:\n  it: " + force + "\n" + all + of_force + more);
    for (const char* name : {"x", "z", "E"})
      for (size_t k = 0; k < joint.times.size(); ++k)
        EXPECT_NEAR(r.channel(name)[k], joint.channel(name)[k], 1e-12) << force << " " << name;
    EXPECT_NEAR(r.at("F", 0), -0.2 * 3, 1e-12) << force;
    // of the second body's velocity, by differences over 0.1 s of a motion with ω = 3
    EXPECT_NEAR(r.at("F", 1), (r.at("x", 1.1) - 2 * r.at("x", 1) + r.at("x", 0.9)) / 0.01, 0.2) << force;
  }
}

}  // namespace ALEATOR_FILE
}  // namespace aleator::core::test
