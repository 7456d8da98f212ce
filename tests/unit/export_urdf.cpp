// Trees as URDF and back: the same masses and the same motion; what URDF cannot say is refused or listed.
#include <gtest/gtest.h>

#include <cmath>

#include <aleator/import.hpp>

#include "study/loaded_model.hpp"
#include "support/message_of.hpp"
#include "support/run.hpp"
#include "support/temporary_folder.hpp"

namespace aleator::core::test {
namespace ALEATOR_FILE {

// Every kind of joint that URDF has: floating (nothing holds the hull, which falls), revolute, continuous, prismatic, planar and fixed, one that follows
// another, some written from the child to the parent, with oblique axes and products of inertia.
const std::string bodies = R"(
title: Tree & branches <of> all kinds
gravity: [0, 0, -9.81]
bodies:
  hull: {mass: 6, at: [0.1, 0.2, 1.3], center_of_mass: [0.12, 0.21, 1.33], inertia: {xx: 0.3, yy: 0.4, zz: 0.5, xy: 0.02, xz: -0.01, yz: 0.03}}
  upper: {mass: 1.5, at: [0.4, 0.2, 1.2], inertia: {xx: 0.01, yy: 0.05, zz: 0.052, xy: 0.002}}
  lower: {shape: {capsule: {radius: 0.03, length: 0.4}}, mass: 0.8, at: [0.7, 0.25, 1], orientation: {rpy: [0.3, -0.2, 0.5]}}
  hand: {shape: {box: [0.1, 0.05, 0.02]}, mass: 0.3, at: [0.9, 0.3, 0.8], color: "#ff8000"}
  left: {shape: {sphere: {radius: 0.02}}, mass: 0.05, at: [0.95, 0.35, 0.75]}
  right: {shape: {cylinder: {radius: 0.01, length: 0.06}}, mass: 0.05, at: [0.95, 0.25, 0.75]}
  mast: {mass: 2, at: [0, 0, 1], inertia: {xx: 0.2, yy: 0.2, zz: 0.02}, point_masses: {lamp: {mass: 0.2, at: [0.1, 0, 2]}}}
  puck: {shape: {cylinder: {radius: 0.1, length: 0.05}}, mass: 0.7, at: [1, 1, 0]}
joints:
  shoulder: {revolute: [mast, upper], axis: [0.2, 1, 0.1], at: [0.2, 0.2, 1.25], damper: 0.1, stops: {lower: -2, upper: 2.5, stiffness: 1000}}
  elbow: {revolute: [lower, upper], axis: [0, -1, 0.3], at: [0.55, 0.22, 1.1]}
  slide: {prismatic: [lower, hand], axis: [1, 0, -1], at: [0.85, 0.3, 0.85], damper: 2}
  left_finger: {revolute: [hand, left], axis: z, at: [0.92, 0.32, 0.77], damper: 0.01}
  right_finger: {revolute: [hand, right], axis: [0, 0, -2], at: [0.92, 0.28, 0.77]}
  fingers: {gear: [left_finger, right_finger], ratio: -0.7}
  weld: {fixed: [mast, ground], at: [0, 0, 0]}
  floor: {planar: [ground, puck], axis: [0.6, 0, 0.8], at: [1, 1, 0], damper: {x: 0.4, y: 0.4, rz: 0.4}}
)";
const std::string rest = R"(
outputs:
  hull: {position: hull, at: [0.5, 0.5, 1.5]}
  upper: {position: upper, at: [0.5, 0.2, 1.2]}
  lower: {position: lower, at: [0.8, 0.3, 1]}
  hand: {position: hand, at: [1, 0.3, 0.8]}
  left: {position: left, at: [1, 0.4, 0.7]}
  right: {position: right, at: [1, 0.2, 0.7]}
  puck: {position: puck, at: [1.1, 1.2, 0]}
  spin: {angular_velocity: hand}
  shoulder: {coordinate: shoulder}
  elbow: {coordinate: elbow}
  slide: {coordinate: slide}
  right_finger: {coordinate: right_finger}
simulation: {duration: 0.4, step: 1e-3, output_step: 0.05, integrator: runge-kutta}
)";

TEST(ExportUrdf, what_is_imported_again_is_the_same) {
  const aleator::Model model = aleator::model_from_text(bodies + rest);
  const ExportedText robot = export_urdf(model);
  EXPECT_EQ(robot.notes, std::vector<std::string>{"stops became limits: URDF has neither their stiffness nor their damping"});
  const TemporaryFolder folder;
  folder.write("r.urdf", robot.text);
  const aleator::Model again = aleator::load_model(folder.write("m.yaml", "urdf: r.urdf\n" + rest));
  const core::Model &a = model.compiled().model, &b = again.compiled().model;
  ASSERT_EQ(a.topology.body_names.size(), b.topology.body_names.size());
  for (size_t i = 0; i < a.bodies.size(); ++i) {
    const std::string& name = a.topology.body_names[i];
    const auto& names = b.topology.body_names;
    const auto at = std::find(names.begin(), names.end(), name);
    ASSERT_NE(at, names.end()) << name;
    const BodyProperties &p = a.bodies[i], &q = b.bodies[size_t(at - names.begin())];
    // 15 digits of coordinates and moments
    EXPECT_NEAR(p.mass, q.mass, 1e-14 * p.mass) << name;
    for (int k = 0; k < 3; ++k) EXPECT_NEAR(p.center_of_mass[k], q.center_of_mass[k], 1e-14) << name;
    for (int k = 0; k < 9; ++k) EXPECT_NEAR(p.inertia[k / 3][k % 3], q.inertia[k / 3][k % 3], 1e-14) << name;
    EXPECT_EQ(p.shapes.size() + (p.shapes.empty() || p.shapes[0].kind != "capsule" ? 0 : 2), q.shapes.size()) << name;
  }
  const Result x = run(a), y = run(b);
  ASSERT_EQ(x.names, y.names);
  EXPECT_GT(std::abs(x.last("slide")), 0.05) << "it moves";
  for (const std::string& name : x.names) {
    const std::vector<double> u = x.channel(name), v = y.channel(name);
    // Round-off of 15 digits, which grows tenfold at most in this time
    for (size_t k = 0; k < u.size(); ++k) EXPECT_NEAR(u[k], v[k], 1e-9) << name << " " << k;
  }
}

