// Armature, ½ a q̇² of a joint's coordinate: closed forms, by every integrator and in lanes.
#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <cmath>

#include "dynamics/ida.hpp"
#include "dynamics/lane_engine.hpp"
#include "support/elliptic.hpp"
#include "support/message_of.hpp"
#include "support/model_text.hpp"
#include "support/run.hpp"
#include "support/statics_mechanism.hpp"

namespace aleator::core::test {
namespace ALEATOR_FILE {

constexpr double g = 9.81;
const double pi = std::acos(-1.0);

// Explicit ones with the tree and with the matrix; implicit ones, whose errors are those of their orders at this step.
struct Method {
  const char* integrator;
  double step, error;
  bool tree = true;
};
const Method methods[] = {{"runge-kutta", 1e-3, 1e-9},
                          {"runge-kutta", 1e-3, 1e-9, false},
                          {"dormand-prince", 1e-3, 1e-9},
                          {"radau", 1e-2, 1e-8},
                          {"generalized-alpha", 1e-3, 2e-5}};

Result run_by(const Method& m, const std::string& text) {
  return run(model_from(text, {.tree = m.tree}), {.integrator = m.integrator, .step = m.step});
}

// The last value of the first channel, in lanes.
double in_lanes(const std::string& text, const Method& method) {
  const Model m =
      model_from(replaced(text, "integrator: auto",
                          std::string("integrator: ") + method.integrator + ", step: " + aleator::core::test::text(method.step)),
                 {.tree = method.tree});
  const Realization<double> r = make_realization<double>(m, std::span(&m.nominal, 1));
  const LaneEngine engine(m, {}, m.settings, Isa::portable);
  LaneRun lanes(engine);
  const LaneRun::Start start{&r};
  lanes(std::span(&start, 1), false);
  EXPECT_FALSE(lanes.failed(0));
  std::vector<double> out;
  lanes.outputs(0, out);
  return out[out.size() - channel_names(m).size()];
}

// A rod released from the horizontal: ω₀² = m g d / (I + a), one period.
TEST(Armature, pendulum) {
  const double inertia = 2 * ((1 + 0.01) / 12 + 0.25), a = 0.5, omega = std::sqrt(2 * g * 0.5 / (inertia + a));
  const double period = 4 * elliptic_K(0.5) / omega;
  const std::string text =
      "gravity: [0, 0, -9.81]\nbodies: {rod: {shape: {box: [1, 0.2, 0.1]}, mass: 2, at: [0.5, 0, 0]}}\n"
      "joints: {pin: {revolute: [ground, rod], axis: y, at: [0, 0, 0], armature: 0.5}}\n"
      "outputs: {angle: {coordinate: pin}, turn: {angular_acceleration: rod}, T: {kinetic_energy: all}, E: "
      "{energy: all}, pull: {reaction: pin}}\n"
      "simulation: {duration: " +
      test::text(period) + ", output_step: " + test::text(period / 100) + ", integrator: auto}\n";
  for (const Method& m : methods) {
    SCOPED_TRACE(m.integrator);
    const Result r = run_by(m, text);
    EXPECT_NEAR(r.at("turn.y", 0), g / (inertia + a), 1e-9);  // the matrix has ε, 1e-11 of what a row meets
    EXPECT_NEAR(r.last("angle"), 0, 2 * m.error);
    EXPECT_LT(largest_error(r, "E", [](double) { return 0; }), 100 * m.error);
    // The rod gets the torque g d m − a θ̈ from its weight and its rotor: its centre accelerates by d θ̈.
    EXPECT_NEAR(r.at("pull.z", 0), 2 * g - 2 * 0.5 * g / (inertia + a), 1e-9);
    EXPECT_NEAR(in_lanes(text, m), r.last("angle"), 1e-9);
  }
}

// A number of the model like others: it may differ between realizations. IDA has a Jacobian of its own.
TEST(Armature, may_be_replaced) {
  const std::string text =
      "parameters: {a: 0.5}\ngravity: [0, 0, -9.81]\nbodies: {bob: {mass: 1, center_of_mass: [1, 0, 0], inertia: "
      "{xx: 0, yy: 0, zz: 0}}}\njoints: {pin: {revolute: [ground, bob], axis: y, at: [0, 0, 0], armature: a}}\n"
      "outputs: {angle: {coordinate: pin}, turn: {angular_acceleration: bob}}\n"
      "simulation: {duration: 1, step: 1e-3, output_step: 0.01, integrator: runge-kutta}\n";
  const Model m = model_from(text);
  for (const double a : {0.5, 0.0, 20.0}) {
    const std::vector<Override> overrides = {{"a", a}};
    const Result r = run(m, overrides);
    EXPECT_NEAR(r.at("turn.y", 0), g / (1 + a), 1e-10);
    if (have_ida()) {
      EXPECT_NEAR(run(m, overrides, {.integrator = "ida", .tolerance = 1e-11}).last("angle"), r.last("angle"), 1e-8);
    }
  }
}

// A slide on a table that turns at a constant rate: (m + a) s̈ = m ω² s. Coriolis and centrifugal terms of the rotor are none, though its
// equation in coordinates of bodies has them.
TEST(Armature, slide_on_a_turntable) {
  const double m = 2, a = 3, omega = 1.5, rate = omega * std::sqrt(m / (m + a));
  const std::string text = R"(
gravity: [0, 0, 0]
bodies:
  table: {shape: {box: [1, 1, 0.1]}, mass: 5}
  block: {shape: {box: [0.1, 0.1, 0.1]}, mass: 2, at: [0.4, 0.1, 0]}
joints:
  axle: {revolute: [ground, table], axis: z, at: [0, 0, 0], motion: 1.5*t, armature: 0.7}
  groove: {prismatic: [table, block], axis: x, at: [0, 0.1, 0], armature: 3}
outputs:
  s: {coordinate: groove}
simulation: {duration: 1, output_step: 0.01, integrator: auto}
)";
  // The block is drawn at rest at s = 0.4, where the table moves by (−0.15, 0.6): it starts with the least kinetic energy, ½ m (ṡ − 0.15)² + ½ a ṡ².
  const double start = m * 0.15 / (m + a);
  for (const Method& method : methods) {
    SCOPED_TRACE(method.integrator);
    const Result r = run_by(method, text);
    EXPECT_LT(
        largest_error(r, "s", [&](double t) { return 0.4 * (std::cosh(rate * t) - 1) + start / rate * std::sinh(rate * t); }),
        method.error);
    EXPECT_NEAR(in_lanes(text, method), r.last("s"), 1e-9);
  }
}

// The torque of a drive turns its rotor, too: (J + a) φ̈.
TEST(Armature, of_a_driven_joint) {
  const std::string text = R"(
gravity: [0, 0, 0]
bodies: {disc: {mass: 1, inertia: {xx: 0.02, yy: 0.02, zz: 0.03}}}
joints: {axle: {revolute: [ground, disc], axis: z, at: [0, 0, 0], motion: 0.2*sin(3*t), armature: 0.7}}
outputs: {torque: {reaction_torque: axle}}
simulation: {duration: 1, output_step: 0.01, integrator: auto}
)";
  for (const Method& m : methods) {
    SCOPED_TRACE(m.integrator);
    const Result r = run_by(m, text);
    EXPECT_LT(largest_error(r, "torque.z", [](double t) { return -0.73 * 0.2 * 9 * std::sin(3 * t); }), 100 * m.error);
  }
}

