// Models by repeats, templates, mirrors and frames are those that somebody writes by hand, bit for bit; a mirrored part moves as its
// mirror image does.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <tuple>

#include "input/expanded_text.hpp"
#include "model/language.hpp"
#include "support/message_of.hpp"
#include "support/run.hpp"

namespace aleator::core::test {
namespace ALEATOR_FILE {

void expect_same_bits(const Result& a, const Result& b) {
  ASSERT_EQ(a.names, b.names);
  for (const std::string& name : a.names) EXPECT_EQ(a.channel(name), b.channel(name)) << name;
}

TEST(Reuse, a_chain_by_repeat_is_the_chain_by_hand) {
  const std::string head = "gravity: [0, 0, -9.81]\nparameters: {pitch: 0.1}\nsimulation: {duration: 0.1, step: 1e-3}\n";
  const std::string outputs = "outputs: {tip: {position: link6, at: [6*pitch, 0, 0]}, pull: {reaction: pin1}}\n";
  std::string bodies = "bodies:\n", joints = "joints:\n  pin1: {revolute: [ground, link1], axis: y, at: [0, 0, 0]}\n";
  for (int i = 1; i <= 6; ++i) {
    bodies += fmt::format("  link{0}: {{shape: {{box: [0.09, 0.01, 0.01]}}, mass: 0.01*{0}, at: [pitch*({0}-0.5), 0, 0]}}\n", i);
    if (i > 1)
      joints +=
          fmt::format("  pin{0}: {{revolute: [link{1}, link{0}], axis: y, at: [pitch*{1}, 0, 0], damper: 1e-5}}\n", i, i - 1);
  }
  const std::string by_repeat =
      "bodies:\n  link${i}:\n    repeat: {for: i, from: 1, to: 6}\n    shape: {box: [0.09, 0.01, 0.01]}\n    mass: 0.01*${i}\n"
      "    at: [pitch*(${i}-0.5), 0, 0]\n"
      "joints:\n  pin1: {revolute: [ground, link1], axis: y, at: [0, 0, 0]}\n"
      "  pin${i}: {repeat: {for: i, from: 2, to: 6}, revolute: [link${i-1}, link${i}], axis: y, at: [pitch*${i-1}, 0, 0], "
      "damper: "
      "1e-5}\n";
  expect_same_bits(run(head + by_repeat + outputs), run(head + bodies + joints + outputs));
  const std::string by_blocks =
      "repeat:\n  - {for: i, from: 1, to: 1, bodies: {link1: {shape: {box: [0.09, 0.01, 0.01]}, mass: 0.01*1, at: "
      "[pitch*(1-0.5), 0, "
      "0]}}, "
      "joints: {pin1: {revolute: [ground, link1], axis: y, at: [0, 0, 0]}}}\n"
      "  - for: i\n    from: 2\n    to: 6\n"
      "    bodies: {link${i}: {shape: {box: [0.09, 0.01, 0.01]}, mass: 0.01*${i}, at: [pitch*(${i}-0.5), 0, 0]}}\n"
      "    joints: {pin${i}: {revolute: [link${i-1}, link${i}], axis: y, at: [pitch*${i-1}, 0, 0], damper: 1e-5}}\n";
  expect_same_bits(run(head + by_blocks + outputs), run(head + bodies + joints + outputs));
}

// A leg with all that has a side: oblique axes, products of inertia, an orientation, a motion, a spring at rest elsewhere, a stop on
// one side, loads with a direction, an initial velocity.
const std::string leg = R"yaml(
templates:
  leg:
    parameters: {length: 0.3}
    bodies:
      thigh: {mass: 1.2, at: [0.01, 0.05, -0.15], center_of_mass: [0.012, 0.055, "-${length}/2"],
              inertia: {xx: 0.01, yy: 0.011, zz: 0.004, xy: 0.0005, yz: -0.0003, xz: 0.0002}, angular_velocity: [0.3, 0.2, 0.1]}
      shank: {shape: {prism: {polygon: [[0, 0], [0.04, 0], [0.01, 0.05]], length: "${length}"}}, density: 900,
              at: [0.01, 0.05, "-1.5*${length}"], orientation: {rpy: [0.1, 0.2, 0.3]}}
      toe: {shape: {sphere: {radius: 0.02}}, mass: 0.2, at: [0.05, 0.05, "-2*${length}"], velocity: [0.1, 0.2, 0]}
    joints:
      hip: {revolute: [ground, thigh], axis: [0.1, 1, 0.2], at: [0, 0.05, 0], motion: {sine: {amplitude: 0.2, frequency: 1}}}
      knee: {revolute: [thigh, shank], axis: [0, 1, 0.1], at: [0.01, 0.05, "-${length}"], spring: {stiffness: 5, rest: 0.1},
             stops: {lower: -0.02, stiffness: 1e3}}
      ankle: {universal: [shank, toe], axis: x, second_axis: y, at: [0.01, 0.05, "-2*${length}"], damper: {rx: 0.01, ry: 0.02}}
    forces:
      push: {force: shank, value: [1, "2*sin(3*t)", {ramp: {from: 0, to: 0.1, height: 3}}]}
      twist: {torque: toe, value: [0.01, 0.02, "0.03*cos(t)"]}
      coil: {torsion_spring: [thigh, shank], axis: [0, 1, 0.1], stiffness: 3, angle: 0.2}
      strut: {spring_damper: [ground, shank], points: [[0.1, 0.2, 0.1], [0.01, 0.05, "-1.2*${length}"]], stiffness: 50, length: 0.3}
    outputs:
      foot: {position: toe, at: [0.05, 0.05, "-2*${length}"]}
      spin: {angular_velocity: shank}
      bend: {coordinate: knee}
      force: {reaction: knee}
)yaml";
const std::string rest = "gravity: [0, 0, -9.81]\nsimulation: {duration: 0.3, step: 1e-3, integrator: runge-kutta}\n";

// Positions and forces are mirrored, angular velocities the other way round, coordinates of joints are the same.
TEST(Reuse, a_mirrored_part_moves_as_its_mirror_image) {
  const Result r = run(leg + rest + "instances: {l: {template: leg}, r: {template: leg, mirror: xz}}\n");
  // Round-off: other signs, the same operations in another order
  const auto expect = [&](const std::string& channel, double sign) {
    const std::vector<double> a = r.channel("l." + channel), b = r.channel("r." + channel);
    for (size_t k = 0; k < a.size(); ++k) ASSERT_NEAR(a[k], sign * b[k], 1e-9 * (1 + std::abs(a[k]))) << channel << " " << k;
  };
  expect("foot.x", 1), expect("foot.y", -1), expect("foot.z", 1);
  expect("spin.x", -1), expect("spin.y", 1), expect("spin.z", -1);
  expect("bend", 1);
  expect("force.x", 1), expect("force.y", -1), expect("force.z", 1);
  EXPECT_GT(std::abs(r.last("l.bend")), 0.01) << "it moves";
}

// Mirrored at the other planes, and turned and put elsewhere: gravity along the same axis of the part.
TEST(Reuse, a_part_that_is_rotated_moves_alike) {
  const std::string turned = "gravity: [0, 9.81, 0]\nsimulation: {duration: 0.3, step: 1e-3, integrator: runge-kutta}\n";
  const Result a = run(leg + rest + "instances: {p: {template: leg}, q: {template: leg, mirror: yz}}\n");
  // x → z, y → x, z → −… : the axes of the part are those columns, and gravity is along −z of the part
  const std::string R = "{matrix: [[0, 1, 0], [0, 0, -1], [-1, 0, 0]]}";
  const Result b = run(leg + turned + "instances: {p: {template: leg, at: [1, 2, 3], orientation: " + R +
                       "}, q: {template: leg, mirror: yz, at: [1, 2, 3], orientation: " + R + "}}\n");
  for (const std::string part : {"p", "q"}) {
    const auto expect = [&](const std::string& of_a, const std::string& of_b, double sign, double offset) {
      const std::vector<double> u = a.channel(part + of_a), v = b.channel(part + of_b);
      for (size_t k = 0; k < u.size(); ++k) ASSERT_NEAR(sign * u[k] + offset, v[k], 1e-9 * (1 + std::abs(v[k]))) << part << of_b;
    };
    expect(".foot.y", ".foot.x", 1, 1), expect(".foot.z", ".foot.y", -1, 2), expect(".foot.x", ".foot.z", -1, 3);
    expect(".spin.y", ".spin.x", 1, 0), expect(".spin.z", ".spin.y", -1, 0), expect(".spin.x", ".spin.z", -1, 0);
    expect(".bend", ".bend", 1, 0);
  }
}

// What check --expanded prints is the model.
TEST(Reuse, the_expanded_text_is_the_same_model) {
  const std::string text =
      leg + rest +
      "instances: {l: {template: leg, at: [0.1, 0, 0]}, r: {template: leg, mirror: xz, orientation: {rpy: [90 deg, "
      "0, 0]}}}\nuncertain: {l.thigh: {mass: {cov: 0.1}}}\n";
  const Model m = model_from(text);
  const std::string expanded = input::expanded_text(m.description, language());
  expect_same_bits(run(m), run(expanded));
}

// A beam, a cable and a motion of a whole instance.
TEST(Reuse, flexible_parts_and_motions_of_instances) {
  const std::string part = R"yaml(
templates:
  arm:
    bodies:
      hub: {shape: {sphere: {radius: 0.05}}, mass: 1, at: [0, 0, 0]}
      blade: {beam: [[0, 0, 0], [0.5, 0.1, 0]], section: {rectangle: {width: 0.02, height: 0.005}}, E: 7e10, nu: 0.3, density: 2700,
              elements: 2}
    joints: {root: {fixed: [hub, blade], at: [0, 0, 0]}}
    outputs: {tip: {velocity: blade, at: [0.5, 0.1, 0]}}
    initial_motions: {spin: {angular_velocity: [0, 0, 3]}}
instances:
  a: {template: arm, at: [0, 0, 1]}
  b: {template: arm, mirror: xz, at: [0, 0, 2]}
  c: {template: arm, orientation: {rpy: [0, 90 deg, 0]}}
initial_motions: {drive: {bodies: [a], velocity: [0, 0, 5]}}
simulation: {duration: 0.01, step: 1e-4}
)yaml";
  const Result r = run(part);
  // Rigid motion at the start: v + ω × r, exact but for the projection
  EXPECT_NEAR(r.at("a.tip.x", 0), -0.3, 1e-9);
  EXPECT_NEAR(r.at("a.tip.y", 0), 1.5, 1e-9);
  EXPECT_NEAR(r.at("a.tip.z", 0), 5, 1e-9);
  EXPECT_NEAR(r.at("b.tip.x", 0), -0.3, 1e-9);
  EXPECT_NEAR(r.at("b.tip.y", 0), -1.5, 1e-9);
  EXPECT_NEAR(r.at("c.tip.z", 0), 0.3, 1e-9);
  EXPECT_NEAR(r.at("c.tip.y", 0), 1.5, 1e-9);
}

