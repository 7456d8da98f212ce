// A body made of shapes and the same body given by mass, centre of mass and inertia worked out by hand.
#include "compare.hpp"
#include "support/mesh_files.hpp"
#include "support/temporary_folder.hpp"

namespace aleator::core::test {
namespace ALEATOR_FILE {

std::string tumbling(const std::string& body) {
  return "gravity: [0, 0, -9.81]\n"
         "bodies:\n  b: " +
         body +
         "\n"
         "forces:\n  string: {spring_damper: [ground, b], points: [[0, 0, 2], [0.4, 0.1, 0.2]], stiffness: 300, damping: 2}\n"
         "outputs:\n  p: {position: b, at: [0.4, 0.1, 0.2]}\n  w: {angular_velocity: b}\n  a: {acceleration: b, at: [0, 0, 0]}\n "
         " energy: {energy: all}\n"
         "simulation: {duration: 1, step: 1e-3, output_step: 1e-2, integrator: runge-kutta}\n";
}

struct Sum {  // of masses, about the common centre of mass
  double mass = 0;
  Vec3<double> moment{};
  Mat3<double> about_origin{};
  void add(double m, const Vec3<double>& at, const Mat3<double>& inertia) {
    mass += m;
    moment += m * at;
    about_origin += inertia + m * (dot(at, at) * Mat3<double>::identity() - outer(at, at));
  }
  std::string yaml(const std::string& more = "") const {
    const Vec3<double> c = (1 / mass) * moment;
    const Mat3<double> J = about_origin - mass * (dot(c, c) * Mat3<double>::identity() - outer(c, c));
    return "{mass: " + text(mass) + ", center_of_mass: [" + text(c.x) + ", " + text(c.y) + ", " + text(c.z) +
           "], inertia: {xx: " + text(J[0][0]) + ", yy: " + text(J[1][1]) + ", zz: " + text(J[2][2]) + ", xy: " + text(J[0][1]) +
           ", xz: " + text(J[0][2]) + ", yz: " + text(J[1][2]) + "}" + more + "}";
  }
};

void expect_same(const std::string& shapes, const std::string& numbers) {
  // Round-off of sums of moments, over a second of tumbling.
  expect_equal(run(tumbling(shapes)), run(tumbling(numbers)), 1e-11);
}

Mat3<double> box(double m, double a, double b, double c) {
  return (m / 12) * Mat3<double>::diagonal({b * b + c * c, a * a + c * c, a * a + b * b});
}

TEST(Shapes, a_hammer_of_wood_and_steel) {
  const double handle = 700 * 0.8 * 0.03 * 0.04, pi = std::acos(-1.0), head = 7800 * pi * 0.03 * 0.03 * 0.2;
  const double across = head * (3 * 0.03 * 0.03 + 0.2 * 0.2) / 12, along = head * 0.03 * 0.03 / 2;
  Sum sum;
  sum.add(handle, {0.4, 0, 0}, box(handle, 0.8, 0.03, 0.04));
  sum.add(head, {0.75, 0, 0.05}, Mat3<double>::diagonal({across, along, across}));
  expect_same(
      "{density: 700, shapes: [{box: [0.8, 0.03, 0.04], at: [0.4, 0, 0]}, {cylinder: {radius: 0.03, length: 0.2, axis: y}, "
      "density: 7800, at: [0.75, 0, 0.05]}]}",
      sum.yaml());
}

TEST(Shapes, a_mass_is_shared_by_volume) {
  const double v1 = 0.1 * 0.2 * 0.3, v2 = 4 * std::acos(-1.0) / 3 * 0.1 * 0.1 * 0.1, m1 = 5 * v1 / (v1 + v2),
               m2 = 5 * v2 / (v1 + v2);
  Sum sum;
  sum.add(m1, {0, 0.1, 0}, box(m1, 0.1, 0.2, 0.3));
  sum.add(m2, {0.3, 0, 0.2}, 0.4 * m2 * 0.1 * 0.1 * Mat3<double>::identity());
  expect_same("{mass: 5, shapes: [{box: [0.1, 0.2, 0.3], at: [0, 0.1, 0]}, {sphere: {radius: 0.1}, at: [0.3, 0, 0.2]}]}",
              sum.yaml());
}

TEST(Shapes, a_turned_box_is_a_turned_tensor) {
  const Mat3<double> R = rotation_matrix(exponential((0.6 / std::sqrt(3.0)) * Vec3<double>{1, 1, 1}));
  Sum sum;
  sum.add(2, {0.1, 0.2, 0.3}, R * (box(2, 0.1, 0.2, 0.5) * transpose(R)));
  expect_same(
      "{mass: 2, shape: {box: [0.1, 0.2, 0.5]}, at: [0.1, 0.2, 0.3], orientation: {axis_angle: {axis: [1, 1, 1], angle: 0.6}}}",
      sum.yaml());
}

TEST(Shapes, a_prism_over_a_rectangle_is_a_box) {
  Sum sum;
  sum.add(3, {0.1, 0.2, 0.3}, box(3, 0.4, 0.1, 0.6));
  // the corners' origin is at one of them: [0.1 − 0.2, 0.2 − 0.05, 0.3]
  expect_same(
      "{mass: 3, shape: {prism: {polygon: [[0, 0], [0.4, 0], [0.4, 0.1], [0, 0.1]], length: 0.6, axis: z}}, at: [-0.1, 0.15, "
      "0.3]}",
      sum.yaml());
}

TEST(Shapes, body_axes_for_the_inertia) {
  const Mat3<double> R = rotation_matrix(exponential(Vec3<double>{0, 0, 0.5}));
  Sum sum;
  sum.add(2, {0, 0, 0}, R * (Mat3<double>::diagonal({0.1, 0.2, 0.25}) * transpose(R)));
  expect_same("{mass: 2, inertia: {xx: 0.1, yy: 0.2, zz: 0.25}, inertia_axes: body, orientation: {rpy: [0, 0, 0.5]}}",
              sum.yaml());
}

// m_c : m_s = l : 4r/3; a half sphere has its centre 3r/8 from its plane, and 83/320 m r² about an axis across through it.
TEST(Shapes, a_capsule_is_a_cylinder_and_two_half_spheres) {
  const double r = 0.06, l = 0.3, m = 2, cylinder = m * l / (l + 4 * r / 3), half = (m - cylinder) / 2;
  Sum sum;
  const Vec3<double> at = {0.1, 0.2, 0.3};
  const double across = cylinder * (3 * r * r + l * l) / 12;
  sum.add(cylinder, at, Mat3<double>::diagonal({cylinder * r * r / 2, across, across}));
  for (const double side : {-1.0, 1.0})
    sum.add(half, at + Vec3<double>{side * (l / 2 + 3 * r / 8), 0, 0},
            half * r * r * Mat3<double>::diagonal({2.0 / 5, 83.0 / 320, 83.0 / 320}));
  expect_same("{mass: 2, shape: {capsule: {radius: 0.06, length: 0.3, axis: x}}, at: [0.1, 0.2, 0.3]}", sum.yaml());
}

TEST(Shapes, an_ellipsoid) {
  const double pi = std::acos(-1.0), a = 0.1, b = 0.2, c = 0.3, m = 700 * 4 * pi / 3 * a * b * c;
  Sum sum;
  sum.add(m, {0.1, 0, 0.2}, (m / 5) * Mat3<double>::diagonal({b * b + c * c, a * a + c * c, a * a + b * b}));
  expect_same("{density: 700, shape: {ellipsoid: {radii: [0.1, 0.2, 0.3]}}, at: [0.1, 0, 0.2]}", sum.yaml());
}

// The box as triangles in millimetres, from one of its corners, beside a sphere, turned.
TEST(Shapes, a_mesh_of_a_box_is_the_box) {
  const TemporaryFolder folder;
  folder.write("box.obj", obj(box_mesh({0, 0, 0}, {400, 100, 200})));
  const auto body = [](const std::string& shape, const std::string& at) {
    return "{mass: 3, orientation: {axis_angle: {axis: z, angle: 0.5}}, shapes: [{" + shape + ", at: " + at +
           "}, {sphere: {radius: 0.05}, at: [0, 0.5, 0.1]}]}";
  };
  const double c = std::cos(0.5), s = std::sin(0.5);
  const std::string centre =
      "[" + text(0.1 + 0.2 * c - 0.05 * s) + ", " + text(0.2 * s + 0.05 * c) + ", " + text(-0.3 + 0.1) + "]";
  const Model mesh = load_model(folder.write("m.yaml", tumbling(body("mesh: box.obj, scale: 1e-3", "[0.1, 0, -0.3]"))));
  // Round-off of the sums over triangles and of 0.001, over a second of tumbling.
  expect_equal(run(mesh), run(tumbling(body("box: [0.4, 0.1, 0.2]", centre))), 1e-11);
}

}  // namespace ALEATOR_FILE
}  // namespace aleator::core::test
