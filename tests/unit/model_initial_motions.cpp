// Initial velocities: those of several bodies together, and those that joints do not allow.
#include <gtest/gtest.h>

#include "support/message_of.hpp"
#include "support/run.hpp"

namespace aleator::core::test {
namespace ALEATOR_FILE {

// A frame on a shaft, a wheel on the frame, a bar that bends: all turn about the z axis through (1, 2, 0).
std::string mechanism(const std::string& motions) {
  return R"(
bodies:
  frame: {shape: {box: [0.4, 0.2, 0.1]}, mass: 5, at: [1.5, 2, 0]}
  wheel: {shape: {cylinder: {radius: 0.2, length: 0.1, axis: x}}, mass: 3, at: [1.8, 2, 0.1], orientation: {rpy: [0.3, 0.2, 0.1]}}
  whip: {beam: [[1.8, 2, 0.1], [2.2, 2, 0.3]], section: {circle: {radius: 0.005}}, E: 2e11, nu: 0.3, density: 7800, elements: 3}
joints:
  shaft: {revolute: [ground, frame], axis: z, at: [1, 2, 0]}
  axle: {revolute: [frame, wheel], axis: x, at: [1.8, 2, 0.1]}
  root: {fixed: [wheel, whip], at: [1.8, 2, 0.1]}
initial_motions: )" +
         motions + R"(
outputs:
  rate: {rate: shaft}
  slip: {rate: axle}
  tip: {velocity: whip, at: [2.2, 2, 0.3]}
  energy: {kinetic_energy: all}
simulation: {duration: 1e-3, step: 1e-4}
)";
}

TEST(InitialMotions, a_mechanism_spins_about_an_axis) {
  const Result r = run(mechanism("{all: {angular_velocity: [0, 0, 7], at: [1, 2, 0]}}"));
  EXPECT_TRUE(r.assembly.changed_body.empty());
  // Round-off of a projection that has nothing to do
  EXPECT_NEAR(r.at("rate", 0), 7, 1e-9);
  EXPECT_NEAR(r.at("slip", 0), 0, 1e-9);
  EXPECT_NEAR(r.at("tip.x", 0), 0, 1e-9);
  EXPECT_NEAR(r.at("tip.y", 0), 7 * 1.2, 1e-9);
  EXPECT_NEAR(r.at("tip.z", 0), 0, 1e-9);
}

TEST(InitialMotions, add_up_and_may_be_of_some_bodies_only) {
  const Result r =
      run(mechanism("{all: {angular_velocity: [0, 0, 7], at: [1, 2, 0]}, rotor: {bodies: [wheel, whip], angular_velocity: [3, 0, "
                    "0], at: [1.8, 2, 0.1]}}"));
  EXPECT_TRUE(r.assembly.changed_body.empty());
  EXPECT_NEAR(r.at("rate", 0), 7, 1e-9);
  EXPECT_NEAR(r.at("slip", 0), 3, 1e-9);
  EXPECT_NEAR(r.at("tip.y", 0), 7 * 1.2 - 3 * 0.2, 1e-9);
}

TEST(InitialMotions, a_velocity_moves_everything_alike) {
  const Result r = run(R"(
plane: xy
bodies:
  a: {shape: {cylinder: {radius: 0.1, length: 0.1, axis: z}}, mass: 1, at: [0, 0]}
  b: {shape: {cylinder: {radius: 0.1, length: 0.1, axis: z}}, mass: 1, at: [1, 0], velocity: [0, 1]}
initial_motions:
  drive: {velocity: [20, 0]}
outputs:
  a: {velocity: a}
  b: {velocity: b}
simulation: {duration: 1e-3, step: 1e-4}
)");
  EXPECT_EQ(r.at("a.x", 0), 20);
  EXPECT_EQ(r.at("a.y", 0), 0);
  EXPECT_EQ(r.at("b.x", 0), 20);
  EXPECT_EQ(r.at("b.y", 0), 1);
}

TEST(InitialMotions, wrong_ones_are_refused_where_they_stand) {
  const auto said = [](const std::string& motions) { return input_message_of([&] { model_from(mechanism(motions)); }); };
  EXPECT_EQ(said("{all: {bodies: [weel]}}"), "initial motion 'all': unknown body 'weel' (did you mean 'wheel'?)");
  EXPECT_NE(said("{all: {spin: 3}}").find("initial motion 'all': unknown key 'spin'"), std::string::npos)
      << said("{all: {spin: 3}}");
  EXPECT_NE(input_message_of([] {
              model_from(
                  "plane: xy\nbodies:\n  a: {mass: 1, inertia: 1}\ninitial_motions: {m: {velocity: [0, 0, 1]}}\nsimulation: "
                  "{duration: 1}\n");
            }).find("in a planar model bodies move in the plane"),
            std::string::npos);
}

// A shaft that is given 2π rad/s while the rest of the mechanism is given nothing.
TEST(InitialVelocities, that_do_not_fit_are_reported_with_body_and_joint) {
  const std::string crank = R"(
plane: xy
bodies:
  crank: {shape: {box: [0.2, 0.02, 0.02]}, mass: 0.1, at: [0.1, 0], angular_velocity: 6.283185307179586}
  rod: {shape: {box: [0.02, 0.4, 0.02]}, mass: 10, at: [0.2, 0.2]}
joints:
  shaft: {revolute: [ground, crank], at: [0, 0]}
  pin: {revolute: [crank, rod], at: [0.2, 0]}
outputs:
  turn: {rate: shaft}
simulation: {duration: 1e-3, step: 1e-4}
)";
  const Result r = run(crank);
  EXPECT_EQ(r.assembly.changed_body, "crank");
  EXPECT_FALSE(r.assembly.resisting_joint.empty());
  EXPECT_TRUE(r.assembly.is_spin);
  EXPECT_NEAR(r.assembly.given_speed, 6.283185307179586, 1e-12);
  EXPECT_NEAR(r.assembly.start_speed, std::abs(r.at("turn", 0)), 1e-9);
  EXPECT_LT(r.assembly.start_speed, 1);
  // With the velocities of both centres of mass, ω × r, everything fits.
  const auto with = [](std::string t, const std::string& after, const std::string& more) {
    return t.insert(t.find(after) + after.size(), more);
  };
  const Result good = run(
      with(with(crank, "mass: 0.1,", " velocity: [0, 0.6283185307179586],"), "mass: 10,", " velocity: [0, 1.2566370614359172],"));
  EXPECT_EQ(good.assembly.changed_body, "");
  EXPECT_NEAR(good.at("turn", 0), 6.283185307179586, 1e-9);
}

}  // namespace ALEATOR_FILE
}  // namespace aleator::core::test
