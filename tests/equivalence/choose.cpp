// How time is stepped when the model leaves it open: the choice, and whether it keeps what it promises.
#include "dynamics/choose.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "dynamics/simulate.hpp"
#include "support/model_text.hpp"
#include "support/run.hpp"

namespace aleator::core::test {
namespace ALEATOR_FILE {

std::string oscillator(double stiffness, double damping, const std::string& simulation) {
  return "bodies:\n  mass: {shape: {box: [1, 1, 1]}, mass: 2}\njoints:\n  guide: {prismatic: [ground, mass], axis: x}\n"
         "forces:\n  spring: {spring_damper: [ground, mass], points: [[-3, 0, 0], [0, 0, 0]], stiffness: " +
         text(stiffness) + ", damping: " + text(damping) +
         ", length: 2}\noutputs:\n  x: {position: mass, component: x}\nsimulation: " + simulation + "\n";
}

TEST(Choose, the_fastest_rate_is_that_of_the_oscillator) {
  const Model vibrates = model_from(oscillator(800, 0, "{duration: 1}"));  // ω² = 800/2
  EXPECT_NEAR(fastest_rate(vibrates, vibrates.nominal), 20, 0.2);
  const Model creeps = model_from(oscillator(800, 2000, "{duration: 1}"));  // λ ≈ c/m
  EXPECT_NEAR(fastest_rate(creeps, creeps.nominal), 1000, 10);
}

TEST(Choose, explicit_where_the_step_allows_it) {
  const auto chosen = [](double step) {
    const Model m = model_from(oscillator(800, 0, "{duration: 1, step: " + text(step) + "}"));
    return choose(m, {}, {}, best_isa());
  };
  EXPECT_EQ(chosen(0.04).settings.integrator, "dormand-prince");
  EXPECT_EQ(chosen(0.05).settings.integrator, "radau");
  EXPECT_EQ(chosen(0.05).settings.step, 0.05);
  EXPECT_FALSE(chosen(0.05).reasons.empty());
  EXPECT_EQ(chosen(0.04).settings.step_tolerance, 1e-6);
  EXPECT_EQ(chosen(0.05).settings.step_tolerance, 1e-5);
}

double largest_error(const Model& m, const Settings& s) {
  Model stepped = m, fine = m;
  stepped.settings = s;
  fine.settings = s;
  fine.settings.step = s.step / 32;  // other than the steps that were compared
  const Trajectory a = simulate_model(stepped, m.nominal), b = simulate_model(fine, m.nominal);
  double worst = 0;
  for (int c = 0; c < a.channels; ++c) {
    double error = 0, size = 0;
    for (size_t i = c; i < a.values.size(); i += a.channels)
      error += std::pow(a.values[i] - b.values[i], 2), size += b.values[i] * b.values[i];
    if (size > 1e-20) worst = std::max(worst, std::sqrt(error / size));
  }
  return worst;
}

// The step is neither too large nor needlessly small.
TEST(Choose, a_step_for_an_accuracy) {
  for (const char* integrator : {"auto", "dormand-prince", "runge-kutta", "adams-bashforth", "generalized-alpha", "radau"}) {
    const Model m = model_from(replaced(example("five-body"), "step: 1e-4, output_step: 1e-4, integrator: runge-kutta",
                                        std::string("accuracy: 1e-3, output_step: 1e-4, integrator: ") + integrator));
    const Choice c = choose(m, {}, {}, best_isa());
    const double error = largest_error(m, c.settings);
    EXPECT_LT(error, 1.1e-3) << integrator << ", step " << c.settings.step;
    EXPECT_FALSE(is_open(c.settings)) << "nobody chooses a second time";
    EXPECT_GT(c.settings.step, c.settings.integrator == "adams-bashforth" ? 1.2e-4 : 3e-4) << integrator;
  }
}

// A spectral radius names the method that has one; a name keeps steps as they are.
TEST(Choose, what_is_named_is_taken) {
  const auto settings = [](const std::string& more) {
    return model_from(oscillator(800, 0, "{duration: 1" + more + "}")).settings;
  };
  EXPECT_TRUE(integrator_is_open(settings("")));
  EXPECT_TRUE(integrator_is_open(settings(", tolerance: 1e-4")));
  EXPECT_EQ(settings(", rho: 0.5").integrator, "generalized-alpha");
  EXPECT_EQ(settings(", integrator: radau").integrator, "radau");
  EXPECT_EQ(settings(", integrator: radau").step_tolerance, 0);
}

// The axial vibration of the link is fast compared with steps that the motion alone would need, and dominates the reactions.
TEST(Choose, an_accuracy_holds_for_vibrations_that_long_steps_damp) {
  Model m = model_of_file("examples/slider-crank-long-low.yaml");
  m.settings.integrator = "radau";
  m.settings.accuracy = 1e-3;
  m.settings.duration = 0.02;
  const Choice c = choose(m, {}, {}, best_isa());
  EXPECT_LT(largest_error(m, c.settings), 1e-3) << "step " << c.settings.step;
}

// A pendulum that swings in its plane: what is zero but for round-off, and an energy that is nothing but the error of steps, have no accuracy of
// their own. The search ends, says which outputs it does not look at, and holds for the others.
TEST(Choose, outputs_that_are_round_off_are_not_waited_for) {
  const Model m = model_from(
      "gravity: [0, 0, -9.81]\nbodies:\n  rod: {shape: {box: [1, 0.05, 0.05]}, density: 7800, at: [0.5, 0, 0]}\njoints:\n"
      "  pin: {revolute: [ground, rod], axis: y, at: [0, 0, 0]}\noutputs:\n  tip: {position: rod, at: [1, 0, 0]}\n"
      "  e: {energy: all}\n  torque: {reaction_torque: pin}\nsimulation: {duration: 1, accuracy: 1e-3}\n");
  const Choice c = choose(m, {}, {}, best_isa());
  EXPECT_GT(c.settings.step, 1e-3);
  std::string told;
  for (const std::string& remark : c.remarks) told += remark + "\n";
  EXPECT_NE(told.find("'e' is not looked at"), std::string::npos) << told;
  EXPECT_EQ(told.find("tip"), std::string::npos) << told;
  Model stepped = m, fine = m;
  stepped.settings = fine.settings = c.settings;
  fine.settings.step /= 16;
  const Trajectory a = simulate_model(stepped, m.nominal), b = simulate_model(fine, m.nominal);
  for (size_t i = 0; i < a.values.size(); i += size_t(a.channels))
    EXPECT_NEAR(a.values[i + 2], b.values[i + 2], 2e-3);  // z of the tip
}

TEST(Choose, a_flexible_mechanism_gets_radau) {
  Model m = model_of_file("examples/slider-crank.yaml");
  m.settings.integrator = "auto";
  m.settings.accuracy = 1e-2;
  m.settings.duration = 0.1;
  const Choice c = choose(m, {}, {}, best_isa());
  EXPECT_EQ(c.settings.integrator, "radau");
  EXPECT_LT(largest_error(m, c.settings), 1.1e-2);
}

}  // namespace ALEATOR_FILE
}  // namespace aleator::core::test
