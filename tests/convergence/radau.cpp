// Is radau of fifth order in positions, velocities, accelerations and reactions, before and after a kink? (The stages' own accelerations and
// multipliers are of third order; what is reported comes from the index-1 form.) Reference: runge-kutta at a step at which it is exact to 1e-10.
#include "convergence/mechanism.hpp"

namespace aleator::test {
namespace {

TEST(RadauOrder, is_five_for_every_quantity) {
  const Model model = model_from(mechanism);
  const Result reference = run(model, {.integrator = "runge-kutta", .step = 1e-4});
  std::vector<Result> results;
  for (const double h : {1e-2, 5e-3}) results.push_back(run(model, {.integrator = "radau", .step = h, .tolerance = 1e-12}));
  for (const auto& [from, to] : {std::array{0.01, 0.14}, std::array{0.16, 0.3}})
    for (const std::string& kind : kinds) {
      const double coarse = difference(results[0], reference, kind, from, to),
                   fine = difference(results[1], reference, kind, from, to);
      // The next term of the error is 3 % of the first at these steps: slopes of 4.96 … 4.99.
      EXPECT_NEAR(std::log2(coarse / fine), 5, 0.08) << kind << " " << from << ": " << coarse << ", " << fine;
      EXPECT_LT(fine, 4e-7) << kind;  // measured: 3e-7 of the acceleration, 1e-7 of reactions
    }
}

// A heavy top on a ball joint, 60 rad/s: 0.6 rad in a step.
TEST(RadauOrder, of_a_spinning_top) {
  const Model model = model_from(R"(
gravity: [0, 0, -9.81]
bodies:
  top: {shape: {cylinder: {radius: 0.1, length: 0.04, axis: z}}, mass: 1.5, at: [0, 0, 0.15], angular_velocity: [0, 0, 60]}
  rider: {shape: {box: [0.05, 0.02, 0.02]}, mass: 0.1, at: [0.08, 0, 0.2], angular_velocity: [0, 0, 60]}
joints:
  foot: {spherical: [ground, top], at: [0, 0, 0]}
  hinge: {revolute: [top, rider], axis: y, at: [0.06, 0, 0.2], spring: {stiffness: 3}}
outputs:
  tip: {position: top, at: [0, 0, 0.15]}
  spin: {angular_velocity: rider}
  bearing: {reaction: foot}
simulation: {duration: 0.4, output_step: 0.02}
)");
  const Result reference = run(model, {.integrator = "runge-kutta", .step = 1e-4});
  std::vector<Result> results;
  for (const double h : {4e-3, 2e-3}) results.push_back(run(model, {.integrator = "radau", .step = h, .tolerance = 1e-12}));
  for (const std::string kind : {"tip", "spin", "bearing"}) {
    const double coarse = difference(results[0], reference, kind, 0, 0.4), fine = difference(results[1], reference, kind, 0, 0.4);
    EXPECT_NEAR(std::log2(coarse / fine), 5, 0.3) << kind << ": " << coarse << ", " << fine;
  }
}

// A spring a million times too stiff for the step: what is slow stays exact, what is fast is gone after a few steps.
TEST(RadauOrder, stiff_springs_do_not_ring) {
  const auto model = [](double stiffness) {
    return model_from(R"(
gravity: [0, 0, -9.81]
bodies:
  arm: {shape: {box: [0.6, 0.05, 0.05]}, mass: 1, at: [0.3, 0, 0]}
  bob: {shape: {sphere: {radius: 0.05}}, mass: 2, at: [0.6, 0, -0.2]}
joints:
  pin: {revolute: [ground, arm], axis: y, at: [0, 0, 0]}
forces:
  rubber: {bushing: [arm, bob], at: [0.6, 0, 0], stiffness: [)" +
                      text(stiffness) + ", " + text(stiffness) + ", " + text(stiffness) + R"(], rotational_stiffness: [1e4, 1e4, 1e4]}
outputs:
  bob: {position: bob}
  pull: {reaction: pin}
simulation: {duration: 1, output_step: 0.05}
)");
  };
  const Result stiff = run(model(1e10), {.integrator = "radau", .step = 2e-3}),
               stiffer = run(model(1e12), {.integrator = "radau", .step = 2e-3});
  // F / k = 1e-9 m between the two; forces of 40 N to what the start, which is not in equilibrium, leaves after 25 steps.
  EXPECT_LT(difference(stiff, stiffer, "bob", 0, 1), 1e-7);
  EXPECT_LT(difference(stiff, stiffer, "pull", 0.05, 1), 1e-5);
}

}  // namespace
}  // namespace aleator::test