// Two links in the plane, by Lagrange:
//   (J₁ + m₁c₁² + m₂l² + a₁) φ̈₁ + m₂ l c₂ cos(φ₁ − φ₂) φ̈₂ + m₂ l c₂ sin(φ₁ − φ₂) φ̇₂² + … with q₂ = φ₂ − φ₁ and a₂ q̈₂ between them.
TEST(Armature, two_links) {
  const double m1 = 2, J1 = 0.1, c1 = 0.3, l = 0.7, m2 = 1.5, J2 = 0.05, c2 = 0.4, a1 = 0.2, a2 = 0.3;
  for (const auto& [p1, p2, w1, w2] :
       {std::array{0.3, -0.8, 1.2, -2.0}, std::array{-1.1, 0.4, 0.0, 3.0}, std::array{2.0, 1.0, -2.5, 1.0}}) {
    const auto at = [](double x, double y) { return "[" + test::text(x) + ", " + test::text(y) + "]"; };
    const double ex = l * std::cos(p1), ey = l * std::sin(p1);
    const std::string text =
        "plane: xy\ngravity: [0, -9.81]\nbodies:\n  upper: {mass: 2, inertia: 0.1, center_of_mass: " +
        at(c1 * std::cos(p1), c1 * std::sin(p1)) + ", velocity: " + at(-c1 * w1 * std::sin(p1), c1 * w1 * std::cos(p1)) +
        ", angular_velocity: [0, 0, " + test::text(w1) +
        "]}\n  lower: {mass: 1.5, inertia: 0.05, center_of_mass: " + at(ex + c2 * std::cos(p2), ey + c2 * std::sin(p2)) +
        ", velocity: " + at(-ey * w1 - c2 * w2 * std::sin(p2), ex * w1 + c2 * w2 * std::cos(p2)) + ", angular_velocity: [0, 0, " +
        test::text(w2) +
        "]}\njoints:\n  shoulder: {revolute: [ground, upper], at: [0, 0], armature: 0.2}\n  elbow: {revolute: [lower, upper], "
        "at: " +
        at(ex, ey) +
        ", armature: 0.3}\noutputs: {first: {angular_acceleration: upper}, second: {angular_acceleration: lower}, T: "
        "{kinetic_energy: all}, E: {energy: all}}\nsimulation: {duration: 1, output_step: 0.1, integrator: auto}\n";
    const double c = m2 * l * c2 * std::cos(p1 - p2), s = m2 * l * c2 * std::sin(p1 - p2);
    Eigen::Matrix2d M;
    M << J1 + m1 * c1 * c1 + m2 * l * l + a1 + a2, c - a2, c - a2, J2 + m2 * c2 * c2 + a2;
    const Eigen::Vector2d f(-s * w2 * w2 - g * (m1 * c1 + m2 * l) * std::cos(p1), s * w1 * w1 - g * m2 * c2 * std::cos(p2));
    const Eigen::Vector2d expected = M.inverse() * f;
    const double T = 0.5 * Eigen::Vector2d(w1, w2).dot(M * Eigen::Vector2d(w1, w2));
    for (const Method& m : methods) {
      SCOPED_TRACE(m.integrator);
      const Result r = run_by(m, text);
      EXPECT_NEAR(r.at("first.z", 0), expected[0], 1e-9 * expected.norm());
      EXPECT_NEAR(r.at("second.z", 0), expected[1], 1e-9 * expected.norm());
      EXPECT_NEAR(r.at("T", 0), T, 1e-12 * T);
      EXPECT_LT(largest_error(r, "E", [&](double) { return r.at("E", 0); }), 1e3 * m.error);
    }
  }
}

