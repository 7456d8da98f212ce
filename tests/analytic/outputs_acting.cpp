// Forces in joints, their power and work, against closed forms.
#include <gtest/gtest.h>

#include <cmath>

#include "dynamics/lane_engine.hpp"
#include "support/message_of.hpp"
#include "support/model_text.hpp"
#include "support/run.hpp"

namespace aleator::core::test {
namespace ALEATOR_FILE {

constexpr double g = 9.81;

// From x₀ = 0.1 with ω² = k/m = 100, undamped: x = x₀ cos ωt. The actuator 3 N cancels a preload of 3 N.
TEST(ActingOutputs, of_a_spring_and_an_actuator) {
  const Result r = run(R"(
bodies: {mass: {shape: {box: [0.1, 0.1, 0.1]}, mass: 2}}
joints:
  guide: {prismatic: [ground, mass], axis: x, spring: {stiffness: 200, rest: -0.1, preload: 3}, actuator: 3, damper: 0}
simulation: {duration: 1, step: 1e-3, output_step: 0.01, integrator: runge-kutta}
outputs:
  spring: {joint_force: guide, of: spring}
  actuator: {joint_force: guide, of: actuator, direction: x}
  damper: {joint_force: guide, of: damper}
  all: {joint_force: guide}
  P: {power: guide}
  P_spring: {power: guide, of: spring}
  W: {work: guide}
  W_spring: {work: guide, of: spring}
  W_actuator: {work: guide, of: actuator}
  W_all: {work: all}
  T: {kinetic_energy: all}
)");
  const double w = 10, x0 = 0.1, k = 200;
  const double error = 2e-8;  // h⁴ ω⁵ t x₀/120 = 8.4e-11 m, times k; energies of 1 J
  EXPECT_LT(largest_error(r, "spring", [&](double t) { return -k * x0 * std::cos(w * t) - 3; }), error);
  EXPECT_LT(largest_error(r, "actuator", [](double) { return 3; }), 1e-12);
  EXPECT_LT(largest_error(r, "damper", [](double) { return 0; }), 1e-300);
  EXPECT_LT(largest_error(r, "all", [&](double t) { return -k * x0 * std::cos(w * t); }), error);
  const auto power = [&](double t) { return k * x0 * x0 * w * std::cos(w * t) * std::sin(w * t); };
  EXPECT_LT(largest_error(r, "P", power), 10 * error);
  EXPECT_LT(largest_error(r, "P_spring", [&](double t) { return power(t) + 3 * w * x0 * std::sin(w * t); }), 10 * error);
  EXPECT_LT(largest_error(r, "W", [&](double t) { return 0.5 * k * x0 * x0 * (1 - std::cos(w * t) * std::cos(w * t)); }), error);
  const auto along = [&](double t) { return 3 * x0 * (std::cos(w * t) - 1); };
  EXPECT_LT(largest_error(r, "W_actuator", along), error);
  EXPECT_LT(largest_error(r, "W_all", along), error);
  for (size_t i = 0; i < r.times.size(); ++i) {
    EXPECT_NEAR(r.channel("W")[i], r.channel("T")[i], error);
    EXPECT_NEAR(r.channel("W")[i], r.channel("W_spring")[i] + r.channel("W_actuator")[i], 1e-13);
  }
}

// A mass hits an elastic stop at x = 0.1 with 2 m/s: depth d = v/ω sin ω(t − t₁), force −k d.
TEST(ActingOutputs, of_a_stop) {
  const Result r = run(R"(
bodies: {mass: {shape: {box: [0.1, 0.1, 0.1]}, mass: 2, velocity: [2, 0, 0]}}
joints: {guide: {prismatic: [ground, mass], axis: x, stops: {upper: 0.1, stiffness: 2e4}}}
simulation: {duration: 0.08, step: 1e-5, output_step: 1e-3, integrator: runge-kutta}
outputs: {F: {joint_force: guide, of: stops}, W: {work: guide, of: stops}}
)");
  const double w = 100, v = 2, t1 = 0.05;
  const auto force = [&](double t) { return t < t1 ? 0 : -2e4 * v / w * std::sin(w * (t - t1)); };
  // Steps end at the impact to round-off (5000 of them): h⁴ ω⁴/120 of the force
  EXPECT_LT(largest_error(r, "F", force), 400 * 1e-7);
  EXPECT_LT(largest_error(r, "W", [&](double t) { return t < t1 ? 0 : -0.5 * 2 * v * v * std::pow(std::sin(w * (t - t1)), 2); }),
            4 * 1e-6);
}

// A sliding block: −F tanh(v/v_c), and all its work is lost.
TEST(ActingOutputs, of_friction) {
  const Result r = run(R"(
bodies: {block: {shape: {box: [0.1, 0.1, 0.1]}, mass: 1, velocity: [1, 0, 0]}}
joints: {guide: {prismatic: [ground, block], axis: x, friction: {force: 10, velocity: 0.01}}}
simulation: {duration: 0.2, step: 1e-4, output_step: 1e-3, integrator: runge-kutta}
outputs:
  F: {joint_force: guide, of: friction}
  v: {rate: guide}
  W: {work: guide, of: friction}
  T: {kinetic_energy: all}
  D: {dissipated_energy: all}
)");
  for (size_t i = 0; i < r.times.size(); ++i) {
    EXPECT_NEAR(r.channel("F")[i], -10 * std::tanh(r.channel("v")[i] / 0.01), 1e-12);
    EXPECT_NEAR(r.channel("W")[i], r.channel("T")[i] - 0.5, 1e-8);  // h⁴ and the fourth derivative of tanh at the stop
    EXPECT_NEAR(r.channel("W")[i], -r.channel("D")[i], 1e-13);
  }
  EXPECT_NEAR(r.at("F", 0), -10, 1e-12);
}

// A bar of length 1 about its end, driven with φ = ½ α t²: torque J α + m g l sin(angle from the vertical).
const std::string pendulum = R"(
gravity: [0, 0, -9.81]
bodies: {bar: {shape: {box: [1, 0.05, 0.05]}, mass: 3, at: [0.5, 0, 0], inertia: {xx: 0.01, yy: 0.25, zz: 0.25}}}
joints: {pin: {revolute: [ground, bar], axis: y, at: [0, 0, 0], motion: t^2, damper: 0.5}}
simulation: {duration: 1, step: 1e-3, output_step: 0.01}
outputs:
  M: {joint_force: pin, of: motion}
  D: {joint_force: pin, of: damper}
  all: {joint_force: pin}
  P: {power: pin, of: motion}
  P_about: {power: pin, of: motion, direction: ry}
  W: {work: pin, of: motion}
  W_all: {work: all}
  W_pin: {work: pin}
  E: {energy: all}
)";
TEST(ActingOutputs, of_a_drive) {
  for (const char* integrator : {"runge-kutta", "radau", "generalized-alpha", "dormand-prince"}) {
    SCOPED_TRACE(integrator);
    const Result r = run(model_from(pendulum), {.integrator = integrator});
    // About y downwards: the centre at angle φ is at (cos φ, −sin φ)/2, so gravity's torque is m g/2 cos φ; the damper takes −0.5·2t.
    const auto torque = [](double t) { return (0.25 + 0.75) * 2 - 3 * g * 0.5 * std::cos(t * t) + 0.5 * 2 * t; };
    const bool second_order = std::string(integrator) == "generalized-alpha";
    // Reactions are exact at consistent positions; generalized-α has accelerations of order h² (h² φ''''… of order 1)
    EXPECT_LT(largest_error(r, "M", torque), second_order ? 1e-3 : 1e-6);
    EXPECT_LT(largest_error(r, "D", [](double t) { return -0.5 * 2 * t; }), 1e-5);
    EXPECT_LT(largest_error(r, "all", [&](double t) { return torque(t) - t; }), second_order ? 1e-3 : 1e-5);
    EXPECT_LT(largest_error(r, "P", [&](double t) { return torque(t) * 2 * t; }), second_order ? 1e-2 : 1e-5);
    for (size_t i = 0; i < r.times.size(); ++i) {
      EXPECT_NEAR(r.channel("P")[i], r.channel("P_about")[i], 1e-6);
      EXPECT_NEAR(r.channel("W")[i], r.channel("W_all")[i], 1e-12);
      // Newton's iteration of radau stops at 1e-9 of the motion of a step, which leaves some 1e-6 of the multipliers (not less with
      // smaller steps): of 10 J
      EXPECT_NEAR(r.channel("W_pin")[i], r.channel("E")[i] - r.channel("E")[0], second_order ? 1e-3 : 4e-5);
    }
  }
}

// A universal joint, driven about its first axis: nothing acts about the second but its damper.
TEST(ActingOutputs, of_the_drive_of_a_universal_joint) {
  const Result r = run(R"(
gravity: [0, 0, -9.81]
bodies: {body: {shape: {box: [0.2, 0.3, 0.4]}, mass: 2, at: [0, 0, -0.5], angular_velocity: [0, 0.7, 0]}}
joints: {hook: {universal: [ground, body], axis: x, second_axis: y, at: [0, 0, 0], motion: {rx: 0.8*sin(t)}, damper: {ry: 0.3}}}
simulation: {duration: 1, step: 1e-3, output_step: 0.05, integrator: radau}
outputs:
  M: {joint_force: hook, of: motion, direction: rx}
  total: {joint_force: hook, direction: ry}
  damper: {joint_force: hook, of: damper, direction: ry}
  P: {power: hook, of: motion}
  P_rx: {power: hook, of: motion, direction: rx}
  W: {work: hook}
  E: {energy: all}
)");
  for (size_t i = 0; i < r.times.size(); ++i) {
    EXPECT_NEAR(r.channel("P")[i], r.channel("P_rx")[i], 1e-9);  // λᵀg_t against Q q̇
    EXPECT_EQ(r.channel("total")[i], r.channel("damper")[i]);
    EXPECT_NEAR(r.channel("W")[i], r.channel("E")[i] - r.channel("E")[0], 1e-8);
  }
}

// Everything that does work, in a loop: the works add up to the change of the kinetic energy less that of gravity.
const std::string loop = R"(
gravity: [0, 0, -9.81]
bodies:
  crank: {shape: {box: [0.2, 0.02, 0.02]}, mass: 1, at: [0.1, 0, 0]}
  rod: {shape: {box: [0.5, 0.02, 0.02]}, mass: 0.5, at: [0.45, 0, 0]}
  slider: {shape: {box: [0.1, 0.1, 0.1]}, mass: 2, at: [0.7, 0, 0]}
joints:
  main: {revolute: [ground, crank], axis: y, at: [0, 0, 0], actuator: 5*cos(3*t), damper: 0.1}
  pin: {revolute: [crank, rod], axis: y, at: [0.2, 0, 0], friction: {force: 0.2, velocity: 0.5}}
  wrist: {point_on_line: [slider, rod], axis: z, at: [0.7, 0, 0], spring: {z: {stiffness: 3000}}, damper: {z: 5}}
  guide: {prismatic: [ground, slider], axis: x, at: [0.7, 0, 0], stops: {upper: 0.05, lower: -0.3, stiffness: 2e4, damping: 0.1}}
forces:
  spring: {spring_damper: [ground, slider], points: [[1.2, 0, 0], [0.7, 0, 0]], stiffness: 300, damping: 2, length: 0.6}
  push: {force: slider, value: [-8*t, 0, 3]}
  mount: {bushing: [ground, rod], at: [0.45, 0, 0], stiffness: [20, 20, 20], damping: [0.3, 0.3, 0.3]}
  hose: {bouc_wen: [ground, slider], points: [[0.7, 0, 0.5], [0.7, 0, 0]], stiffness: 90, yield_force: 2, post_yield_ratio: 0.2}
outputs:
  main: {work: main}
  pin: {work: pin}
  wrist: {work: wrist}
  guide: {work: guide}
  spring: {work: spring}
  spring_alone: {work: spring, of: spring}
  damper_alone: {work: spring, of: damper}
  push: {work: push}
  mount: {work: mount}
  hose: {work: hose}
  T: {kinetic_energy: all}
  V: {potential_energy: all}
  z_crank: {position: crank, component: z}
  z_rod: {position: rod, component: z}
  z_slider: {position: slider, component: z}
  L: {length: spring}
  dL: {length_rate: spring}
  x: {position: slider, component: x}
  v: {velocity: slider, component: x}
  d: {deformation: mount}
  dd: {deformation_rate: mount}
  p: {position: rod}
  pv: {velocity: rod}
)";
TEST(ActingOutputs, works_add_up) {
  for (const char* integrator : {"runge-kutta", "radau", "generalized-alpha", "adams-bashforth"}) {
    SCOPED_TRACE(integrator);
    const Result r =
        run(model_from(loop + "simulation: {duration: 1, step: 2e-4, output_step: 0.02}\n"), {.integrator = integrator});
    const bool second_order = std::string(integrator) == "generalized-alpha";
    for (size_t i = 0; i < r.times.size(); ++i) {
      double sum = 0;
      for (const char* one : {"main", "pin", "wrist", "guide", "spring", "push", "mount", "hose"}) sum += r.channel(one)[i];
      const auto rise = [&](const char* z) { return r.channel(z)[i] - r.channel(z)[0]; };
      sum -= g * (1 * rise("z_crank") + 0.5 * rise("z_rod") + 2 * rise("z_slider"));
      // Energies of 10 J; impacts in a stop of 2e4 N/m between steps of 0.2 ms: h² of them in second order, kinks in the others
      EXPECT_NEAR(sum, r.channel("T")[i] - r.channel("T")[0], second_order ? 5e-3 : 2e-4);
      EXPECT_NEAR(r.channel("spring")[i], r.channel("spring_alone")[i] + r.channel("damper_alone")[i], 1e-12);
      EXPECT_NEAR(r.channel("L")[i], 1.2 - r.channel("x")[i], 1e-9);
      EXPECT_NEAR(r.channel("dL")[i], -r.channel("v")[i], 1e-9);
      EXPECT_NEAR(r.channel("d.x")[i], r.channel("p.x")[i] - 0.45, 1e-12);
      EXPECT_NEAR(r.channel("dd.z")[i], r.channel("pv.z")[i], 1e-12);
    }
  }
}