// A part, as it is and turned in three ways: positions and angular velocities turn with it, coordinates are the same.
void expect_turned_alike(const std::string& entries, const std::vector<std::string>& directions, const std::string& more = "") {
  SCOPED_TRACE(entries);
  std::string outputs = "      p: {position: b}\n      w: {angular_velocity: b}\n";
  for (const std::string& d : directions)
    outputs += fmt::format("      {0}: {{coordinate: j, direction: {0}}}\n      d{0}: {{rate: j, direction: {0}}}\n", d);
  const std::string body = more.empty() ? "inertia: {xx: 1, yy: 1.2, zz: 1.5, xy: 0.1}, angular_velocity: [0.1, 0.2, 0.3]" : more;
  const Result r = run("templates:\n  part:\n    bodies: {b: {mass: 1, at: [0.1, 0.2, 0.3], " + body + "}}\n" + entries +
                       "    outputs:\n" + outputs +
                       "instances:\n  o: {template: part}\n  quarter: {template: part, orientation: {rpy: [0, 0, 90 deg]}}\n"
                       "  tilted: {template: part, orientation: {rpy: [90 deg, 0, 0]}}\n"
                       "  oblique: {template: part, at: [1, 2, 3], orientation: {rpy: [0.3, 0.4, 0.5]}}\n"
                       "simulation: {duration: 0.2, step: 2e-3, output_step: 0.02, integrator: runge-kutta}\n");
  const auto about = [](const Vec3<double>& v) { return rotation_matrix(exponential(v)); };
  const double right = std::acos(0.0);
  const std::tuple<std::string, Mat3<double>, Vec3<double>> turns[] = {
      {"quarter.", about({0, 0, right}), {}},
      {"tilted.", about({right, 0, 0}), {}},
      {"oblique.", about({0, 0, 0.5}) * (about({0, 0.4, 0}) * about({0.3, 0, 0})), {1, 2, 3}}};
  for (const auto& [part, R, at] : turns) {
    const auto vector = [&](const std::string& name, size_t k) {
      return Vec3<double>{r.channel(name + ".x")[k], r.channel(name + ".y")[k], r.channel(name + ".z")[k]};
    };
    for (size_t k = 0; k < r.times.size(); ++k) {
      // Positions satisfy constraints to 1e-10; an angle of a small arm less well
      ASSERT_LT(norm(at + R * vector("o.p", k) - vector(part + "p", k)), 1e-8) << part << k;
      ASSERT_LT(norm(R * vector("o.w", k) - vector(part + "w", k)), 1e-7) << part << k;
      for (const std::string& d : directions) {
        ASSERT_NEAR(r.channel("o." + d)[k], r.channel(part + d)[k], 1e-8) << part << d;
        ASSERT_NEAR(r.channel("o.d" + d)[k], r.channel(part + "d" + d)[k], 1e-7) << part << d;
      }
    }
  }
  double moved = 0;
  for (const std::string x : {"o.p.x", "o.p.y", "o.p.z", "o.w.x", "o.w.y", "o.w.z"})
    moved = std::max(moved, std::abs(r.last(x) - r.channel(x)[0]));
  EXPECT_GT(moved, 1e-3) << "it moves";
}

