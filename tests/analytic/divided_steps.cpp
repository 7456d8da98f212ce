// Steps of equal size of the implicit integrators, where Newton's iteration has a hard time: friction, and loads that set in at once. Such steps
// are done with a line search, then in parts.
#include <gtest/gtest.h>

#include <cmath>

#include "ensemble/ensemble.hpp"
#include "support/run.hpp"

namespace aleator::core::test {
namespace ALEATOR_FILE {

const char* const integrators_with_steps[] = {"generalized-alpha", "radau"};

// A kilogram at 1 m/s stops after v²/(2 F/m) = 0.05 m. In the step in which it stops the force is wrong for as long as a step: ½ (F/m) h² = 5e-6 m.
TEST(DividedSteps, friction_stops_a_mass_where_it_should) {
  for (const char* integrator : integrators_with_steps) {
    const Result r =
        run("bodies:\n  m: {shape: {box: [0.1, 0.1, 0.1]}, mass: 1, velocity: [1, 0, 0]}\n"
            "joints:\n  guide: {prismatic: [ground, m], axis: x, friction: {force: 10}}\n"
            "outputs:\n  x: {position: m, component: x}\nsimulation: {duration: 0.2, step: 1e-3}\n",
            {.integrator = integrator});
    EXPECT_NEAR(r.last("x"), 0.05, 5e-6) << integrator;
  }
}

// A steel cantilever of 50 elements, loaded at once by 10 N: as in impacts.cpp, after 0.1 s. The step of 1 ms has the first mode (2π/ω = 0.12 s) and
// passes over those from the third on, whose part is (β₁/β₃)⁴ = 0.3 %; generalized-alpha delays the second (0.3 rad per step, 2.5 % of
// the amplitude) by (ωh)²/12 · ωt = 0.25 rad, which is 0.6 %.
TEST(DividedSteps, a_sudden_load_on_a_fine_beam) {
  const double mass = 7850 * 1e-4, rate = std::sqrt(2.1e11 * 1e-8 / 12 / mass);
  const auto tip = [&](double t) {
    double sum = 0;
    for (int i = 1; i <= 30; ++i) {
      const double beta = i == 1 ? 1.875104069 : i == 2 ? 4.694091133 : (i - 0.5) * M_PI, omega = beta * beta * rate;
      sum += (1 - std::cos(omega * t)) / (omega * omega);
    }
    return -4 * 10 / mass * sum;
  };
  for (const char* integrator : integrators_with_steps) {
    const Result r = run(
        "plane: xy\nbodies:\n  b: {beam: [[0, 0], [1, 0]], elements: 50, section: {rectangle: {height: 0.01, width: 0.01}}, "
        "E: 2.1e11, nu: 0.3, density: 7850}\njoints:\n  clamp: {fixed: [ground, b], at: [0, 0]}\n"
        "forces:\n  load: {force: b, at: [1, 0], value: [0, -10]}\noutputs:\n  tip: {displacement: b, at: [1, 0], component: y}\n"
        "simulation: {duration: 0.1, step: 1e-3, output_step: 1e-2}\n",
        {.integrator = integrator});
    EXPECT_LT(largest_error(r, "tip", tip), 0.01 * 0.038) << integrator << ": of twice the static deflection, 2 P l³/(3EI)";
  }
}

// Forty links with friction, hanging from one end, fall from a straight line.
std::string links(int count) {
  std::string bodies, joints;
  for (int i = 0; i < count; ++i) {
    const std::string n = std::to_string(i);
    bodies += "  l" + n + ": {shape: {box: [0.1, 0.02, 0.02]}, mass: 0.1, at: [" + text(0.05 + 0.1 * i) + ", 0]}\n";
    joints += "  j" + n + ": {revolute: [" + (i == 0 ? "ground" : "l" + std::to_string(i - 1)) + ", l" + n + "], at: [" +
              text(0.1 * i) + ", 0], friction: {force: 0.5}}\n";
  }
  return "plane: xy\ngravity: [0, -9.81]\nbodies:\n" + bodies + "joints:\n" + joints + "outputs:\n  tip: {position: l" +
         std::to_string(count - 1) + ", component: y}\nsimulation: {duration: 0.15, step: 1e-3, output_step: 5e-3}\n";
}

// Against steps that are adapted to their error. Joints of the chain stick and slip; a fixed step places these moments within ± h, where accelerations of
// about g change: ½ g h² = 5e-6 m for each of some hundred such moments.
TEST(DividedSteps, links_with_friction) {
  const Model model = model_from(links(40));
  const std::vector<double> reference = run(model).channel("tip");
  long divided = 0;
  for (const char* integrator : integrators_with_steps) {
    const Result r = run(model, {.integrator = integrator});
    const std::vector<double> y = r.channel("tip");
    for (size_t k = 0; k < y.size(); ++k) ASSERT_NEAR(y[k], reference[k], 5e-4) << integrator << " at " << r.times[k];
    divided += r.trajectory.adapted.reduced;
    EXPECT_EQ(r.trajectory.steps, 150) << "the grid is as named";
    EXPECT_GE(r.trajectory.adapted.smallest, r.trajectory.adapted.reduced > 0 ? 1e-3 / 64 : 0) << integrator;
  }
  EXPECT_GT(divided, 0);
}

// A realization that fails in its lane is computed alone with the same step, and that is enough: no second attempt with a quarter of it.
TEST(DividedSteps, a_lane_that_fails_is_done_again_with_the_same_step) {
  const Model model = model_from(
      "parameters: {F: 10}\nbodies:\n  m: {shape: {box: [0.1, 0.1, 0.1]}, mass: 1, velocity: [1, 0, 0]}\n"
      "joints:\n  guide: {prismatic: [ground, m], axis: x, friction: {force: F}}\n"
      "outputs:\n  x: {position: m, component: x}\nsimulation: {duration: 0.2, step: 1e-3, integrator: generalized-alpha}\n"
      "uncertain:\n  F: {uniform: {lower: 8, upper: 30}}\n");
  const RandomModel random(model);
  const Ensemble ensemble(model, random, {24, 0}, 1);
  ensemble.run({.threads = 1}, [&](SimulatedRow&& r) {
    ASSERT_TRUE(r.ok) << r.why;
    EXPECT_LE(r.tried_alone, 1) << r.row;
    EXPECT_NEAR(r.values.back(), 0.5 / r.sample[0], 0.5 * r.sample[0] * 1e-6) << "v²/(2 F/m), ± ½ (F/m) h²";
    EXPECT_EQ(ensemble.row(r.row, false).values, r.values) << "whatever its neighbours";
  });
}

}  // namespace ALEATOR_FILE
}  // namespace aleator::core::test