void expect_same_in_a_lane(const Model& m, double tolerance) {
  const Trajectory alone = simulate_model(m, m.nominal, {.compile = false});
  const Realization<double> numbers = make_realization<double>(m, std::span(&m.nominal, 1));
  const LaneEngine engine(m, std::vector<Parameters>{m.nominal}, m.settings, best_isa());
  LaneRun lanes(engine);
  const LaneRun::Start start{&numbers, nullptr};
  lanes(std::span(&start, 1), false, nullptr);
  std::vector<double> values;
  lanes.outputs(0, values);
  ASSERT_EQ(values.size(), alone.values.size());
  for (size_t i = 0; i < values.size(); ++i)
    EXPECT_NEAR(values[i], alone.values[i], tolerance * (1 + std::abs(alone.values[i])))
        << m.channels[i % m.channels.size()].name;
}

// The same numbers in lanes.
TEST(ActingOutputs, in_lanes) {
  for (const char* integrator : {"runge-kutta", "radau", "generalized-alpha", "adams-bashforth"}) {
    SCOPED_TRACE(integrator);
    for (const std::string& text :
         {loop + "simulation: {duration: 0.2, step: 1e-3, output_step: 0.02, integrator: " + integrator + "}\n",
          replaced(pendulum, "step: 1e-3,", std::string("step: 1e-3, integrator: ") + integrator + ",")}) {
      const Model m = model_from(text);
      // Lanes do not evaluate again after a projection, which moves by the error of a step; multipliers of generalized-α
      expect_same_in_a_lane(m, 1e-6);
    }
  }
}