TEST(Reuse, joints_whose_directions_have_names_turn_with_their_part) {
  const auto joint = [](const std::string& text) { return "    joints: {j: {" + text + ", at: [0.05, 0, 0.1]}}\n"; };
  const std::string springs =
      "spring: {x: {stiffness: 10, rest: 0.1}, y: {stiffness: 20, rest: -0.05, preload: 0.1}}, damper: "
      "{x: 0.1, y: 0.2}, stops: {y: {upper: 0.001, stiffness: 50}}";
  for (const char* axis : {"z", "-z", "[0.3, -0.2, 0.9]"}) {
    expect_turned_alike(joint(fmt::format("planar: [ground, b], axis: {}, {}, actuator: {{rz: 0.3}}", axis, springs)),
                        {"x", "y", "rz"});
    expect_turned_alike(joint(fmt::format("planar: [ground, b], axis: {}, motion: {{x: 0.1*t, y: 0*t, rz: 0.2*t^2}}", axis)),
                        {"x", "y", "rz"});
  }
  expect_turned_alike(joint("planar: [ground, b], axis: y, motion: {z: 0.1*t, x: -0.3*t}"), {"x", "z", "ry"});
  expect_turned_alike(joint("cylindrical: [ground, b], axis: z, motion: {z: 0.1*t, rz: 0.3*t}"), {"z", "rz"});
  expect_turned_alike(joint("cylindrical: [ground, b], axis: -x, actuator: {x: 1, rx: 0.2}"), {"x", "rx"});
  expect_turned_alike(joint("prismatic: [ground, b], axis: -x, motion: {x: 0.1*t}"), {"x"});
  expect_turned_alike(joint("revolute: [ground, b], axis: y, spring: {ry: {stiffness: 3, rest: 0.3}}"), {"ry"});
  expect_turned_alike(joint("screw: [ground, b], axis: x, pitch: 0.1, actuator: {rx: 0.5}"), {"x", "rx"});
  expect_turned_alike(joint("spherical: [ground, b], motion: {rx: 0.1*t, ry: 0.2*t^2, rz: 0.3*t}"), {});
  expect_turned_alike(joint("point_on_line: [ground, b], axis: x, motion: {x: 0.1*t^2}"), {"x"});
  expect_turned_alike(joint("point_on_plane: [ground, b], axis: z, " + springs), {"x", "y"});
  expect_turned_alike(joint("universal: [ground, b], axis: x, second_axis: y, spring: {rx: {stiffness: 3, rest: 0.3}}"),
                      {"rx", "ry"});
  expect_turned_alike(joint("generic: [ground, b], locked: [z, rx], motion: {x: 0.1*t}, spring: {y: {stiffness: 20, rest: 0.1}}"),
                      {"x", "y", "ry", "rz"});
}

