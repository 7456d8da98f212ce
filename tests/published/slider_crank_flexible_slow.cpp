// Slider-crank with a flexible link: the application of Wu, Luo, Zhang, Zhang & Walker (2017), three planar ANCF elements with the
// continuum's law. The paper prints no numbers; the reference are those of an independent explicit integration at a tiny step, and the
// frequencies of a linearisation of its own.
#include <gtest/gtest.h>

#include <cmath>

#include "support/statics_mechanism.hpp"

namespace aleator::core::test {
namespace ALEATOR_FILE {

struct Case {
  double stiffness = 1000, damping = 100, E = 69e9;
  bool nodes = false, rigid_link = false;
  std::string simulation = "duration: 0.8, step: 2e-5, output_step: 0.1";
};

std::string slider_crank(const Case& c) {
  const std::string node = c.nodes ? ", reference_node: true" : "";
  const std::string moving = "velocity: [0, 0.2*pi], angular_velocity: -2*pi/3";
  const std::string link =
      c.rigid_link ? "{shape: {box: [0.6, 0.01, 0.01]}, density: 2700, at: [0.5, 0], " + moving + "}"
                   : "{beam: [[0.2, 0], [0.8, 0]], section: {rectangle: {height: 0.01, width: 0.01}}, E: " + text(c.E) +
                         ", nu: 0.34, density: 2700, elements: 3, elasticity: continuum, " + moving + "}";
  return R"(
plane: xy
gravity: [0, -9.81]
bodies:
  crank: {shape: {box: [0.2, 0.01, 0.01]}, density: 7800, at: [0.1, 0])" +
         node + R"(}
  link: )" +
         link + R"(
  slider: {shape: {box: [0.08, 0.08, 0.2]}, density: 7800, at: [0.8, 0])" +
         node + R"(}
joints:
  O: {revolute: [ground, crank], at: [0, 0], motion: 2*pi*t}
  A: {revolute: [crank, link], at: [0.2, 0]}
  B: {revolute: [link, slider], at: [0.8, 0]}
  guide: {prismatic: [ground, slider], axis: x, at: [0.8, 0], spring: {stiffness: )" +
         text(c.stiffness) + "}, damper: " + text(c.damping) + R"(}
outputs:
  q: {displacement: slider}
  e: {displacement: link, at: [0.6, 0]}
  f: {reaction: A}
simulation: {)" +
         c.simulation + "}\n";
}

// At t = 0.8 s; forces have 0.5 N above 4 kHz, which no two integrators agree on: 1 N. Displacements: digits of the reference and the step.
TEST(SliderCrank, values_of_the_independent_integration) {
  for (const bool nodes : {false, true}) {
    const Result high = run(slider_crank({.nodes = nodes}));
    EXPECT_NEAR(high.last("q.x"), -0.16914161, 1e-7);
    EXPECT_NEAR(high.last("e.y"), -0.06347892, 5e-7);
    EXPECT_NEAR(high.last("f.x"), -41.20, 1);
    EXPECT_NEAR(high.last("f.y"), -11.98, 1);
  }
  const Result low =
      run(slider_crank({.stiffness = 10, .damping = 1, .simulation = "duration: 0.8, step: 1e-5, output_step: 0.1"}));
  EXPECT_NEAR(low.last("q.x"), -0.16913792, 2e-7);
  EXPECT_NEAR(low.last("e.y"), -0.06340960, 5e-7);
  EXPECT_NEAR(low.last("f.x"), -83.5, 1);
  EXPECT_NEAR(low.last("f.y"), -27.5, 1);
}

// Small vibrations at θ = 0; all digits of the reference.
TEST(SliderCrank, frequencies) {
  for (const bool nodes : {false, true}) {
    Mechanism m(slider_crank({.nodes = nodes}));
    const std::vector<Mode> all = modes(m.assembly, m.start);
    const double expected[][2] = {{82.67, 0.005}, {181.15, 0.005}, {377.9, 0.05}, {784.3, 0.05}, {4488, 0.5}};
    ASSERT_GE(all.size(), 6u);
    for (int k = 0; k < 5; ++k) EXPECT_NEAR(all[k].frequency, expected[k][0], expected[k][1]);
    EXPECT_NEAR(all.back().frequency, 3.5e5, 0.05e5);
  }
}

// A link a hundred times as stiff, its vibrations damped by the method, is the rigid one: forces to 3e-4 N (one part in E × 100 of what bends and stretches), and
// x = 0.2 cos θ + √(0.36 − 0.04 sin²θ).
TEST(SliderCrank, rigid_limit) {
  const std::string simulation = "duration: 0.8, step: 1e-4, rho: 0, output_step: 0.1";
  const Result stiff = run(slider_crank({.E = 69e11, .simulation = simulation})),
               rigid = run(slider_crank({.rigid_link = true, .simulation = simulation}));
  const double pi = std::acos(-1.0);
  for (const Result* r : {&stiff, &rigid})
    EXPECT_LT(largest_error(*r, "q.x",
                            [&](double t) {
                              const double s = std::sin(2 * pi * t);
                              return 0.2 * std::cos(2 * pi * t) + std::sqrt(0.36 - 0.04 * s * s) - 0.8;
                            }),
              r == &stiff ? 1e-6 : 2e-11);
  for (double t = 0.2; t < 0.85; t += 0.1)
    for (const char* name : {"f.x", "f.y"}) EXPECT_NEAR(stiff.at(name, t), rigid.at(name, t), 4e-4) << t << name;
}

}  // namespace ALEATOR_FILE
}  // namespace aleator::core::test