// A driven screw lifts and turns, l = p/2π per radian:  Q_about = J φ'' + l (m z'' + m g),  Q_along = Q_about / l.
TEST(ActingOutputs, of_the_drive_of_a_screw) {
  const auto driven = [](const std::string& direction, const std::string& motion) {
    return run(
        "gravity: [0, 0, -9.81]\n"
        "bodies: {a: {mass: 1, inertia: {xx: 1, yy: 1, zz: 1}, at: [0.1, 0.2, 0]}}\n"
        "joints: {s: {screw: [ground, a], axis: z, at: [0.1, 0.2, 0], pitch: 0.1, motion: {" +
        direction + ": " + motion + "}}}\noutputs:\n  Q: {joint_force: s, of: motion, direction: " + direction +
        "}\n  all: {joint_force: s, direction: " + direction +
        "}\n  P: {power: s, of: motion}\n  P_along_it: {power: s, direction: " + direction +
        "}\n  W: {work: s}\n  W_motion: {work: s, of: motion}\n  E: {energy: all}\n"
        "simulation: {duration: 1, step: 1e-3, output_step: 0.1, integrator: runge-kutta}\n");
  };
  const auto expect = [](const Result& r, double Q, double q) {  // of a motion q t²
    const double error = 1e-7 * Q;                               // projections leave 1e-10 of velocities, of 1000 steps
    EXPECT_LT(largest_error(r, "Q", [&](double) { return Q; }), error);
    EXPECT_LT(largest_error(r, "all", [&](double) { return Q; }), error);
    for (const char* P : {"P", "P_along_it"}) EXPECT_LT(largest_error(r, P, [&](double t) { return Q * 2 * q * t; }), error) << P;
    for (const char* W : {"W", "W_motion"}) EXPECT_LT(largest_error(r, W, [&](double t) { return Q * q * t * t; }), error) << W;
    for (size_t i = 0; i < r.times.size(); ++i) EXPECT_NEAR(r.channel("W")[i], r.channel("E")[i] - r.channel("E")[0], error);
  };
  const double l = 0.1 / (4 * std::acos(0.0));
  expect(driven("about", "t^2"), 2 + l * (2 * l + g), 1);            // 2.1566 N m
  expect(driven("along", "0.1*t^2"), 0.2 / (l * l) + 0.2 + g, 0.1);  // 799.58 N
}

