// Steps of equal size, named with their integrator: what they make of energy is noticed.
#include <gtest/gtest.h>

#include <cmath>

#include "ensemble/ensemble.hpp"
#include "support/message_of.hpp"
#include "support/run.hpp"

namespace aleator::core::test {
namespace ALEATOR_FILE {

const char* const ball = R"(gravity: [0, 0, -9.81]
bodies:
  ball: {shape: {sphere: {radius: 0.01}}, mass: 1, at: [0, 0, 0.2]}
joints:
  guide: {prismatic: [ground, ball], axis: z, at: [0, 0, 0.2], stops: {lower: -0.2, stiffness: 1e7}}
outputs:
  z: {position: ball, component: z}
simulation: {duration: 0.5, step: 1e-3, integrator: )";

TEST(WatchedSteps, an_impact_that_makes_energy_fails) {
  for (const char* integrator : {"generalized-alpha", "runge-kutta"}) {
    SCOPED_TRACE(integrator);
    try {
      run(std::string(ball) + integrator + "}\n");
      FAIL() << "it gained energy";
    } catch (const SimulationError& e) {
      EXPECT_NE(std::string(e.what()).find("stops of joint 'guide'"), std::string::npos) << e.what();
      EXPECT_NEAR(e.time, 0.2019, 0.02) << "√(2 H/g), and the next output time";
    }
  }
}

// The same where the step is short enough: 1/20 of the contact, which lasts π √(m/k) = 1 ms.
TEST(WatchedSteps, a_resolved_impact_does_not) {
  for (const char* integrator : {"generalized-alpha, rho: 1", "runge-kutta", "radau"}) {
    const Result r = run(std::string(ball) + integrator + "}\n", {.step = 2e-5});
    EXPECT_GT(r.last("z"), 0) << integrator;
  }
}

// What is driven is watched as well: the same ball beside a shaker, and on a table that moves up at 0.1 m/s from 0.05 s on.
const char* const driven_ball = R"(gravity: [0, 0, -9.81]
bodies:
  ball: {shape: {sphere: {radius: 0.01}}, mass: 1, at: [0, 0, 0.2]}
  table: {shape: {box: [0.1, 0.1, 0.01]}, mass: 3, at: [0, 0, 0]}
  other: {shape: {box: [0.1, 0.1, 0.1]}, mass: 0.2, at: [1, 0, 0]}
joints:
  lift: {prismatic: [ground, table], axis: z, motion: {piecewise_linear: [[0, 0], [0.05, 0], [0.45, 0.04], [0.5, 0.04]]}}
  guide: {prismatic: [table, ball], axis: z, at: [0, 0, 0.2], stops: {lower: -0.2, stiffness: 1e7}}
  shaker: {prismatic: [ground, other], axis: x, motion: 0.05*sin(20*t), at: [1, 0, 0]}
outputs:
  z: {position: ball, component: z}
  W: {work: all}
  B: {energy_balance: all}
simulation: {duration: 0.5, step: 1e-3, integrator: )";

TEST(WatchedSteps, an_impact_that_makes_energy_fails_in_a_driven_model) {
  for (const char* integrator : {"generalized-alpha", "runge-kutta"}) {
    SCOPED_TRACE(integrator);
    try {
      run(std::string(driven_ball) + integrator + "}\n");
      FAIL() << "it gained energy";
    } catch (const SimulationError& e) {
      EXPECT_NE(std::string(e.what()).find("that no drive or load supplied"), std::string::npos) << e.what();
      EXPECT_NE(std::string(e.what()).find("stops of joint 'guide'"), std::string::npos) << e.what();
      EXPECT_NEAR(e.time, 0.194, 0.02) << "the table has come up to meet the ball";
    }
  }
}

// Resolved, the drives' work explains all that happens, jumps of their velocity included: 3 kg at 0.1 m/s are 0.015 J.
TEST(WatchedSteps, a_resolved_impact_does_not_in_a_driven_model) {
  for (const char* integrator : {"generalized-alpha, rho: 1", "runge-kutta", "radau"}) {
    SCOPED_TRACE(integrator);
    const Result r = run(std::string(driven_ball) + integrator + "}\n", {.step = 2e-5});
    EXPECT_GT(r.last("z"), 0);
    // Contact in 50 steps: order h² of a part of 2 J, and where it begins and ends in a step.
    EXPECT_LT(largest_error(r, "B", [](double) { return 0; }), 0.02);
    const double before = r.at("W", 0.045), after = r.at("W", 0.055), jump = 0.5 * 3 * 0.01;
    const double shaken = 0.5 * 0.2 * (std::pow(std::cos(1.1), 2) - std::pow(std::cos(0.9), 2));  // 0.05 · 20 = 1 m/s
    EXPECT_NEAR(after - before, jump + 3 * 9.81 * 0.1 * 0.005 + shaken, 1e-5);  // order h² of generalized-alpha
  }
}

// The same in lanes: realizations that make energy fail there, and again alone; those on a soft stop do not.
TEST(WatchedSteps, an_impact_in_lanes_of_a_driven_model) {
  std::string text = "parameters: {digits: 7}\n" + std::string(driven_ball) + "runge-kutta}\n";
  text += "uncertain:\n  digits: {uniform: {lower: 3, upper: 7}}\n";
  text.replace(text.find("stiffness: 1e7"), 14, "stiffness: 10^digits");
  const Model model = model_from(text);
  const RandomModel random(model);
  const Plan plan{16, 0};
  int failed = 0, good = 0;
  Ensemble(model, random, plan, 1).run({.threads = 1, .smaller_steps = false}, [&](SimulatedRow&& r) {
    const double resolution = 1e-3 * std::sqrt(std::pow(10, r.sample[0]));  // hω; a twentieth of the contact is 0.16
    EXPECT_FALSE(resolution < 0.15 && (!r.ok || r.tried_alone > 0)) << resolution << r.why;
    EXPECT_FALSE(resolution > 1.5 && r.ok) << resolution;
    failed += !r.ok, good += r.ok;
    EXPECT_TRUE(r.ok || r.why.find("that no drive or load supplied") != std::string::npos) << r.why;
  });
  EXPECT_GT(failed, 0);
  EXPECT_EQ(failed + good, 16);
}

// A damped stop, struck at 2 m/s by 1 kg: the contact lasts π √(m/k) = 3 ms. Steps of 3 ms lose or make energy which the damper did not take (generalized-alpha makes so much that it
// fails, and is tried with 1 ms); those of 20 µs, and adapted ones, do not.
TEST(WatchedSteps, an_energy_balance_that_is_off_is_told) {
  std::string text = std::string(ball) + "INTEGRATOR}\n";
  text.replace(text.find("stiffness: 1e7"), 14, "stiffness: 1e6, damping: 0.3");
  text.replace(text.find("outputs:"), 8, "outputs:\n  B: {energy_balance: all}");
  const auto with = [&](const std::string& integrator) {
    std::string t = text;
    return t.replace(t.find("INTEGRATOR"), 10, integrator);
  };
  for (const char* integrator : {"generalized-alpha", "radau", "runge-kutta"}) {
    SCOPED_TRACE(integrator);
    const Trajectory::Energy fine = run(with(integrator), {.step = 2e-5}).trajectory.energy;
    EXPECT_EQ(fine.off, 0);
    const Result r = run(with(integrator), {.step = std::string(integrator) == "generalized-alpha" ? 1e-3 : 3e-3});
    const Trajectory::Energy& e = r.trajectory.energy;
    EXPECT_GT(std::abs(e.off), 0.05 * e.kinetic);
    EXPECT_GE(e.off_at, 0.2019 - 3e-3) << "from the impact on";
  }
  std::string adapted = with("auto");
  EXPECT_EQ(run(adapted).trajectory.energy.off, 0);
}

// What is unstable is told as such, whatever notices it first: here energy, in the second step.
TEST(WatchedSteps, a_cable_that_is_too_stiff_for_an_explicit_method) {
  for (const char* integrator : {"dormand-prince", "runge-kutta", "adams-bashforth"}) {
    const std::string said = message_of<SimulationError>([&] {
      run("gravity: [0, 0, -9.81]\nbodies:\n  rope: {cable: [[0, 0, 0], [2, 0, 0]], elements: 8, section: {circle: {radius: "
          "0.005}}, "
          "E: 1e9, nu: 0.3, density: 1000}\njoints:\n  left: {spherical: [ground, rope], at: [0, 0, 0]}\n"
          "  right: {spherical: [ground, rope], at: [2, 0, 0]}\noutputs:\n  mid: {position: rope, at: [1, 0, 0]}\n"
          "simulation: {duration: 0.1, step: 1e-3, output_step: 1e-3}\n",
          {.integrator = integrator});
    });
    EXPECT_NE(said.find("too long for the fastest motion, with an explicit method"), std::string::npos) << said;
    EXPECT_EQ(said.find("contradict"), std::string::npos) << said;
  }
}

// Oscillators on a shaken ground: ω² = k/m, and runge-kutta is unstable beyond hω = 2.83. With a quarter of the step,
// which is tried then, that is hω = 11.3. What cannot be computed fails; nothing huge is delivered.
TEST(WatchedSteps, an_unstable_realization_is_retried_or_fails) {
  const Model model = model_from(
      "parameters: {k: 100}\nbodies:\n  base: {shape: {box: [1, 1, 1]}, mass: 1}\n  mass: {shape: {box: [1, 1, 1]}, mass: 1, at: "
      "[3, 0, 0]}\n"
      "joints:\n  shaker: {prismatic: [ground, base], axis: x, motion: 0.01*sin(20*t)}\n"
      "  guide: {prismatic: [base, mass], axis: x, spring: {stiffness: k}}\n"
      "outputs:\n  x: {displacement: mass, component: x}\nsimulation: {duration: 1, step: 1e-3, integrator: runge-kutta}\n"
      "uncertain:\n  k: {uniform: {lower: 1e2, upper: 3e8}}\n");
  const RandomModel random(model);
  const Plan plan{40, 0};
  int failed = 0, retried = 0;
  Ensemble(model, random, plan, 1).run({.threads = 1}, [&](SimulatedRow&& r) {
    const double z = 1e-3 * std::sqrt(r.sample[0]);
    failed += !r.ok, retried += r.ok && r.tried_alone > 0;
    const bool stable = z<2.7, with_a_quarter = z> 2.9 && z < 11.2;
    EXPECT_TRUE(!stable || (r.ok && r.tried_alone == 0)) << z << r.why;
    EXPECT_TRUE(!with_a_quarter || (r.ok && r.tried_alone == 2)) << z << r.why;
    EXPECT_FALSE(z > 11.5 && r.ok) << z;
    for (const double x : r.values) ASSERT_LT(std::abs(x), 1) << "0.01 m of the ground, and resonance";
  });
  EXPECT_GT(failed, 0);
  EXPECT_GT(retried, 0);
}

}  // namespace ALEATOR_FILE
}  // namespace aleator::core::test
