// Models by repeats, templates, mirrors and frames are those that somebody writes by hand, bit for bit; a mirrored part moves as its
// mirror image does.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "input/expanded_text.hpp"
#include "model/language.hpp"
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

}  // namespace ALEATOR_FILE
}  // namespace aleator::core::test