// Drives that no coordinate measures: a rod's length, three rotations; beside a spring in a direction that is measured.
TEST(ActingOutputs, of_drives_that_are_not_measured) {
  const Result r = run(R"(
gravity: [0, 0, -9.81]
bodies:
  lift: {mass: 2, inertia: {xx: 1, yy: 1, zz: 1}, at: [0, 0, -1]}
  top: {mass: 1, inertia: {xx: 1, yy: 2, zz: 3}, at: [5, 0, 0]}
joints:
  guide: {prismatic: [ground, lift], axis: z}
  rod: {distance: [ground, lift], points: [[0, 0, 0], [0, 0, -1]], motion: -0.1*t^2}
  ball: {spherical: [ground, top], at: [5, 0, 0], motion: {rx: 0*t, ry: 0*t, rz: t^2}}
outputs: {F: {joint_force: rod, of: motion}, P: {power: rod}, P_motion: {power: rod, of: motion}, W: {work: rod}, ball: {work: ball}}
simulation: {duration: 1, step: 1e-3, output_step: 0.1, integrator: runge-kutta}
)");
  const double pull = 2 * (g + 0.2);
  EXPECT_LT(largest_error(r, "F", [&](double) { return -pull; }), 1e-6);
  for (const char* P : {"P", "P_motion"}) EXPECT_LT(largest_error(r, P, [&](double t) { return pull * 0.2 * t; }), 1e-6) << P;
  EXPECT_LT(largest_error(r, "W", [&](double t) { return pull * 0.1 * t * t; }), 1e-6);
  EXPECT_LT(largest_error(r, "ball", [](double t) { return 6 * t * t; }), 1e-6);
}

