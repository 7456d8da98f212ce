// Numbers replaced from outside (--set, realizations) and the same numbers written into the model: the same motion, bitwise
// where the method does not look at the nominal model. When a centre of mass moves, joints, force points and observed points stay where they are.
#include <gtest/gtest.h>

#include "compare.hpp"
#include "support/model_text.hpp"

namespace aleator::core::test {
namespace ALEATOR_FILE {

using Overrides = std::vector<Override>;

const std::string base = R"(
parameters:
  k: 300
  l: 0.5
  heavy: 2*l
gravity: [0, 0, -9.81]
bodies:
  arm: {shape: {box: [l, 0.05, 0.05]}, mass: heavy, at: [l/2, 0, 0]}
joints:
  pin: {revolute: [ground, arm], axis: y, at: [0, 0, 0]}
forces:
  spring: {spring_damper: [ground, arm], points: [[l, 0, 1], [l, 0, 0]], stiffness: k}
outputs:
  tip: {position: arm, at: [l, 0, 0]}
  pull: {tension: spring}
  pin: {reaction: pin}
simulation: {duration: 0.2, step: 1e-3, output_step: 1e-2}
)";

TEST(Overrides, a_parameter_is_the_edited_text) {
  const Model model = model_from(base);
  expect_equal(run(model, Overrides{{"k", 450}}), run(replaced(base, "k: 300", "k: 450")), 0);
  // l appears in places, points and, through another parameter, in the mass
  expect_equal(run(model, Overrides{{"l", 0.7}, {"k", 10}}), run(replaced(replaced(base, "l: 0.5", "l: 0.7"), "k: 300", "k: 10")),
               0);
  expect_equal(run(model, Overrides{{"heavy", 3}}), run(replaced(base, "heavy: 2*l", "heavy: 3")), 0);
}

// rb5 of the five-body mechanism as drawn, as a shape with its own centre of mass, and as a body of bare numbers.
std::string five_body(const std::string& rb5) {
  return replaced(
      with_outputs(example("five-body"),
                   "  point: {position: rb5, at: [0.3, 0.1, 0.6]}\n  force: {reaction: hinge35}\n  place: {position: rb5}\n"),
      "{shape: {box: [2.4, 0.4, 0.1]}, mass: 40, at: [0, 0, 0.55]}", rb5);
}
const std::string drawn = "{shape: {box: [2.4, 0.4, 0.1]}, mass: 40, at: [0, 0, 0.55]}";

// Generalized-α knows the size of the nominal model, which says when round-off is reached: Newton's iteration may end earlier
// or later, and leave 1e-16 m / (β h²) = 1e-6 m/s² of it in accelerations and reactions.
constexpr double round_off_alpha = 1e-5;

void expect_body(const Overrides& overrides, const std::string& explicit_body, double tolerance) {
  const Model model = model_from(five_body(drawn)), same = model_from(five_body(explicit_body));
  expect_equal(run(model, overrides, {.integrator = "runge-kutta"}), run(same, {.integrator = "runge-kutta"}), tolerance);
  expect_equal(run(model, overrides), run(same), round_off_alpha);
}

TEST(Overrides, mass_scales_the_inertia_of_the_shape) {
  expect_body({{"rb5.mass", 25}}, "{shape: {box: [2.4, 0.4, 0.1]}, mass: 25, at: [0, 0, 0.55]}", 1e-10);  // round-off of 25/40 J
}

TEST(Overrides, center_of_mass) {
  expect_body({{"rb5.center_of_mass.x", 0.2}, {"rb5.center_of_mass.y", -0.05}, {"rb5.center_of_mass.z", 0.56}},
              "{shape: {box: [2.4, 0.4, 0.1]}, mass: 40, at: [0, 0, 0.55], center_of_mass: [0.2, -0.05, 0.56]}", 0);
}

TEST(Overrides, inertia) {
  expect_body({{"rb5.inertia.xx", 0.9},
               {"rb5.inertia.yy", 18},
               {"rb5.inertia.zz", 18.5},
               {"rb5.inertia.xy", 0.5},
               {"rb5.inertia.xz", -0.2},
               {"rb5.inertia.yz", 0.1}},
              "{shape: {box: [2.4, 0.4, 0.1]}, mass: 40, at: [0, 0, 0.55], inertia: {xx: 0.9, yy: 18, zz: 18.5, xy: 0.5, xz: "
              "-0.2, yz: 0.1}}",
              0);
}

TEST(Overrides, everything_at_once_is_a_body_of_bare_numbers) {
  const Overrides all = {{"rb5.inertia.xx", 0.9},
                         {"rb5.mass", 30},
                         {"rb5.inertia.yy", 18},
                         {"rb5.inertia.zz", 18.5},
                         {"rb5.center_of_mass.y", 0.02}};
  // What is not set keeps its nominal value; an inertia that is set does not scale with the mass, in whatever order they come.
  expect_body(all, "{mass: 30, at: [0, 0, 0.55], center_of_mass: [0, 0.02, 0.55], inertia: {xx: 0.9, yy: 18, zz: 18.5}}", 0);
}

TEST(Overrides, joint_points_stay_where_they_are) {
  const Model model = model_from(five_body(drawn));
  const Result moved = run(model, Overrides{{"rb5.center_of_mass.x", 0.25}, {"rb5.center_of_mass.z", 0.5}});
  EXPECT_EQ(moved.assembly.violation, 0);  // the drawing still fits
  EXPECT_EQ(moved.at("point.x", 0), 0.3);
  EXPECT_NEAR(moved.at("point.z", 0), 0.6, 1e-15);  // sum of centre of mass and offset
  EXPECT_NEAR(moved.at("place.z", 0), 0.55, 1e-15);
}

TEST(Overrides, the_same_when_given_before_the_model_is_made) {  // as --set does, and as realizations do
  const Overrides o = {{"rb5.mass", 25}, {"rb5.center_of_mass.x", 0.1}};
  const Model nominal = model_from(five_body(drawn));
  const Model set = make_model(nominal.description, o);
  expect_equal(run(set, {.integrator = "runge-kutta"}), run(nominal, o, {.integrator = "runge-kutta"}), 0);
  expect_equal(run(set), run(nominal, o), round_off_alpha);
}

}  // namespace ALEATOR_FILE
}  // namespace aleator::core::test
