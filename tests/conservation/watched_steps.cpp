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

// Oscillators on a shaken ground, so that energy is not watched: ω² = k/m, and runge-kutta is unstable beyond hω = 2.83. With a quarter of the step,
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