TEST(ActingOutputs, what_does_not_act_is_refused) {
  const auto error = [](const std::string& output) {
    return message_of<input::InputError>([&] {
      model_from(
          "bodies: {a: {mass: 1, inertia: {xx: 1, yy: 1, zz: 1}, at: [0, 0, 1]}, b: {mass: 1, inertia: {xx: 1, yy: 1, zz: 1}, "
          "at: "
          "[1, 0, 1]}}\n"
          "joints:\n  s: {prismatic: [ground, a], axis: z}\n  pin: {revolute: [ground, b], axis: z, at: [0, 0, 0], damper: 1}\n"
          "  g: {gear: [pin, s], ratio: 0.1}\n  rod: {distance: [a, b], points: [[0, 0, 1], [1, 0, 1]]}\n"
          "outputs: {o: " +
          output + "}\nsimulation: {duration: 1, step: 0.1}\n");
    });
  };
  const std::string nothing = ": no motion, spring, damper, stops, friction, hysteresis or actuator";
  EXPECT_EQ(error("{work: s}"), "test.yaml:7:11: output 'o': nothing acts in 's'" + nothing);
  EXPECT_EQ(error("{power: rod}"), "test.yaml:7:11: output 'o': nothing acts in 'rod'" + nothing);
  EXPECT_EQ(error("{power: s, of: motion}"), "test.yaml:7:29: output 'o': 's' has no motion");
  EXPECT_EQ(error("{power: g, of: motion}"), "test.yaml:7:29: output 'o': 'g' has no motion");
  EXPECT_EQ(error("{work: pin, of: motion}"), "test.yaml:7:30: output 'o': 'pin' has no motion; it has: damper");
  EXPECT_EQ(error("{joint_force: rod, of: motion}"), "test.yaml:7:37: output 'o': 'rod' has no motion");
}

}  // namespace ALEATOR_FILE
}  // namespace aleator::core::test