// In a joint that closes a loop, which no tree has: as a rotor on the ground that a gear turns with the joint.
TEST(Armature, in_a_loop) {
  const std::string text = R"(
plane: xz
gravity: [0, -9.81]
bodies:
  crank: {mass: 1, inertia: 0.004, at: [0, 0.1], angular_velocity: [0, 2, 0], velocity: [0.2, 0]}
  rod: {mass: 2, inertia: 0.04, at: [0.25, 0.2]}
  rocker: {mass: 1, inertia: 0.004, at: [0.5, 0.1]}
  rotor: {mass: 1, inertia: 0.05, at: [2, 0]}
joints:
  a: {revolute: [ground, crank], at: [0, 0]}
  b: {revolute: [crank, rod], at: [0, 0.2], armature: 0.02}
  c: {revolute: [rod, rocker], at: [0.5, 0.2]}
  d: {revolute: [rocker, ground], at: [0.5, 0]}
  bearing: {revolute: [ground, rotor], at: [2, 0]}
  gear: {gear: [c, bearing], ratio: 1}
outputs: {angle: {coordinate: a}, force: {reaction: a}}
simulation: {duration: 0.5, output_step: 0.01, integrator: auto}
)";
  std::string armature = replaced(text, "  gear: {gear: [c, bearing], ratio: 1}\n", "");
  armature = replaced(armature, "c: {revolute: [rod, rocker], at: [0.5, 0.2]}",
                      "c: {revolute: [rod, rocker], at: [0.5, 0.2], armature: 0.05}");
  EXPECT_FALSE(model_from(armature).structure.tree.possible);
  for (const Method& m : methods) {
    SCOPED_TRACE(m.integrator);
    const Result x = run_by(m, armature), y = run_by(m, text);
    for (size_t k = 0; k < x.times.size(); ++k) {
      ASSERT_NEAR(x.channel("angle")[k], y.channel("angle")[k], 10 * m.error);
      ASSERT_NEAR(x.channel("force.x")[k], y.channel("force.x")[k], 1e3 * m.error);
    }
    EXPECT_NEAR(in_lanes(armature, m), x.last("angle"), 1e-8);
  }
}

