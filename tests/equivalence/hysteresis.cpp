// Hysteresis in lanes and one by one, with numbers that differ, the exponent among them: each lane does what it would do alone, on any number of
// threads, with each integrator.
#include <gtest/gtest.h>

#include "ensemble/ensemble.hpp"
#include "support/in_lanes.hpp"
#include "support/run.hpp"
#include "support/same_numbers.hpp"

namespace aleator::core::test {
namespace ALEATOR_FILE {

// A slab on isolators that slides in the plane, and a storey on it that leans.
std::string building(const std::string& integrator) {
  return R"(gravity: [0, 0, -9.81]
parameters: {k: 4e6, fy: 4e4, n: 1.6, z: 0}
bodies:
  slab: {shape: {box: [8, 6, 0.3]}, mass: 4e4, at: [0, 0, 0], velocity: [0.6, 0.3, 0]}
  storey: {shape: {box: [8, 6, 3]}, mass: 6e4, at: [0, 0, 3], velocity: [0.6, 0.3, 0]}
joints:
  base: {planar: [ground, slab], axis: z, at: [0, 0, 0]}
  frame: {prismatic: [slab, storey], axis: x, at: [0, 0, 0], damper: 2e4,
          hysteresis: {stiffness: 2e7, post_yield_ratio: 0.05, yield_displacement: 0.01, exponent: 2, initial: z}}
forces:
  isolators: {bushing: [ground, slab], at: [1, 0.5, 0], rotational_stiffness: [0, 0, 1e8], damping: [3e4, 3e4, 0],
              hysteresis: {x: {stiffness: k, post_yield_ratio: 0.1, yield_force: fy, exponent: n},
                           y: {stiffness: k, post_yield_ratio: 0.1, yield_force: fy}}}
uncertain:
  k: {uniform: {lower: 2e6, upper: 8e6}}
  fy: {uniform: {lower: 1e4, upper: 8e4}}
  n: {uniform: {lower: 1, upper: 5}}
  z: {uniform: {lower: -0.009, upper: 0.009}}
outputs:
  slab: {position: slab}
  force: {force: isolators}
  z: {hysteretic_displacement: isolators}
  loop: {hysteretic_force: frame}
  lost: {dissipated_energy: isolators}
  all: {dissipated_energy: all}
simulation: {duration: 0.1, step: 5e-4, output_step: 0.0137, integrator: )" +
         integrator + "}\n";
}

std::vector<SimulatedRow> rows(const Ensemble& e, int threads) {
  std::vector<SimulatedRow> out;
  e.run({.threads = threads}, [&](SimulatedRow&& r) { out.push_back(std::move(r)); });
  return out;
}

// Tolerances are relative: of Newton's iteration, or of steps whose size each decides by itself.
void expect_same(const std::string& integrator, double tolerance, double step_tolerance = 0) {
  Model model = model_from(building(integrator));
  model.settings.step_tolerance = step_tolerance;
  const RandomModel random(model);
  const Plan plan{9, 0};  // one more than there are lanes
  std::vector<Isa> isas = available_isas();
  if (step_tolerance == 0) isas = {isas.back()};  // what differs between them is tested with adapted steps
  for (const Isa isa : isas) {
    const Ensemble ensemble(model, random, plan, 3, isa);
    const std::vector<SimulatedRow> together = rows(ensemble, 1), again = rows(ensemble, 3);
    ASSERT_EQ(together.size(), 9u);
    for (long row = 0; row < 9; ++row) {
      SCOPED_TRACE(integrator + ", " + name(isa) + ", row " + std::to_string(row));
      ASSERT_TRUE(together[row].ok) << together[row].why;
      EXPECT_EQ(together[row].tried_alone, 0) << "lanes can do it";
      EXPECT_TRUE(same_bits(ensemble.row(row).values, together[row].values)) << "alone in its pack";
      EXPECT_TRUE(same_bits(again[row].values, together[row].values)) << "on three threads";
      const Trajectory t = simulate_model(model, *draw(model, random, plan, 3, row).numbers);
      ASSERT_EQ(t.values.size(), together[row].values.size());
      std::vector<double> size(size_t(t.channels), 1e-3);
      for (size_t i = 0; i < t.values.size(); ++i)
        size[i % t.channels] = std::max(size[i % t.channels], std::abs(double(t.values[i])));
      for (size_t i = 0; i < t.values.size(); ++i)
        EXPECT_NEAR(together[row].values[i], t.values[i], tolerance * size[i % t.channels]) << i;
    }
  }
}

TEST(HysteresisInLanes, runge_kutta) { expect_same("runge-kutta", 1e-9); }
TEST(HysteresisInLanes, dormand_prince) { expect_same("dormand-prince", 1e-9); }
TEST(HysteresisInLanes, generalized_alpha) { expect_same("generalized-alpha", 1e-6); }
TEST(HysteresisInLanes, radau) { expect_same("radau", 1e-6); }
TEST(HysteresisInLanes, dormand_prince_with_adapted_steps) { expect_same("dormand-prince", 1e-4, 1e-6); }
TEST(HysteresisInLanes, radau_with_adapted_steps) { expect_same("radau", 1e-3, 1e-5); }

}  // namespace ALEATOR_FILE
}  // namespace aleator::core::test
