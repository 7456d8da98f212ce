// Rotations that are fast against the step: angles are counted on from step to step, and energy is kept; where a step is too long for that, it
// is done in parts, or says so.
#include <gtest/gtest.h>

#include <cmath>
#include <tuple>

#include "ensemble/ensemble.hpp"
#include "support/in_lanes.hpp"
#include "support/message_of.hpp"
#include "support/run.hpp"

namespace aleator::core::test {
namespace ALEATOR_FILE {

// A wheel that nothing slows down: angle = ω t.
std::string wheel(double speed, const std::string& simulation, const std::string& more = "") {
  return "parameters: {speed: " + text(speed) +
         "}\nbodies:\n  wheel: {shape: {cylinder: {radius: 0.1, length: 0.02, axis: y}}, mass: 1, at: [0, 0, 0], "
         "angular_velocity: [0, speed, 0]}\n" +
         more +
         "joints:\n  axle: {revolute: [ground, wheel], axis: y, at: [0, 0, 0]}\n"
         "outputs:\n  angle: {coordinate: axle}\n  rim: {position: wheel, at: [0.1, 0, 0]}\n"
         "simulation: {" +
         simulation + "}\n";
}

// 10 rad in each of the default steps.
TEST(FastRotation, a_wheel_is_counted_on_in_parts_of_its_steps) {
  const Result r = run(wheel(1000, "duration: 10"));
  EXPECT_NEAR(r.last("angle"), 10000, 1e-2) << "1e-6 of it";
  EXPECT_NEAR(r.last("rim.x"), 0.1 * std::cos(r.last("angle")), 1e-6) << "it is where the angle is: closed joints and round-off";
  EXPECT_EQ(r.trajectory.integrator, "dormand-prince") << "it is fast, not stiff";
}

TEST(FastRotation, in_uncompiled_steps_as_well) {
  const Model model = model_from(wheel(100, "duration: 5, output_step: 0.5"));
  SimulateOptions options;
  options.compile = false;
  const Trajectory t = simulate_model(model, model.nominal, options);
  EXPECT_NEAR(t.values[t.values.size() - 4], 500, 5e-4) << "1e-6 of it";
}

TEST(FastRotation, lanes_are_counted_on_each_by_itself) {
  const Model model =
      model_from(wheel(1000, "duration: 2, output_step: 0.5", "uncertain: {speed: {uniform: {half_width: 900}}}\n"));
  const RandomModel random(model);
  const Plan plan{9, 0};
  for (const Isa isa : available_isas()) {
    const Ensemble ensemble(model, random, plan, 3, isa);
    long rows = 0;
    ensemble.run({.threads = 1}, [&](SimulatedRow&& r) {
      ASSERT_TRUE(r.ok) << r.why;
      EXPECT_EQ(r.tried_alone, 0) << "lanes can do it";
      const double angle = r.values[r.values.size() - 4], speed = angle / 2;
      EXPECT_GT(speed, 100 - 1e-3);
      EXPECT_LT(speed, 1900 + 1e-3);
      EXPECT_NEAR(r.values[4] / 0.5, speed, 1e-5 * speed) << "the speed is the same in the first quarter";
      ++rows;
    });
    EXPECT_EQ(rows, 9);
  }
}

TEST(FastRotation, equal_steps_that_are_too_long_say_so) {
  for (const char* integrator : {"radau", "generalized-alpha", "runge-kutta", "dormand-prince", "adams-bashforth"})
    for (const double turn : {3.2, 7.0}) {
      SCOPED_TRACE(integrator + std::string(", rad per step: ") + std::to_string(turn));
      const Model model = model_from(wheel(turn / 1e-3, "duration: 0.1, step: 1e-3, integrator: " + std::string(integrator)));
      const std::string why = message_of<SimulationError>([&] { run(model); });
      EXPECT_NE(why.find("'wheel'"), std::string::npos) << why;
      EXPECT_NE(why.find(turn < 5 ? "turns by 3.2 rad" : "turns by 7 rad"), std::string::npos) << why;
      EXPECT_NE(why.find(turn < 5 ? "'step' of 0.00078 s" : "'step' of 0.00035 s"), std::string::npos) << why;
    }
}

TEST(FastRotation, equal_steps_that_are_short_enough_count) {
  for (const char* integrator : {"radau", "generalized-alpha"}) {
    const Result r = run(wheel(2400, "duration: 0.1, step: 1e-3, integrator: " + std::string(integrator)));
    EXPECT_NEAR(r.last("angle"), 240, 1e-6) << integrator << ": nothing accelerates, so that only round-off of 100 steps is left";
  }
}

// Two wheels against each other, each slower than the limit: their relative angle is not.
TEST(FastRotation, of_two_bodies_against_each_other) {
  const std::string yaml = wheel(2000, "duration: 0.1, step: 1e-3, integrator: radau",
                                 "  other: {shape: {cylinder: {radius: 0.1, length: 0.02, axis: y}}, mass: 1, at: [0, 1, 0], "
                                 "angular_velocity: [0, -speed, 0]}\n");
  const size_t at = yaml.find("[ground, wheel]");
  const std::string both = yaml.substr(0, at) + "[other, wheel]" + yaml.substr(at + 15);
  EXPECT_NE(message_of<SimulationError>([&] { run(both); }).find("turns by 4 rad"), std::string::npos);
}

const char* const rotor = R"(gravity: [0, 0, -9.81]
bodies:
  rotor: {shape: {cylinder: {radius: 0.1, length: 0.3, axis: y}}, mass: 20, center_of_mass: [0.002, 0, 0], at: [0, 0, 0], angular_velocity: [0, 314.159, 0]}
joints:
  bearing: {revolute: [ground, rotor], axis: y, at: [0, 0, 0]}
outputs:
  angle: {coordinate: bearing}
  speed: {rate: bearing}
  B: {energy_balance: all}
)";

// An unbalanced rotor, 628 rad in steps of 0.6 rad, by either method that is adapted to its error.
TEST(FastRotation, a_rotor_keeps_its_phase_and_energy) {
  const Result reference =
      run(rotor + std::string("simulation: {duration: 2, step: 1e-4, output_step: 0.1, integrator: dormand-prince}\n"));
  const double energy = 0.5 * 0.1 * 314.159 * 314.159;  // about
  for (const auto& [integrator, tolerance, phase] : {std::tuple("dormand-prince", 1e-6, 1e-5), std::tuple("radau", 1e-5, 0.06)}) {
    SCOPED_TRACE(integrator);
    Model model = model_from(rotor + std::string("simulation: {duration: 2, output_step: 0.1}\n"));
    model.settings.integrator = integrator, model.settings.step_tolerance = tolerance;
    const Result r = run(model);
    EXPECT_NEAR(r.last("angle"), reference.last("angle"), phase) << "1e-7 and 1e-4 of it, see turn_limit.hpp";
    EXPECT_LT(largest_error(r, "B", [](double) { return 0; }), 2e-3 * energy);
  }
}

}  // namespace ALEATOR_FILE
}  // namespace aleator::core::test
