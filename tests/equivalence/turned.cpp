// Mechanics does not know where up is: the five-body mechanism put elsewhere and turned by an arbitrary rotation, gravity
// included, gives the same results in its own axes.
#include <fmt/format.h>

#include "compare.hpp"
#include "support/model_text.hpp"

namespace aleator::core::test {
namespace ALEATOR_FILE {

const Mat3<double> R = rotation_matrix(exponential(Vec3<double>{0.7, -1.1, 0.4}));
const Vec3<double> shift = {3, -2, 5};

std::string vector(const Vec3<double>& v) { return fmt::format("[{:.17g}, {:.17g}, {:.17g}]", v.x, v.y, v.z); }
std::string turned(double x, double y, double z) { return vector(R * Vec3<double>{x, y, z}); }
std::string at(double x, double y, double z) { return vector(shift + R * Vec3<double>{x, y, z}); }
std::string axes() { return fmt::format("{{matrix: [{}, {}, {}]}}", vector(R[0]), vector(R[1]), vector(R[2])); }

// examples/five-body.yaml with rb5 unsymmetric, so that it moves in all directions.
std::string five_body_turned() {
  const auto cylinder = [](double x, double z) {
    return fmt::format("{{shape: {{cylinder: {{radius: 0.03, length: 0.2, axis: z}}}}, mass: 4, at: {}, orientation: {}}}",
                       at(x, 0, z), axes());
  };
  const auto bushing = [](const char* bodies, double x) {
    return fmt::format(
        "{{bushing: {}, at: {}, orientation: {}, stiffness: [1e6, 1e6, 2.8e5], damping: [300, 300, 260], "
        "rotational_stiffness: [1e5, 1e5, 1e5], rotational_damping: [50, 50, 50]}}",
        bodies, at(x, 0, 0.25), axes());
  };
  std::string s = fmt::format("gravity: {}\nbodies:\n", turned(0, 0, -9.81));
  s += fmt::format("  rb1: {}\n  rb2: {}\n  rb3: {}\n  rb4: {}\n", cylinder(-1, 0.1), cylinder(1, 0.1), cylinder(-1, 0.4),
                   cylinder(1, 0.4));
  s += fmt::format("  rb5: {{shape: {{box: [2.4, 0.4, 0.1]}}, mass: 40, at: {}, center_of_mass: {}, orientation: {}}}\n",
                   at(0, 0, 0.55), at(0.2, 0.05, 0.56), axes());
  s += fmt::format(
      "joints:\n  guide1: {{prismatic: [ground, rb1], axis: {}, at: {}, motion: {{ramp: {{from: 1e-3, to: 6e-3, height: "
      "0.01}}}}}}\n",
      turned(0, 0, 1), at(-1, 0, 0));
  s += fmt::format(
      "  guide2: {{generic: [ground, rb2], locked: [y, rx, ry, rz], orientation: {}, at: {}, motion: {{z: {{ramp: {{from: "
      "1.1e-2, to: 1.6e-2, height: 0.01}}}}}}}}\n",
      axes(), at(1, 0, 0));
  s += fmt::format(
      "  hinge35: {{revolute: [rb3, rb5], axis: {}, at: {}}}\n  hinge45: {{revolute: [rb4, rb5], axis: {}, at: {}}}\n",
      turned(0, 1, 0), at(-1, 0, 0.5), turned(0, 1, 0), at(1, 0, 0.5));
  s += fmt::format("forces:\n  bushing13: {}\n  bushing24: {}\n", bushing("[rb1, rb3]", -1), bushing("[rb2, rb4]", 1));
  // rb1 keeps its orientation: its axes are those of the whole mechanism
  s += fmt::format(
      "outputs:\n  accel_z: {{acceleration: rb5, at: {}, component: z, in: rb1}}\n  alpha_x: {{angular_acceleration: rb5, "
      "component: x, in: rb1}}\n",
      at(0, 0, 0.55));
  s += fmt::format(
      "  point: {{position: rb5, at: {}, in: rb1}}\n  force: {{reaction: hinge35, in: rb1}}\n  energy: {{kinetic_energy: all}}\n",
      at(0, 0, 0.55));
  return s + "simulation: {duration: 0.03, step: 2e-5, output_step: 1e-4}\n";
}

std::string five_body() {
  return replaced(
      with_outputs(
          replaced(example("five-body"), "step: 1e-4, output_step", "step: 2e-5, output_step"),
          "  point: {position: rb5, at: [0, 0, 0.55], in: rb1}\n  force: {reaction: hinge35}\n  energy: {kinetic_energy: all}\n"),
      "mass: 40, at: [0, 0, 0.55]", "mass: 40, at: [0, 0, 0.55], center_of_mass: [0.2, 0.05, 0.56]");
}

void expect_same(const std::string& integrator, double tolerance) {
  const Result a = run(five_body(), {.integrator = integrator}), b = run(five_body_turned(), {.integrator = integrator});
  for (const std::string& name : a.names) EXPECT_LT(difference(a, b, name), tolerance) << name;
}

// Round-off of positions 6 m from the origin: times stiffness 1e6 N/m over 40 kg for accelerations.
TEST(Turned, runge_kutta) { expect_same("runge-kutta", 1e-9); }
// … and 1e-15 m / (β h²) = 1e-5 m/s² when accelerations are made from positions, 4e-4 N for 40 kg (lateral forces are 20 N).
TEST(Turned, generalized_alpha) { expect_same("generalized-alpha", 1e-4); }

}  // namespace ALEATOR_FILE
}  // namespace aleator::core::test