// Frequencies: √(m g d / (I + a)), and of the block on a spring in a frame that turns, √((k − m Ω²) / (m + a)).
TEST(Armature, modes) {
  Mechanism swing(R"(
gravity: [0, 0, -9.81]
bodies: {rod: {shape: {box: [0.1, 0.2, 1]}, mass: 2, at: [0, 0, -0.5]}}
joints: {pin: {revolute: [ground, rod], axis: y, at: [0, 0, 0], armature: 0.5}}
simulation: {duration: 1}
)");
  const std::vector<Mode> all = modes(swing.assembly, swing.start);
  ASSERT_EQ(all.size(), 1u);
  EXPECT_NEAR(all[0].frequency, std::sqrt(2 * g * 0.5 / (2 * ((1 + 0.01) / 12 + 0.25) + 0.5)) / (2 * pi), 1e-9);

  Mechanism table(R"(
gravity: [0, 0, 0]
bodies:
  table: {shape: {box: [1, 1, 0.1]}, mass: 5}
  block: {shape: {box: [0.1, 0.1, 0.1]}, mass: 2}
joints:
  axle: {revolute: [ground, table], axis: z, at: [0, 0, 0]}
  groove: {prismatic: [table, block], axis: x, at: [0, 0, 0], armature: 3, spring: {stiffness: 50}}
simulation: {duration: 1}
)");
  const Turning turning{{0, 0, 1.5}, {0, 0, 0}, true};
  const std::vector<Mode> turned = modes(table.assembly, table.start, nullptr, &turning);
  ASSERT_FALSE(turned.empty());
  EXPECT_NEAR(turned.back().frequency, std::sqrt((50 - 2 * 1.5 * 1.5) / (2 + 3)) / (2 * pi), 1e-9);
}

TEST(Armature, bad_ones_are_refused) {
  const auto message = [](const std::string& joint) {
    return message_of<input::InputError>([&] {
      model_from(
          "bodies:\n  rod: {shape: {box: [1, 0.2, 0.1]}, mass: 2}\n  strip: {beam: [[0.5, 0, 0], [1, 0, 0]], section: "
          "{rectangle: {height: 0.05, width: 0.04}}, E: 1e6, nu: 0.3, density: 1000, elements: 1}\njoints:\n  j: {" +
          joint + "}\nsimulation: {duration: 1}\n");
    });
  };
  EXPECT_NE(message("revolute: [ground, rod], axis: y, armature: -1").find("'armature' may not be negative"), std::string::npos);
  EXPECT_NE(message("cylindrical: [ground, rod], axis: y, armature: 1").find("'armature' must name a free direction"),
            std::string::npos);
  EXPECT_NE(message("spherical: [ground, rod], armature: 1").find("armature"), std::string::npos);
  EXPECT_NE(message("revolute: [rod, strip], axis: y, at: [0.5, 0, 0], armature: 1")
                .find("'armature' needs rigid bodies, which 'strip' is not; put the joint on a rigid hub"),
            std::string::npos);
}

}  // namespace ALEATOR_FILE
}  // namespace aleator::core::test
