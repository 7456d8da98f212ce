// Driven linkages with closed forms: a slider-crank with a massless rod, a universal joint between shafts, gears, a rack.
#include <gtest/gtest.h>

#include "support/run.hpp"

namespace aleator::core::test {
namespace ALEATOR_FILE {

// Crank r at constant speed w, rod l (a `distance` joint: no mass), slider of mass m on the x axis:
//   x = r cos φ + √(l² − r² sin² φ);  the rod carries m ẍ / cos ψ with sin ψ = (r/l) sin φ.
TEST(Linkages, slider_crank) {
  const double r = 0.2, l = 0.6, w = 10, m = 0.5;
  const auto s = [&](double t) { return std::sqrt(l * l - std::pow(r * std::sin(w * t), 2)); };
  const auto x = [&](double t) { return r * std::cos(w * t) + s(t); };
  // ṡ = −r² w sin cos / s;   s̈ = −(r² w² cos 2φ + ṡ²)/s
  const auto ds = [&](double t) { return -r * r * w * std::sin(w * t) * std::cos(w * t) / s(t); };
  const auto v = [&](double t) { return -r * w * std::sin(w * t) + ds(t); };
  const auto a = [&](double t) {
    return -r * w * w * std::cos(w * t) - (r * r * w * w * std::cos(2 * w * t) + ds(t) * ds(t)) / s(t);
  };
  for (const std::string plane : {"plane: xy\n", ""}) {
    SCOPED_TRACE(plane);
    const std::string z = plane.empty() ? ", 0]" : "]", inertia = plane.empty() ? "{xx: 0.1, yy: 0.1, zz: 0.1}" : "0.1";
    const std::string model = plane + "bodies:\n  crank: {mass: 1, center_of_mass: [0.1, 0" + z + ", inertia: " + inertia +
                              "}\n  slider: {mass: 0.5, center_of_mass: [0.8, 0" + z + ", inertia: " + inertia +
                              "}\njoints:\n  shaft: {revolute: [ground, crank], axis: z, at: [0, 0" + z + ", motion: 10*t}\n" +
                              "  rod: {distance: [crank, slider], points: [[0.2, 0" + z + ", [0.8, 0" + z +
                              "]}\n  guide: {prismatic: [ground, slider], axis: x, at: [0.8, 0" + z +
                              "}\noutputs:\n  x: {position: slider, component: x}\n  v: {velocity: slider, component: x}\n  a: "
                              "{acceleration: slider, component: x}\n" +
                              "  turn: {coordinate: shaft}\n  rod: {reaction: rod}\n  slide: {coordinate: guide}\nsimulation: "
                              "{duration: 1, output_step: 0.01}\n";
    // The mechanism has no freedom left: positions obey the constraints, whatever the step; velocities and accelerations are
    // those of the integrator in generalized-alpha (order 2), projected (round-off) in runge-kutta.
    const Result rk = run(model, {.integrator = "runge-kutta", .step = 1e-3}),
                 ga = run(model, {.integrator = "generalized-alpha", .step = 5e-4});
    EXPECT_LT(largest_error(rk, "x", x), 1e-12);
    EXPECT_LT(largest_error(ga, "x", x), 1e-12);
    EXPECT_LT(largest_error(rk, "slide", [&](double t) { return x(t) - 0.8; }), 1e-12);
    EXPECT_LT(largest_error(rk, "turn", [&](double t) { return w * t; }), 1e-12);
    EXPECT_LT(largest_error(rk, "v", v), 1e-11);
    EXPECT_LT(largest_error(rk, "a", a), 1e-9);  // ε of the constraints: 1e-11 of 27 m/s², and round-off
    EXPECT_LT(largest_error(rk, "rod.x", [&](double t) { return m * a(t); }), 1e-9);
    EXPECT_LT(largest_error(rk, "rod.y", [&](double t) { return -m * a(t) * r * std::sin(w * t) / s(t); }), 1e-9);
    EXPECT_LT(largest_error(ga, "v", v), 1e-4);  // truncation: (w h)² × 2 m/s
    EXPECT_LT(largest_error(ga, "a", a), 4e-3);
  }
}

// Shafts that enclose β, joined by a Cardan joint; θ is the angle of the driving shaft, zero when its cross arm lies in the
// plane of the shafts:  ω₂ = ω₁ cos β / (1 − sin²β cos²θ).
TEST(Linkages, universal_joint_between_shafts) {
  const double beta = 0.6, w = 3;
  const std::string axis2 = "[" + text(std::cos(beta)) + ", " + text(std::sin(beta)) + ", 0]";
  // The cross arm of shaft 1 is y or z at t = 0: in or normal to the plane x-y of the shafts. That of shaft 2 is normal to it.
  for (const bool normal : {true, false}) {
    const std::string arm1 = normal ? "z" : "[0, 1, 0]",
                      arm2 = normal ? "[" + text(-std::sin(beta)) + ", " + text(std::cos(beta)) + ", 0]" : "z";
    for (const std::string support : {"generic", "revolute"}) {  // just enough, or three constraints too many
      SCOPED_TRACE(support + " " + arm1);
      const std::string second =
          support == "generic" ? "{generic: [ground, two], locked: [ry, rz], at: [0, 0, 0], orientation: {rpy: [0, 0, 0.6]}}"
                               : "{revolute: [ground, two], axis: " + axis2 + ", at: [0, 0, 0]}";
      const std::string model =
          "bodies:\n  one: {mass: 1, center_of_mass: [-0.5, 0, 0], inertia: {xx: 0.01, yy: 0.1, zz: 0.1}}\n  two: {mass: 1, "
          "center_of_mass: [" +
          text(0.5 * std::cos(beta)) + ", " + text(0.5 * std::sin(beta)) +
          ", 0], inertia: {xx: 0.1, yy: 0.1, zz: 0.1}}\njoints:\n" +
          "  drive: {revolute: [ground, one], axis: x, at: [-1, 0, 0], motion: 3*t}\n  second: " + second +
          "\n  cross: {universal: [one, two], axis: " + arm1 + ", second_axis: " + arm2 + ", at: [0, 0, 0]}\n" +
          "outputs:\n  w2: {angular_velocity: two}\n  off: {constraint_violation: all}\nsimulation: {duration: 2, step: 1e-3, "
          "integrator: runge-kutta}\n";
      const Result r = run(model);
      const auto expected = [&](double t) {
        const double c = normal ? std::sin(w * t) : std::cos(w * t);
        return w * std::cos(beta) / (1 - std::pow(std::sin(beta) * c, 2));
      };
      // h⁴ truncation 1e-11; redundant constraints: what regularisation leaves, 1e-9
      EXPECT_LT(largest_error(r, "w2.x", [&](double t) { return expected(t) * std::cos(beta); }), 1e-8);
      EXPECT_LT(largest_error(r, "w2.y", [&](double t) { return expected(t) * std::sin(beta); }), 1e-8);
      EXPECT_LT(largest_error(r, "off", [](double) { return 0; }), 1e-11);
    }
  }
}

// A torque T on the first of two geared wheels: α₁ = T/(J₁ + n² J₂), α₂ = n α₁; the gear passes on the torque n J₂ α₁.
TEST(Linkages, gears) {
  const double n = -2.5, J1 = 0.2, J2 = 0.3, alpha = 4 / (J1 + n * n * J2);
  const std::string model = R"(
bodies:
  one: {mass: 1, center_of_mass: [0, 0, 0], inertia: {xx: 0.2, yy: 0.2, zz: 0.2}}
  two: {mass: 1, center_of_mass: [1, 0, 0], inertia: {xx: 0.3, yy: 0.3, zz: 0.3}}
joints:
  teeth: {gear: [first, second], ratio: -2.5}
  first: {revolute: [ground, one], axis: z, at: [0, 0, 0], actuator: 4}
  second: {revolute: [ground, two], axis: z, at: [1, 0, 0]}
outputs:
  one: {coordinate: first}
  two: {coordinate: second}
  rate: {rate: second}
  spin: {angular_velocity: two, component: z}
  torque: {reaction_torque: teeth, component: z}
simulation: {duration: 2, step: 1e-2}
)";
  for (const std::string integrator : {"runge-kutta", "generalized-alpha"}) {
    SCOPED_TRACE(integrator);
    const Result r = run(model, {.integrator = integrator});
    // Constant accelerations: no truncation in the angles; quaternions of runge-kutta have (ω h)⁴/120 at up to 8 rad/s
    const double error = integrator == "runge-kutta" ? 2e-6 : 1e-10;
    EXPECT_LT(largest_error(r, "one", [&](double t) { return alpha * t * t / 2; }), error);
    EXPECT_LT(largest_error(r, "two", [&](double t) { return n * alpha * t * t / 2; }), error) << "several turns";
    EXPECT_LT(largest_error(r, "rate", [&](double t) { return n * alpha * t; }), 1e-9);
    EXPECT_LT(largest_error(r, "spin", [&](double t) { return n * alpha * t; }), 1e-9);
    EXPECT_LT(largest_error(r, "torque", [&](double) { return n * J2 * alpha; }),
              1e-9);  // of the first wheel on the second: J₂ α₂
  }
}

// Rack and pinion of radius ρ: x = ρ φ. A force F on the rack: ẍ = F/(m + J/ρ²).
TEST(Linkages, rack_and_pinion) {
  const double rho = 0.2, a = 6 / (1.5 + 0.1 / (rho * rho));
  const Result r = run(R"(
plane: xy
bodies:
  pinion: {mass: 1, center_of_mass: [0, 0], inertia: 0.1}
  rack: {mass: 1.5, center_of_mass: [0, -0.2], inertia: 0.1}
joints:
  shaft: {revolute: [ground, pinion], at: [0, 0]}
  guide: {prismatic: [ground, rack], axis: x, at: [0, -0.2]}
  teeth: {gear: [shaft, guide], ratio: 0.2}
forces:
  pull: {force: rack, value: [6, 0]}
outputs:
  angle: {coordinate: shaft}
  turned: {orientation: pinion}
  travel: {coordinate: guide}
  teeth: {reaction: teeth, component: x}
simulation: {duration: 3, step: 1e-2, integrator: generalized-alpha}  # exact here; the index-1 form gives way by 1e-11
)");
  EXPECT_LT(largest_error(r, "travel", [&](double t) { return a * t * t / 2; }), 1e-11);
  EXPECT_LT(largest_error(r, "angle", [&](double t) { return a * t * t / 2 / rho; }), 1e-10);
  EXPECT_LT(largest_error(r, "turned", [&](double t) { return a * t * t / 2 / rho; }), 1e-10) << "full turns are counted";
  EXPECT_GT(r.last("turned"), 7);
  EXPECT_LT(largest_error(r, "teeth", [&](double) { return 1.5 * a - 6; }), 1e-8);  // m ẍ = F + teeth; round-off of g/(β h²)
}

}  // namespace ALEATOR_FILE
}  // namespace aleator::core::test
