// Is radau of fifth order in positions, velocities, accelerations and reactions, before and after a kink? (The stages' own accelerations and
// multipliers are of third order; what is reported comes from the index-1 form.) Reference: runge-kutta at a step at which it is exact to 1e-10.
#include "convergence/mechanism.hpp"

namespace aleator::core::test {
namespace ALEATOR_FILE {

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

// A spring of which a step sees seven radians, on the arm of a pendulum. It starts unstrained; what rings is gone after some steps (the method
// is L-stable), and the rest is the motion of a rigid pendulum, to F / k.
TEST(RadauOrder, stiff_springs_do_not_ring) {
  const auto model = [](const std::string& bob) {
    return model_from(R"(
plane: xz
gravity: [0, -9.81]
bodies:
  arm: {shape: {box: [0.6, 0.05, 0.05]}, mass: 1, at: [0.3, 0]}
  bob: {shape: {sphere: {radius: 0.05}}, mass: 2, at: [0.6, -0.2]}
joints:
  pin: {revolute: [ground, arm], at: [0, 0]}
)" + bob + R"(
outputs:
  bob: {position: bob}
  pull: {reaction: pin}
simulation: {duration: 1, output_step: 0.05, step: 2e-3, integrator: radau}
)");
  };
  const Result
      stiff = run(model(
          "forces: {rubber: {bushing: [arm, bob], at: [0.6, 0], stiffness: [1e8, 1e8], rotational_stiffness: [1e7, 1e7, 1e7]}}")),
      rigid = run(model("  weld: {fixed: [arm, bob], at: [0.6, 0]}"));
  for (const std::string name : {"bob", "pull"})
    for (const std::string c : {".x", ".z"}) {
      const auto a = stiff.channel(name + c), b = rigid.channel(name + c);
      for (size_t k = 1; k < a.size(); ++k)
        EXPECT_NEAR(a[k], b[k], name == "bob" ? 2e-6 : 1e-3) << name << c << " at " << stiff.times[k];
    }
}

}  // namespace ALEATOR_FILE
}  // namespace aleator::core::test