TEST(Reuse, bushings_and_tensors_turn_with_their_part) {
  expect_turned_alike(
      "    forces: {f: {bushing: [ground, b], at: [0, 0, 0.1], stiffness: [10, 20, 30], damping: [1, 2, 3], "
      "rotational_stiffness: "
      "[3, 2, 1], hysteresis: {x: {stiffness: 5, yield_force: 0.02, post_yield_ratio: 0.1}}}}\n",
      {});
  for (const std::string more : {"", ", inertia_axes: inertial", ", inertia_axes: body", ", orientation: {rpy: [0.2, 0.1, 0.7]}",
                                 ", orientation: {rpy: [0.2, 0.1, 0.7]}, inertia_axes: body"})
    expect_turned_alike("", {}, "inertia: {xx: 1, yy: 2, zz: 2.5, yz: 0.2}, angular_velocity: [1, 2, 3]" + more);
}

// Entries that are placed by a frame.
TEST(Reuse, a_planar_joint_in_a_frame_that_is_rotated) {
  const Result r = run(R"yaml(
frames: {turned: {orientation: {rpy: [0, 0, 90 deg]}}, half: {orientation: {rpy: [0, 0, 180 deg]}}}
bodies: {a: {mass: 1, inertia: {xx: 1, yy: 1, zz: 1}, at: [0, 0, 0]}, b: {mass: 1, inertia: {xx: 1, yy: 1, zz: 1}, at: [0, 0, 0]}}
joints:
  a: {in: turned, planar: [ground, a], axis: z, at: [0, 0, 0], motion: {x: 0.1*t, y: 0*t, rz: 0*t}}
  b: {in: half, planar: [ground, b], axis: z, at: [0, 0, 0], motion: {x: 0.1*t, y: 0*t, rz: 0*t}}
outputs: {a: {position: a}, b: {position: b}}
simulation: {duration: 1, step: 0.01, integrator: runge-kutta}
)yaml");
  const double on_constraints = 1e-9;
  EXPECT_NEAR(r.last("a.x"), 0, on_constraints);
  EXPECT_NEAR(r.last("a.y"), 0.1, on_constraints);
  EXPECT_NEAR(r.last("b.x"), -0.1, on_constraints);
  EXPECT_NEAR(r.last("b.y"), 0, on_constraints);
}

