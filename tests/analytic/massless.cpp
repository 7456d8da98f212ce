// Bodies without mass that join others: what they join moves as by the one joint that both make, or as closed forms say.
#include <gtest/gtest.h>

#include <cmath>

#include "dynamics/modal.hpp"
#include "support/message_of.hpp"
#include "support/model_text.hpp"
#include "support/run.hpp"

namespace aleator::core::test {
namespace ALEATOR_FILE {

const std::string frame = R"(
gravity: [0.5, 0, -9.81]
bodies:
  BODIESrod: {shape: {box: [0.3, 0.2, 1]}, mass: 2, at: [0.1, 0.2, -0.5], angular_velocity: [0.8, -1.2, 0]}
joints:
JOINTS
outputs:
  place: {position: rod, at: [0.1, 0.1, -1]}
  a: {acceleration: rod}
  E: {energy: all}
simulation: {duration: 0.5, output_step: 0.01, step: 1e-3}
)";

std::string model(const std::string& bodies, const std::string& joints) {
  return replaced(replaced(frame, "BODIES", bodies), "JOINTS", joints);
}

struct Method {
  const char* integrator;
  bool tree;
  double error;  // between two ways to write the same: round-off, or how Newton's iterations end
};
const Method methods[] = {
    {"runge-kutta", true, 1e-9}, {"runge-kutta", false, 1e-9}, {"radau", true, 1e-7}, {"generalized-alpha", true, 1e-6}};

void expect_same(const std::string& bodies, const std::string& joints, const std::string& joint) {
  for (const Method& m : methods) {
    SCOPED_TRACE(m.integrator);
    const Change change{.integrator = m.integrator, .step = 1e-3};
    const Result x = run(model_from(model(bodies, joints), {.tree = m.tree}), change),
                 y = run(model_from(model("", joint), {.tree = m.tree}), change);
    for (const std::string name : {"place.x", "place.y", "place.z", "a.x", "a.y", "a.z", "E"}) {
      const std::vector<double> a = x.channel(name), b = y.channel(name);
      ASSERT_EQ(a.size(), b.size());
      double size = 1;
      for (const double v : b) size = std::max(size, std::abs(v));
      for (size_t k = 0; k < a.size(); ++k) ASSERT_NEAR(a[k], b[k], m.error * size) << name << " at " << x.times[k];
    }
  }
}

TEST(Massless, two_hinges_are_a_universal_joint) {
  expect_same("cross: {mass: 0, at: [0, 0, 0]}\n  ",
              "  first: {revolute: [ground, cross], axis: x, at: [0, 0, 0], damper: 0.2}\n"
              "  second: {revolute: [cross, rod], axis: y, at: [0, 0, 0]}",
              "  both: {universal: [ground, rod], axis: x, second_axis: y, at: [0, 0, 0], damper: {rx: 0.2}}");
}

TEST(Massless, three_hinges_are_a_ball_joint) {
  expect_same("one: {mass: 0}\n  two: {mass: 0}\n  ",
              "  x: {revolute: [ground, one], axis: x, at: [0, 0, 0]}\n"
              "  y: {revolute: [one, two], axis: y, at: [0, 0, 0]}\n"
              "  z: {revolute: [two, rod], axis: z, at: [0, 0, 0]}",
              "  ball: {spherical: [ground, rod], at: [0, 0, 0]}");
}

TEST(Massless, a_hinge_and_a_slide_are_a_cylinder) {
  expect_same(
      "sleeve: {mass: 0, angular_velocity: [0.8, -1.2, 0]}\n  ",
      "  turn: {revolute: [ground, sleeve], axis: x, at: [0, 0, 0], armature: 0.3}\n"
      "  slide: {prismatic: [sleeve, rod], axis: x, at: [0, 0, 0], spring: {stiffness: 20}}",
      "  both: {cylindrical: [ground, rod], axis: x, at: [0, 0, 0], armature: {about: 0.3}, spring: {along: {stiffness: 20}}}");
}

// At the end of a chain nothing says how it moves, unless its rotor does.
TEST(Massless, ends_of_chains_are_refused) {
  const std::string loose = model("tip: {mass: 0, at: [0, 0, -1]}\n  ",
                                  "  pin: {revolute: [ground, rod], axis: y, at: [0, 0, 0]}\n"
                                  "  end: {revolute: [rod, tip], axis: y, at: [0, 0, -1]}");
  EXPECT_EQ(message_of<input::InputError>([&] { model_from(loose); }),
            "test.yaml:4:15: body 'tip': without a mass it must join others by at least two joints, or its joint must have an "
            "'armature'");
  EXPECT_NO_THROW(run(replaced(loose, "at: [0, 0, -1]}\noutputs", "at: [0, 0, -1], armature: 0.1}\noutputs")));
  EXPECT_NO_THROW(run(replaced(loose, "end: {revolute: [rod, tip], axis: y", "end: {fixed: [rod, tip]")));
}

// Two of them move together about parallel axes: one joint too many.
TEST(Massless, motions_without_inertia_are_refused) {
  const std::string loose = model("one: {mass: 0}\n  ",
                                  "  first: {revolute: [ground, one], axis: y, at: [0, 0, 0]}\n"
                                  "  second: {revolute: [one, rod], axis: y, at: [0, 0, 0]}");
  for (const Method& m : methods)
    EXPECT_NE(message_of<SimulationError>([&] {
                run(model_from(loose, {.tree = m.tree}), {.integrator = m.integrator});
              }).find("the system is singular: nothing determines the acceleration of body 'one'"),
              std::string::npos)
        << message_of<SimulationError>([&] { run(model_from(loose, {.tree = m.tree}), {.integrator = m.integrator}); });
}

// A rotor alone, and one that carries another along a slide: a θ̈ = τ − c θ̇, and reactions that balance the load.
TEST(Massless, armature_is_inertia_enough) {
  const std::string text =
      "gravity: [0, 0, -9.81]\nbodies: {rotor: {mass: 0, at: [0, 0, 1]}, nut: {mass: 0, at: [0, 0.5, 1]}}\n"
      "joints:\n  axle: {revolute: [ground, rotor], axis: y, at: [0, 0, 1], armature: 0.1, actuator: 0.2, damper: 0.3}\n"
      "  rail: {prismatic: [rotor, nut], axis: y, at: [0, 0.5, 1], armature: 2}\n"
      "forces: {push: {force: nut, at: [0, 0.5, 1], value: [0.5, 3, 0]}}\n"
      "outputs: {q: {coordinate: axle}, s: {coordinate: rail}, R: {reaction: axle}}\n"
      "simulation: {duration: 0.5, output_step: 0.05, step: 1e-3}\n";
  const auto angle = [](double t) { return 0.2 / 0.3 * (t - 0.1 / 0.3 * (1 - std::exp(-3 * t))); };
  // Errors of steps; explicit methods solve with ε, 1e-11 of 1 kg beside 0.1 kg m²
  const std::pair<Method, double> cases[] = {
      {methods[0], 1e-9}, {methods[1], 1e-9}, {{"dormand-prince", true, 0}, 1e-9}, {methods[2], 1e-8}, {methods[3], 1e-6}};
  for (const auto& [m, error] : cases) {
    SCOPED_TRACE(m.integrator);
    const Result r = run(model_from(text, {.tree = m.tree}), {.integrator = m.integrator, .step = 1e-3});
    EXPECT_LT(largest_error(r, "q", angle), error);
    EXPECT_LT(largest_error(r, "s", [](double t) { return 0.5 * 1.5 * t * t; }), error);
    EXPECT_LT(largest_error(r, "R.x", [](double) { return -0.5; }), 10 * error);
  }
}

// A rotor whose body has no mass carries a torque, and turns a disc by gears: (a + n² J) θ̈ + c θ̇ + k θ = τ. The torque is in the multipliers, which stiffen
// directions in which the body cannot move; per mass of the body that would be without bounds.
TEST(Massless, modes_under_load) {
  const auto found = [](const std::string& spring, bool loaded) {
    const Model m = model_from(
        "bodies: {r: {mass: 0, at: [0, 0, 0]}, d: {mass: 2, inertia: {xx: 1, yy: 1, zz: 0.5}, at: [1, 0, 0]}}\n"
        "joints:\n  j: {revolute: [ground, r], axis: z, at: [0, 0, 0], armature: 0.4" +
        spring + "}\n  j2: {revolute: [ground, d], axis: z, at: [1, 0, 0]}\n  g: {gear: [j, j2], ratio: 3}\n" +
        (loaded ? "forces: {T: {torque: r, value: [0.5, 0.2, 1]}}\n" : "") + "simulation: {duration: 1}\n");
    const Realization<double> r = make_realization<double>(m, std::span(&m.nominal, 1));
    Assembly<double> a(m, r);
    return find_modes(a, {.number = 2, .about = "start"}).modes;
  };
  const double inertia = 0.4 + 9 * 0.5, frequency = std::sqrt(10 / inertia) / (2 * std::acos(-1.0));
  for (const bool loaded : {false, true}) {
    SCOPED_TRACE(loaded);
    const std::vector<Mode> damped = found(", spring: {stiffness: 10}, damper: 0.2", loaded),
                            free = found(", spring: {stiffness: 10}", loaded);
    ASSERT_EQ(damped.size(), 1u);
    ASSERT_EQ(free.size(), 1u);
    EXPECT_NEAR(free[0].frequency, frequency, 1e-9 * frequency);  // round-off beside a mass of 1e-15
    EXPECT_NEAR(damped[0].frequency, frequency, 1e-9 * frequency);
    EXPECT_NEAR(damped[0].damping_ratio, 0.2 / (2 * std::sqrt(10 * inertia)), 1e-9);
    const std::vector<Mode> rigid = found("", loaded);
    ASSERT_EQ(rigid.size(), 1u);
    EXPECT_TRUE(rigid[0].rigid);
  }
}

TEST(Massless, inertia_without_mass_is_refused) {
  EXPECT_NE(message_of<input::InputError>([] {
              model_from("bodies: {a: {mass: 0, inertia: {xx: 1, yy: 1, zz: 1}}}\nsimulation: {duration: 1}\n");
            }).find("body 'a': without a mass it has no inertia"),
            std::string::npos);
}

}  // namespace ALEATOR_FILE
}  // namespace aleator::core::test
