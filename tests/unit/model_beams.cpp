// Beams in the language: what is understood of them, and what is refused.
#include <gtest/gtest.h>

#include <cmath>

#include "input/error.hpp"
#include "model/drawn_frames.hpp"
#include "support/message_of.hpp"
#include "support/run.hpp"

namespace aleator::core::test {
namespace ALEATOR_FILE {

const std::string steel_bar = "section: {rectangle: {height: 0.02, width: 0.01}}, material: steel";

std::string planar(const std::string& beam, const std::string& more = "") {
  return "plane: xy\nparameters: {length: 1}\nbodies:\n  bar: {" + beam + "}\nsimulation: {duration: 1}\n" + more;
}
std::string spatial(const std::string& beam, const std::string& more = "") {
  return "bodies:\n  bar: {" + beam + "}\nsimulation: {duration: 1}\n" + more;
}

std::string message_of(const std::string& yaml, const std::vector<Override>& overrides = {}) {
  return test::input_message_of([&] {
    const Model m = model_from(yaml);
    realize(m, overrides);
  });
}

TEST(Beams, mass_properties_of_a_straight_bar) {
  const Model m = model_from(spatial("beam: [[0, 0, 0], [3, 4, 0]], " + steel_bar));
  const BodyProperties& p = m.bodies[0];
  const double mass = 7850 * 0.02 * 0.01 * 5;
  EXPECT_NEAR(p.mass, mass, 1e-12 * mass);
  EXPECT_NEAR(norm(p.center_of_mass - Vec3<double>{1.5, 2, 0}), 0, 1e-12);
  // about z: m (l² + w²)/12 with the width across the plane of height: the height is along z
  EXPECT_NEAR(p.inertia[2][2], mass * (25 + 0.01 * 0.01) / 12, 1e-12 * mass * 25);
  EXPECT_EQ(p.length, 5);
  EXPECT_EQ(p.stations.size(), 20u);
  EXPECT_EQ(m.topology.carriers.size(), 10u);  // two for each of five nodes
}

TEST(Beams, everything_follows_a_dimension) {
  const Model m = model_from(planar("beam: [[0, 0], [length, 0]], " + steel_bar,
                                    "joints:\n  pin: {revolute: [ground, bar], at: [length, 0]}\n"
                                    "outputs:\n  end: {position: bar, at: [length/2, 0], component: x}\n"));
  const std::vector<Override> longer = {{"length", 1.7}};
  EXPECT_NEAR(realize_bodies(m, longer)[0].mass, 1.7 * m.bodies[0].mass, 1e-12);
  const Result r = run(m, longer, {.step = 0.1, .output_step = 0.5});
  EXPECT_NEAR(r.at("end", 0), 0.85, 1e-15);
}

TEST(Beams, properties_along_the_axis) {  // a wedge has the mass of its mean height
  const Model m =
      model_from(planar("beam: [[0, 0], [2, 0]], elements: 3, " + steel_bar + ", along: {height: [[0, 0.03], [2, 0.01]]}"));
  EXPECT_NEAR(m.bodies[0].mass, 7850 * 0.02 * 0.01 * 2, 1e-12);
  EXPECT_GT(m.bodies[0].height.front(), 0.029);
  EXPECT_LT(m.bodies[0].height.back(), 0.011);
  EXPECT_LT(m.bodies[0].center_of_mass.x, 1);
}

TEST(Beams, overrides_replace_a_property) {
  const Model m = model_from(planar("beam: [[0, 0], [1, 0]], elements: 2, " + steel_bar));
  std::vector<double> density(10, 1000);
  density[9] = 2000;  // the last Gauss point weighs 0.118 of its element
  const std::vector<Override> field = {{"bar.density", 0, density}}, number = {{"bar.density", 1000}};
  EXPECT_NEAR(realize_bodies(m, number)[0].mass, 0.2, 1e-14);
  EXPECT_NEAR(realize_bodies(m, field)[0].mass, 0.2 + 0.5 * 0.11846344252809454 * 0.2, 1e-14);
}

TEST(Beams, frames_at_the_nodes) {
  const Model m = model_from(planar("beam: [[0, 0], [0, 2]], elements: 2, " + steel_bar));
  const std::vector<DrawnFrame> frames = drawn_frames(m.topology);
  ASSERT_EQ(frames.size(), 3u);
  EXPECT_EQ(frames[2].name, "bar.2");
  const auto pose = frame_pose(m.topology, frames[2], m.nominal.positions.data());
  const Mat3<double> R = rotation_matrix(Quaternion<double>{pose[3], {pose[4], pose[5], pose[6]}});
  EXPECT_NEAR(norm(R.column(0) - Vec3<double>{0, 1, 0}), 0, 1e-14);   // along the beam
  EXPECT_NEAR(norm(R.column(1) - Vec3<double>{-1, 0, 0}), 0, 1e-14);  // its height, to the left
  EXPECT_NEAR(pose[1], 2, 1e-15);
}

TEST(Beams, messages_about_the_beam) {
  EXPECT_EQ(message_of(planar("beam: [[0, 0], [1, 0]], material: steel")), "body 'bar': 'section' is missing");
  EXPECT_EQ(message_of(planar("beam: [[0, 0], [1, 0]], section: {circle: {radius: 0.01}}")),
            "body 'bar': 'E' is missing; give it, or a 'material' that has it (as in material: steel)");
  EXPECT_EQ(message_of(planar("beam: [[0, 0], [1, 0]], section: {circle: {radius: 0.01}}, material: stel")),
            "body 'bar': unknown material 'stel' (did you mean 'steel'?)");
  EXPECT_EQ(message_of(planar("beam: [[0, 0], [1, 0]], " + steel_bar + ", nu: 0.5")),
            "body 'bar': 'nu' must lie between -1 and 0.5, found 0.5");
  EXPECT_EQ(message_of(planar("beam: [[0, 0]], " + steel_bar)),
            "body 'bar': a beam needs at least two points, its start and its end");
  EXPECT_EQ(message_of(planar("beam: [[0, 0], [1, 0]], section: {tube: {radius: 0.01, inner_radius: 0.02}}, material: steel")),
            "body 'bar': 'section.tube': the inner radius must be smaller than the outer, 0.01");
  EXPECT_EQ(message_of(planar("beam: [[0, 0], [1, 0]], " + steel_bar + ", height_along: y")),
            "body 'bar': 'height_along' has no meaning in a planar model");
  EXPECT_EQ(message_of(spatial("beam: [[0, 0, 0], [0, 0, 1]], " + steel_bar + ", height_along: z")),
            "body 'bar': 'height_along' is the direction of the beam itself somewhere; the height of the section lies across it");
  EXPECT_EQ(message_of(planar("beam: [[0, 0], [1, 0]], " + steel_bar), {{"bar.mass", 2}}),
            "'bar.mass': E, nu, density and height of a beam can be set");
  EXPECT_EQ(message_of(planar("beam: [[0, 0], [1, 0]], " + steel_bar), {{"bar.E", -2e9}}),
            "body 'bar': 'E' must be positive, found -2e+09");
}

TEST(Beams, messages_about_points_on_it) {
  const std::string bar = "beam: [[0, 0], [1, 0]], " + steel_bar;
  EXPECT_EQ(message_of(planar(bar, "joints:\n  pin: {revolute: [ground, bar], at: [0.5, 0.3]}\n")),
            "joint 'pin': the point [0.5, 0.3] is not on 'bar': the nearest one of its axis is 0.3 m away");
  EXPECT_EQ(message_of(planar(bar, "forces:\n  load: {force: bar, at: [1.2, 0], value: [1, 0]}\n")),
            "force 'load': the point [1.2, 0] is not on 'bar': the nearest one of its axis is 0.2 m away");
  EXPECT_EQ(message_of(planar(bar, "joints:\n  pin: {revolute: [ground, bar], at: [0.5, 0.01]}\n")),
            "no error");  // on its surface
  EXPECT_EQ(message_of("plane: xy\nbodies:\n  a: {shape: {sphere: {radius: 0.1}}, mass: 1}\nsimulation: {duration: 1}\n"
                       "outputs:\n  n: {section_force: a}\n"),
            "output 'n': 'a' is not a beam or cable, and has no cross-sections");
}

}  // namespace ALEATOR_FILE
}  // namespace aleator::core::test
