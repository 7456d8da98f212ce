// Forces in joints and force elements that are recorded for pictures.
#include "dynamics/connection_forces.hpp"

#include <gtest/gtest.h>

#include "model/connections.hpp"
#include "support/run.hpp"

namespace aleator::core::test {
namespace ALEATOR_FILE {

// [times][connections] of a model.
std::vector<Vec3<double>> forces_of(const Model& m) {
  SimulateOptions options;
  options.forces = true;
  const Trajectory t = simulate_model(m, m.nominal, options);
  EXPECT_EQ(t.forces.size(), 3 * connections_of(m).size() * t.times.size());
  std::vector<Vec3<double>> all;
  for (size_t i = 0; i + 2 < t.forces.size(); i += 3) all.push_back({t.forces[i], t.forces[i + 1], t.forces[i + 2]});
  return all;
}

// A slide without friction carries the weight and takes up what is across it; a spring pulls along it.
const std::string slide =
    "gravity: [0, 0, -10]\n"
    "bodies:\n  cart: {shape: {box: [0.1, 0.1, 0.1]}, mass: 2}\n"
    "joints:\n  guide: {prismatic: [ground, cart], axis: x}\n"
    "forces:\n"
    "  spring: {spring_damper: [ground, cart], points: [[1, 0, 0], [0, 0, 0]], stiffness: 100, length: 0.5}\n"
    "  push: {force: cart, value: [0, 7, 0]}\n";
const std::string brief = "simulation: {duration: 0.1, step: 1e-3, output_step: 0.02}\n";

TEST(ConnectionForces, act_on_the_second_body) {
  const std::vector<Vec3<double>> f = forces_of(model_from(slide + brief));
  EXPECT_NEAR(norm(f[0] - Vec3<double>{0, -7, 20}), 0, 1e-9);  // round-off of numbers about 20
  EXPECT_NEAR(norm(f[1] - Vec3<double>{50, 0, 0}), 0, 1e-9);
  EXPECT_NEAR(norm(f[2] - Vec3<double>{0, 7, 0}), 0, 1e-12);
}

// A joint whose reaction is an output keeps its rows and has multipliers; otherwise they are retired.
TEST(ConnectionForces, are_the_reactions_with_and_without_retired_rows) {
  for (const char* order : {"[ground, cart]", "[cart, ground]"}) {
    std::string text = slide + brief;
    text.replace(text.find("[ground, cart]"), 14, order);
    const Model m = model_from(text + "outputs:\n  r: {reaction: guide}\n");
    const std::vector<Vec3<double>> with = forces_of(m), without = forces_of(model_from(text));
    const Result r = run(m);
    ASSERT_EQ(with.size(), without.size());
    for (size_t i = 0; i < with.size(); ++i)
      EXPECT_NEAR(norm(with[i] - without[i]), 0, 1e-7) << order << i;  // integrator's tolerance
    for (size_t k = 0; k < r.times.size(); ++k)
      EXPECT_NEAR(norm(with[3 * k] - Vec3<double>{r.channel("r.x")[k], r.channel("r.y")[k], r.channel("r.z")[k]}), 0, 1e-7);
  }
}

}  // namespace ALEATOR_FILE
}  // namespace aleator::core::test
