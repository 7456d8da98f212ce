// Steps that are adapted to their error, in lanes: each lane does what it would do alone, whatever its neighbours do; and functions of time
// are those of its own times.
#include <gtest/gtest.h>

#include "ensemble/ensemble.hpp"
#include "support/in_lanes.hpp"
#include "support/run.hpp"
#include "support/same_numbers.hpp"

namespace aleator::core::test {
namespace ALEATOR_FILE {

// A ball that a driven plate's spring throws against a stop, at another time in each realization.
const char* const thrown = R"(gravity: [0, 0, -9.81]
parameters: {height: 0.02, stiffness: 1e6}
bodies:
  plate: {shape: {box: [0.1, 0.1, 0.01]}, mass: 2, at: [0, 0, 0]}
  ball: {shape: {sphere: {radius: 0.01}}, mass: 0.5, at: [0, 0, 0.05]}
joints:
  drive: {prismatic: [ground, plate], axis: z, at: [0, 0, 0], motion: 5e-3*sin(40*t)}
  guide: {prismatic: [ground, ball], axis: z, at: [0, 0, 0.05], stops: {lower: -height, stiffness: stiffness, damping: 0.1}}
forces:
  spring: {spring_damper: [plate, ball], points: [[0, 0, 0], [0, 0, 0.05]], stiffness: 200}
uncertain:
  height: {uniform: {lower: 1e-3, upper: 0.02}}
  stiffness: {uniform: {lower: 1e5, upper: 1e7}}
outputs:
  z: {position: ball, component: z}
  plate: {position: plate, component: z}
  pull: {force: spring}
simulation: {duration: 0.2, step: 1e-3, output_step: 2.3e-3}
)";

// Two links with friction, which sticks.
const char* const links = R"(gravity: [0, 0, -9.81]
parameters: {mass: 0.5}
bodies:
  a: {shape: {box: [0.2, 0.01, 0.01]}, mass: mass, at: [0.1, 0, 0]}
  b: {shape: {box: [0.2, 0.01, 0.01]}, mass: 0.3, at: [0.3, 0, 0]}
joints:
  j: {revolute: [ground, a], axis: y, at: [0, 0, 0], friction: {force: 0.05}, damper: 0.1}
  k: {revolute: [a, b], axis: y, at: [0.2, 0, 0], friction: {force: 0.2}}
uncertain:
  mass: {uniform: {lower: 0.2, upper: 1}}
outputs:
  tip: {position: b, component: z}
simulation: {duration: 0.1, step: 2e-3, output_step: 1e-2}
)";

std::vector<SimulatedRow> rows(const Ensemble& e, int threads) {
  std::vector<SimulatedRow> out;
  e.run({.threads = threads}, [&](SimulatedRow&& r) { out.push_back(std::move(r)); });
  return out;
}

void expect_own_steps(const std::string& text, double tolerance) {
  const Model model = model_from(text);
  const RandomModel random(model);
  const Plan plan{11, 0};
  for (const Isa isa : available_isas()) {
    const Ensemble ensemble(model, random, plan, 3, isa);
    const std::vector<SimulatedRow> together = rows(ensemble, 1);
    ASSERT_EQ(together.size(), 11u);
    for (long row = 0; row < 11; ++row) {
      SCOPED_TRACE(name(isa) + std::string(", row ") + std::to_string(row));
      ASSERT_TRUE(together[row].ok) << together[row].why;
      EXPECT_EQ(together[row].tried_alone, 0) << "lanes can do it";
      EXPECT_TRUE(same_bits(ensemble.row(row).values, together[row].values)) << "alone in its pack";
      const Trajectory t = simulate_model(model, *draw(model, random, plan, 3, row).numbers);
      for (size_t i = 0; i < t.values.size(); ++i) EXPECT_NEAR(together[row].values[i], t.values[i], tolerance) << i;
    }
  }
}

TEST(AdaptedSteps, a_lane_takes_the_steps_it_would_take_alone) {
  expect_own_steps(thrown, 1e-4);  // of 200 N/m · 0.02 m: 10⁻⁶ of the speed in each step, some hundred of them
  expect_own_steps(links, 1e-4);   // 10⁻⁵ of the reach in each step
}

TEST(AdaptedSteps, are_the_same_on_several_threads) {
  const Model model = model_from(thrown);
  const RandomModel random(model);
  const Ensemble ensemble(model, random, {30, 0}, 3);
  const std::vector<SimulatedRow> one = rows(ensemble, 1), three = rows(ensemble, 3);
  for (size_t k = 0; k < one.size(); ++k) EXPECT_TRUE(same_bits(one[k].values, three[k].values)) << k;
}

}  // namespace ALEATOR_FILE
}  // namespace aleator::core::test