// In a plane an axis in it that is oblique keeps its names, too.
TEST(Reuse, a_slider_in_a_plane_that_is_rotated) {
  const Result r = run(R"yaml(
plane: xy
templates:
  part:
    bodies: {b: {mass: 1, inertia: 1, at: [0, 0]}}
    joints: {j: {prismatic: [ground, b], axis: y, motion: {y: 0.1*t}}}
    outputs: {p: {position: b}, q: {coordinate: j, direction: y}}
instances: {s: {template: part, orientation: 30 deg}}
simulation: {duration: 1, step: 0.01, integrator: runge-kutta}
)yaml");
  EXPECT_NEAR(r.last("s.q"), 0.1, 1e-9);
  EXPECT_NEAR(r.last("s.p.x"), -0.05, 1e-9);
  EXPECT_NEAR(r.last("s.p.y"), 0.1 * std::sqrt(0.75), 1e-9);
  const auto tilted = [] {
    model_from(
        "plane: xy\nbodies: {b: {mass: 1, inertia: 1, at: [0, 0]}}\n"
        "joints: {j: {prismatic: [ground, b], axis: x, orientation: {rpy: [10 deg, 0, 0]}}}\n"
        "simulation: {duration: 1, step: 0.01}\n");
  };
  EXPECT_EQ(input_message_of(tilted), "joint 'j': in a planar model 'orientation' must turn about the normal, as one angle does");
}

}  // namespace ALEATOR_FILE
}  // namespace aleator::core::test