TEST(ExportUrdf, limits_and_friction_are_kept) {
  const ExportedText robot = export_urdf(aleator::model_from_text(
      "bodies: {a: {mass: 1, inertia: {xx: 1, yy: 1, zz: 1}}, b: {mass: 1, inertia: {xx: 1, yy: 1, zz: 1}}}\n"
      "joints:\n  j: {revolute: [ground, a], axis: z, stops: {lower: -0.5, upper: 1.5, stiffness: 10}, friction: {force: 0.3, "
      "velocity: "
      "0.01}}\n"
      "  k: {prismatic: [a, b], axis: x}\nuncertain: {a: {mass: {cov: 10%}}}\nsimulation: {duration: 1}\n"));
  EXPECT_NE(robot.text.find("<dynamics damping=\"0\" friction=\"0.3\"/>"), std::string::npos) << robot.text;
  EXPECT_NE(robot.text.find("<limit lower=\"-0.5\" upper=\"1.5\""), std::string::npos) << robot.text;
  EXPECT_EQ(robot.notes, (std::vector<std::string>{"distributions (`uncertain`) are left out: URDF has none",
                                                   "gravity [0, 0, 0] is left out: URDF states none; `aleator import` and most "
                                                   "simulators take [0, 0, -9.81]",
                                                   "'velocity' of friction is left out: URDF has its force alone",
                                                   "stops became limits: URDF has neither their stiffness nor their damping"}));
  // A slide without stops has no limits when it is read again.
  const TemporaryFolder folder;
  const std::string text = import_text(folder.write("r.urdf", robot.text)).text;
  EXPECT_NE(text.find("stops: {lower: -0.5, upper: 1.5"), std::string::npos) << text;
  EXPECT_EQ(text.find("stops:", text.find("prismatic")), std::string::npos) << text;
}

TEST(ExportUrdf, what_urdf_cannot_say_is_refused_with_its_line) {
  const auto refusal = [](const std::string& text) {
    return message_of<aleator::InputError>([&] { export_urdf(aleator::model_from_text(text + "simulation: {duration: 1}\n")); });
  };
  const std::string two =
      "bodies: {a: {mass: 1, inertia: {xx: 1, yy: 1, zz: 1}}, b: {mass: 1, at: [1, 0, 0], inertia: {xx: 1, yy: 1, zz: 1}}}\n";
  EXPECT_EQ(refusal(two + "joints:\n  j: {revolute: [ground, a], axis: z}\n  k: {revolute: [a, b], axis: z}\n  l: {revolute: [b, "
                          "ground], axis: z, at: [1, 1, 0]}\n"),
            "model.yaml:4:3: joint 'k': closes a loop between 'a' and 'b', and URDF has trees only");
  EXPECT_EQ(
      refusal(two +
              "joints:\n  j: {spherical: [ground, a]}\n  k: {revolute: [a, b], axis: z, spring: {stiffness: 3}, motion: 0}\n"),
      "model.yaml:3:3: joint 'j': URDF has no spherical joint; revolute, prismatic, planar and fixed ones can be exported\n"
      "model.yaml:4:3: joint 'k': URDF has no 'spring'\nmodel.yaml:4:3: joint 'k': URDF has no 'motion'");
  EXPECT_EQ(refusal(two + "joints:\n  j: {revolute: [ground, a], axis: z, stops: {lower: 0, stiffness: 3}}\n"),
            "model.yaml:3:3: joint 'j': URDF has limits on both sides or none");
  EXPECT_EQ(refusal(two + "forces:\n  s: {spring_damper: [a, b], points: [[0, 0, 0], [1, 0, 0]], stiffness: 3}\n"),
            "model.yaml:3:3: force 's': URDF has no spring_damper");
  EXPECT_EQ(refusal("bodies:\n  c: {beam: [[0, 0, 0], [1, 0, 0]], elements: 2, section: {rectangle: {height: 0.01, width: "
                    "0.01}}, E: 1e9, nu: 0.3, density: 1000}\n"),
            "model.yaml:2:3: body 'c': URDF has no flexible bodies");
  EXPECT_EQ(refusal("plane: xy\nbodies: {a: {mass: 1, inertia: 1}}\n"),
            "model.yaml: a planar model is not exported: URDF is spatial");
  EXPECT_EQ(refusal(two + "joints:\n  j: {planar: [ground, a], axis: z, damper: {x: 1, y: 2}}\n"),
            "model.yaml:3:3: joint 'j': URDF has one 'damping' of all free directions of a planar joint");
}

}  // namespace ALEATOR_FILE
}  // namespace aleator::core::test
