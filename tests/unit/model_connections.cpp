// Where joints and forces hang: on bodies, beams and the ground.
#include "model/connections.hpp"

#include <gtest/gtest.h>

#include "model/drawn_frames.hpp"
#include "support/run.hpp"

namespace aleator::core::test {
namespace ALEATOR_FILE {

// Of a body that is turned, with its centre of mass elsewhere than where it was put; and of a beam, whose third node is at x = 1.
const char* const model =
    "bodies:\n"
    "  a: {mass: 1, center_of_mass: [0.1, 0, 0], inertia: {xx: 1, yy: 1, zz: 1}, at: [0, 0, 1], orientation: {axis_angle: {axis: "
    "z, angle: 90 deg}}}\n"
    "  bar: {beam: [[0, 0, 1], [2, 0, 1]], section: {circle: {radius: 0.01}}, material: steel, elements: 4}\n"
    "joints:\n"
    "  hold: {revolute: [ground, a], axis: y, at: [0, 0.3, 1]}\n"
    "  ball: {spherical: [a, bar], at: [0, 0, 1]}\n"
    "forces:\n"
    "  spring: {spring_damper: [ground, bar], points: [[1.1, 0, 0], [1.1, 0, 1]], stiffness: 1}\n"
    "  twist: {torsion_spring: [ground, a], axis: x, stiffness: 1}\n"
    "  hold: {force: bar, at: [2, 0, 1], value: [0, 0, 1]}\n"
    "simulation: {duration: 1}\n";

// A hook as drawn, inertial.
Vec3<double> place(const Model& m, const Hook& h) {
  if (h.frame < 0) return h.point;
  const auto p = frame_pose(m.topology, drawn_frames(m.topology)[size_t(h.frame)], m.nominal.positions.data());
  return Vec3<double>{p[0], p[1], p[2]} + rotation_matrix(Quaternion<double>{p[3], {p[4], p[5], p[6]}}) * h.point;
}

void expect_at(const Model& m, const Hook& h, const Vec3<double>& expected) {
  EXPECT_NEAR(norm(place(m, h) - expected), 0, 1e-14);  // round-off
}

TEST(Connections, hang_where_they_were_drawn) {
  const Model m = model_from(model);
  const std::vector<Connection> all = connections_of(m);
  ASSERT_EQ(all.size(), 5u);
  const Connection &hold = all[0], &ball = all[1], &spring = all[2], &twist = all[3], &load = all[4];
  EXPECT_EQ(hold.kind, "revolute");
  EXPECT_EQ(hold.hooks[0].frame, -1);
  for (const Hook& h : hold.hooks) expect_at(m, h, {0, 0.3, 1});
  EXPECT_TRUE(hold.has_axis);
  EXPECT_NEAR(norm(hold.axis - Vec3<double>{0, 1, 0}), 0, 1e-15);

  EXPECT_FALSE(ball.has_axis);
  for (const Hook& h : ball.hooks) expect_at(m, h, {0, 0, 1});
  const std::vector<DrawnFrame> frames = drawn_frames(m.topology);
  EXPECT_EQ(frames[size_t(ball.hooks[1].frame)].name, "bar.0");

  expect_at(m, spring.hooks[0], {1.1, 0, 0});
  expect_at(m, spring.hooks[1], {1.1, 0, 1});  // between nodes
  EXPECT_EQ(frames[size_t(spring.hooks[1].frame)].name, "bar.2");

  for (const Hook& h : twist.hooks) expect_at(m, h, {0, 0, 1});  // on the ground it is where it is on the body
  EXPECT_NEAR(norm(twist.axis - Vec3<double>{1, 0, 0}), 0, 1e-15);

  EXPECT_EQ(load.name, "hold");  // a force may have the name of a joint
  EXPECT_FALSE(load.is_joint);
  ASSERT_EQ(load.hooks.size(), 1u);
  expect_at(m, load.hooks[0], {2, 0, 1});
}

TEST(Connections, axes_are_those_of_the_first_body) {
  const Model m = model_from(
      "bodies:\n  a: {shape: {sphere: {radius: 0.1}}, mass: 1, orientation: {axis_angle: {axis: z, angle: 90 deg}}}\n"
      "  b: {shape: {sphere: {radius: 0.1}}, mass: 1, at: [1, 0, 0]}\n"
      "joints:\n  slide: {prismatic: [a, b], axis: [0, -2, 0]}\nsimulation: {duration: 1}\n");
  const Connection c = connections_of(m).at(0);
  EXPECT_NEAR(norm(c.axis - Vec3<double>{-1, 0, 0}), 0, 1e-15);  // −y is −x of a
}

TEST(Connections, points_of_outputs) {
  const Model m = model_from(std::string(model) +
                             "outputs:\n"
                             "  spin: {angular_velocity: a}\n"
                             "  end: {position: bar, at: [2, 0, 1]}\n"
                             "  speed: {velocity: bar, at: [2, 0, 1]}\n"  // of the same point
                             "  place: {displacement: a, at: [0.2, 0.3, 1], component: x}\n"
                             "  pull: {reaction: ball}\n");
  const std::vector<ObservedPoint> all = observed_points(m);
  ASSERT_EQ(all.size(), 2u);
  EXPECT_EQ(all[0].output, "end");
  expect_at(m, all[0].hook, {2, 0, 1});
  EXPECT_EQ(all[1].output, "place");
  expect_at(m, all[1].hook, {0.2, 0.3, 1});
}

}  // namespace ALEATOR_FILE
}  // namespace aleator::core::test
