// Prescribed motions of every kind: does the joint follow them to round-off, with the derivatives of the function as velocity and
// acceleration, and with one-sided values (from the right) at kinks?
#include <gtest/gtest.h>

#include <numbers>

#include "support/run.hpp"

namespace aleator::core::test {
namespace ALEATOR_FILE {

constexpr double pi = std::numbers::pi;

struct Motion {
  std::string text;
  double (*f)(double t);
  double (*d1)(double t);
  double (*d2)(double t);
};

const Motion motions[] = {
    {"0.3", [](double) { return 0.3; }, [](double) { return 0.0; }, [](double) { return 0.0; }},
    {"{constant: 0.3}", [](double) { return 0.3; }, [](double) { return 0.0; }, [](double) { return 0.0; }},
    {"{ramp: {from: 0.25, to: 0.75, height: 0.4, base: 0.1}}",
     [](double t) { return t < 0.25   ? 0.1
                           : t < 0.75 ? 0.1 + 0.8 * (t - 0.25)
                                      : 0.5; },
     [](double t) { return t < 0.25   ? 0
                           : t < 0.75 ? 0.8
                                      : 0; }, [](double) { return 0.0; }},
    {"{piecewise_linear: [[0.125, 0], [0.25, 0.2], [0.625, -0.1]]}",
     [](double t) {
       return t < 0.125 ? 0 : t < 0.25 ? 1.6 * (t - 0.125) : t < 0.625 ? 0.2 - 0.8 * (t - 0.25) : -0.1;
     },
     [](double t) { return t < 0.125   ? 0
                           : t < 0.25  ? 1.6
                           : t < 0.625 ? -0.8
                                       : 0; }, [](double) { return 0.0; }},
    {"{sine: {amplitude: 0.2, frequency: 1.5, phase: 0.4, offset: 0.1}}",
     [](double t) { return 0.1 + 0.2 * std::sin(3 * pi * t + 0.4); },
     [](double t) { return 0.6 * pi * std::cos(3 * pi * t + 0.4); },
     [](double t) { return -1.8 * pi * pi * std::sin(3 * pi * t + 0.4); }},
    {"{polynomial: [0.1, -0.2, 0.3, 0.4]}", [](double t) { return 0.1 + t * (-0.2 + t * (0.3 + t * 0.4)); },
     [](double t) { return -0.2 + 0.6 * t + 1.2 * t * t; }, [](double t) { return 0.6 + 2.4 * t; }},
    {"0.2*exp(-t)*sin(5*t)", [](double t) { return 0.2 * std::exp(-t) * std::sin(5 * t); },
     [](double t) { return 0.2 * std::exp(-t) * (5 * std::cos(5 * t) - std::sin(5 * t)); },
     [](double t) { return 0.2 * std::exp(-t) * (-24 * std::sin(5 * t) - 10 * std::cos(5 * t)); }},
    {"{expression: {value: 0.5*abs(t - 0.375), breakpoints: [0.375]}}", [](double t) { return 0.5 * std::abs(t - 0.375); },
     [](double t) { return t < 0.375 ? -0.5 : 0.5; }, [](double) { return 0.0; }},
    {"0.5*abs(t - 0.375)", [](double t) { return 0.5 * std::abs(t - 0.375); }, [](double t) { return t < 0.375 ? -0.5 : 0.5; },
     [](double) { return 0.0; }},  // its kink is found
};

std::string model(const std::string& joint, const std::string& motion) {
  return "gravity: [1, 2, -9]\nbodies:\n  body: {shape: {box: [0.3, 0.2, 0.1]}, mass: 2, at: [0.1, 0, 0.2]}\njoints:\n  joint: " +
         joint + ", motion: " + motion +
         "}\noutputs:\n  q: {coordinate: joint}\n  rate: {rate: joint}\n  push: {acceleration: body, component: x}\n  turn: "
         "{angular_acceleration: body, component: z}\n" +
         "simulation: {duration: 1, output_step: 0.015625}\n";
}

// Output times are multiples of 1/64, and so are the kinks: the grid holds them exactly.
void expect_followed(const std::string& joint, const std::string& acceleration) {
  for (const Motion& m : motions)
    for (const std::string integrator : {"runge-kutta", "generalized-alpha"}) {
      SCOPED_TRACE(integrator + " " + m.text);
      const Result r = run(model(joint, m.text), {.integrator = integrator, .step = 1e-3});
      EXPECT_LT(largest_error(r, "q", m.f), 1e-12);  // round-off, and the fit of functions (1e-13)
      const bool projected = integrator == "runge-kutta";
      // generalized-alpha: velocities and accelerations come out of the discretisation, with errors of order h² f''' and h² f''''
      EXPECT_LT(largest_error(r, "rate", m.d1), projected ? 1e-10 : 4e-5);       // derivatives of fits: 1e-10
      EXPECT_LT(largest_error(r, acceleration, m.d2), projected ? 1e-7 : 1e-3);  // and 1e-8
    }
}

TEST(Motions, of_a_slide) { expect_followed("{prismatic: [ground, body], axis: x, at: [0, 0, 0]", "push"); }
TEST(Motions, of_a_hinge_through_the_body) { expect_followed("{revolute: [ground, body], axis: z, at: [0.1, 0, 0.2]", "turn"); }

// Velocity jumps at a kink: what is reported there is the value from the right, and no trace of the jump is left after it.
TEST(Motions, kinks_are_one_sided_and_leave_nothing_behind) {
  for (const double rho : {0.0, 0.8, 1.0}) {
    const Result r =
        run(model("{prismatic: [ground, body], axis: x, at: [0, 0, 0]", "{ramp: {from: 0.25, to: 0.75, height: 0.4}}"),
            {.step = 1e-3, .rho = rho});
    EXPECT_NEAR(r.at("rate", 0.25 - 1.0 / 64), 0, 1e-10) << rho;
    EXPECT_NEAR(r.at("rate", 0.25), 0.8, 1e-12);
    EXPECT_NEAR(r.at("rate", 0.75), 0, 1e-12);
    // Round-off of positions, 1e-16/(β h²) = 4e-10 in each step, adds up over 1/(1−ρ)² steps; over all of them for ρ = 1
    EXPECT_LT(largest_error(r, "push", [](double) { return 0; }), rho < 1 ? 2e-7 : 1e-5);
  }
}

// All three angles of a ball joint, rx, ry, rz in this order about axes that turn: R = Rx Ry Rz.
TEST(Motions, of_a_ball_joint) {
  const Result r = run(R"(
bodies:
  body: {shape: {box: [0.3, 0.2, 0.1]}, mass: 2, at: [0, 0, 0]}
joints:
  ball: {spherical: [ground, body], at: [0, 0, 0], motion: {rx: 0.4*t, ry: 0.3*sin(2*t), rz: t^2}}
outputs:
  p: {position: body, at: [1, 2, 3]}
simulation: {duration: 2, step: 1e-3, integrator: runge-kutta}
)");
  const auto expected = [](double t) {
    const auto about = [](int axis, double angle) {
      Vec3<double> v;
      v[axis] = angle;
      return rotation_matrix(exponential(v));
    };
    return about(0, 0.4 * t) * (about(1, 0.3 * std::sin(2 * t)) * (about(2, t * t) * Vec3<double>{1, 2, 3}));
  };
  for (int i = 0; i < 3; ++i)
    EXPECT_LT(largest_error(r, std::string("p.") + "xyz"[i], [&](double t) { return expected(t)[i]; }), 1e-11);
}

// Both angles of a universal joint, and the length of a rod.
TEST(Motions, of_a_universal_joint_and_of_a_rod) {
  const Result cross = run(R"(
bodies:
  body: {shape: {box: [0.3, 0.2, 0.1]}, mass: 2, at: [0, 0, 0]}
joints:
  cross: {universal: [ground, body], axis: x, second_axis: y, at: [0, 0, 0], motion: {rx: 0.4*t, ry: 0.3*sin(2*t)}}
outputs:
  rx: {coordinate: cross, direction: rx}
  ry: {coordinate: cross, direction: ry}
  z: {position: body, at: [0, 0, 1], component: z}
simulation: {duration: 2, step: 1e-3, integrator: runge-kutta}
)");
  EXPECT_LT(largest_error(cross, "rx", [](double t) { return 0.4 * t; }), 1e-12);
  EXPECT_LT(largest_error(cross, "ry", [](double t) { return 0.3 * std::sin(2 * t); }), 1e-12);
  EXPECT_LT(largest_error(cross, "z", [](double t) { return std::cos(0.4 * t) * std::cos(0.3 * std::sin(2 * t)); }), 1e-12);

  const Result rod = run(R"(
plane: xy
bodies:
  bob: {mass: 2, center_of_mass: [1, 0], inertia: 0.1, velocity: [0, 0.5]}
joints:
  rod: {distance: [ground, bob], points: [[0, 0], [1, 0]], motion: 0.2*sin(3*t)}
outputs:
  at: {position: bob}
  r: {position: bob, component: norm}
  v: {velocity: bob}
simulation: {duration: 2, step: 1e-3, integrator: runge-kutta}
)");
  EXPECT_LT(largest_error(rod, "r", [](double t) { return 1 + 0.2 * std::sin(3 * t); }), 1e-12);
  // The rod pulls towards the origin: angular momentum stays (truncation, h⁴)
  const auto x = rod.channel("at.x"), y = rod.channel("at.y"), vx = rod.channel("v.x"), vy = rod.channel("v.y");
  for (size_t k = 0; k < x.size(); ++k) EXPECT_NEAR(x[k] * vy[k] - y[k] * vx[k], 0.5, 1e-11);
}

}  // namespace ALEATOR_FILE
}  // namespace aleator::core::test
