// Forces and moments in cross-sections of beams and cables, with what acts between the section and the next node: weight, inertia.
// Closed forms: a hanging bar, a cantilever under its own weight, a catenary, a rotating bar.
#include <gtest/gtest.h>

#include "support/run.hpp"

namespace aleator::core::test {
namespace ALEATOR_FILE {

// 200 N on 1 m; at its static equilibrium.
std::string hanging(const std::string& kind, int elements) {
  return R"(plane: xy
gravity: [0, -10]
bodies:
  bar: {)" +
         kind +
         ": [[0, 0], [0, -1]], section: {rectangle: {height: 0.02, width: 0.05}}, E: 2e9, nu: 0.3, density: 20000, elements: " +
         std::to_string(elements) + R"(}
joints:
  hold: {fixed: [ground, bar], at: [0, 0]}
outputs:
  top: {section_force: bar, at: [0, 0], component: norm}
  third: {section_force: bar, at: [0, -0.3], component: norm}
  low: {section_force: bar, at: [0, -0.9], component: norm}
  end: {section_force: bar, at: [0, -1], component: norm}
simulation: {duration: 1e-3, step: 1e-4, start: equilibrium}
)";
}

TEST(SectionForces, a_hanging_bar_carries_what_hangs_below) {
  for (const char* kind : {"beam", "cable"})
    for (const int elements : {1, 4}) {
      const std::string text = hanging(kind, elements);
      const Result r = run(kind == std::string("cable")
                               ? text.substr(0, text.find("fixed")) + "spherical" + text.substr(text.find("fixed") + 5)
                               : text);
      // The weight is known: what is left is the tolerance of the equilibrium, 1e-9 of the forces, and round-off of the strains of a stiff bar
      const double tolerance = 1e-5;
      EXPECT_NEAR(r.at("top", 0), 200, tolerance) << kind << elements;
      EXPECT_NEAR(r.at("third", 0), 140, tolerance) << kind << elements;
      EXPECT_NEAR(r.at("low", 0), 20, tolerance) << kind << elements;
      EXPECT_NEAR(r.at("end", 0), 0, tolerance) << kind << elements;
    }
}

// m(x) = w (L − x)²/2 and q(x) = w (L − x) with w = 200 N/m.
TEST(SectionForces, a_cantilever_bends_under_its_own_weight) {
  const Result r = run(R"(plane: xy
gravity: [0, -10]
bodies:
  bar: {beam: [[0, 0], [1, 0]], section: {rectangle: {height: 0.1, width: 0.01}}, E: 2e12, nu: 0.3, density: 20000, elements: 3}
joints:
  hold: {fixed: [ground, bar], at: [0, 0]}
outputs:
  m0: {section_moment: bar, at: [0, 0], component: z}
  m4: {section_moment: bar, at: [0.4, 0], component: z}
  q4: {section_force: bar, at: [0.4, 0], component: norm}
simulation: {duration: 1e-3, step: 1e-4, start: equilibrium}
)");
  // Deflection: w L⁴/(8 E I) = 1.5e-5 m of 1 m, and its square is what arms change by
  EXPECT_NEAR(std::abs(r.at("m0", 0)), 100, 1e-4);
  EXPECT_NEAR(std::abs(r.at("m4", 0)), 200 * 0.36 / 2, 1e-4);
  EXPECT_NEAR(r.at("q4", 0), 200 * 0.6, 1e-4);
}

// What acts between the nodes of an element acts where it is: forces beyond the section jump there. Loads at 0.8 and 0.9 in the last of three
// elements, a spring on its way up at 0.75 (10 N/m, 5 m long: 50 N).
TEST(SectionForces, a_load_inside_an_element_acts_where_it_is) {
  const std::string spring[] = {"[bar, ground], points: [[0.75, 0], [0.75, 5]]", "[ground, bar], points: [[0.75, 5], [0.75, 0]]"};
  for (const std::string& ends : spring) {
    const Result r = run(R"(plane: xy
bodies:
  bar: {beam: [[0, 0], [1, 0]], section: {rectangle: {height: 0.1, width: 0.01}}, E: 2e12, nu: 0.3, density: 20000, elements: 3}
joints:
  hold: {fixed: [ground, bar], at: [0, 0]}
forces:
  load: {force: bar, at: [0.9, 0], value: [3, -100]}
  turn: {torque: bar, at: [0.8, 0], value: 7}
  pull: {spring_damper: )" +
                         ends + R"(, stiffness: 10, length: 0}
outputs:
  n0: {section_force: bar, at: [0, 0], in: ground}
  m0: {section_moment: bar, at: [0, 0], component: z}
  n7: {section_force: bar, at: [0.7, 0], in: ground}
  m7: {section_moment: bar, at: [0.7, 0], component: z}
  n85: {section_force: bar, at: [0.85, 0], in: ground}
  m85: {section_moment: bar, at: [0.85, 0], component: z}
  n95: {section_force: bar, at: [0.95, 0], in: ground}
  m95: {section_moment: bar, at: [0.95, 0], component: z}
simulation: {duration: 1e-3, step: 1e-4, start: equilibrium}
)");
    // Deflections of P l³/(3 E I) = 2e-5 m: the spring's force changes by 2e-4 N, and arms by the square of the slope
    const double tolerance = 1e-3;
    EXPECT_NEAR(r.at("n0.y", 0), -50, tolerance);
    EXPECT_NEAR(r.at("m0", 0), -90 + 7 + 37.5, tolerance);
    EXPECT_NEAR(r.at("n7.x", 0), 3, tolerance);
    EXPECT_NEAR(r.at("n7.y", 0), -50, tolerance);
    EXPECT_NEAR(r.at("m7", 0), -20 + 7 + 2.5, tolerance);
    EXPECT_NEAR(r.at("n85.y", 0), -100, tolerance);
    EXPECT_NEAR(r.at("m85", 0), -5, tolerance);
    EXPECT_NEAR(r.at("n95.x", 0), 0, tolerance);
    EXPECT_NEAR(r.at("n95.y", 0), 0, tolerance);
    EXPECT_NEAR(r.at("m95", 0), 0, tolerance);
  }
}

// A clamp in the middle of an element holds two cantilevers. Beyond on before: to its left the section carries the load of the left end, to its
// right that of the right end.
TEST(SectionForces, a_joint_inside_an_element_acts_where_it_is) {
  for (const char* space : {"", "plane: xy\n"}) {
    const std::string third = *space ? "]" : ", 0]", moment = *space ? "7" : "[0, 0, 7]";
    const std::string outputs = [&] {
      std::string out;
      for (const auto& [name, x] : {std::pair{"20", 0.2}, {"49", 0.49}, {"51", 0.51}, {"80", 0.8}}) {
        const std::string at = ": bar, at: [" + text(x) + ", 0" + third + ", in: ground}\n";
        out += std::string("  n") + name + ": {section_force" + at + "  m" + name + ": {section_moment" + at;
      }
      return out;
    }();
    const Result r = run(std::string(space) + "bodies:\n  bar: {beam: [[0, 0" + third + ", [1, 0" + third +
                         "], section: {rectangle: {height: 0.1, width: 0.05}}, E: 2e12, nu: 0.3, density: 20000, elements: 3}\n"
                         "joints:\n  hold: {fixed: [ground, bar], at: [0.5, 0" +
                         third + "}\nforces:\n  left: {force: bar, at: [0.05, 0" + third + ", value: [0, -10" + third +
                         "}\n  right: {force: bar, at: [1, 0" + third + ", value: [0, -20" + third +
                         "}\n  turn: {torque: bar, at: [0.9, 0" + third + ", value: " + moment + "}\noutputs:\n" + outputs +
                         "simulation: {duration: 1e-3, step: 1e-4, start: equilibrium}\n");
    // Deflections of P l³/(3 E I) = 1e-7 m
    const double tolerance = 1e-4;
    EXPECT_NEAR(r.at("n20.y", 0), 10, tolerance) << space;
    EXPECT_NEAR(r.at("m20.z", 0), -1.5, tolerance) << space;
    EXPECT_NEAR(r.at("n49.y", 0), 10, tolerance) << space;
    EXPECT_NEAR(r.at("m49.z", 0), -4.4, tolerance) << space;
    EXPECT_NEAR(r.at("n51.y", 0), -20, tolerance) << space;
    EXPECT_NEAR(r.at("m51.z", 0), -9.8 + 7, tolerance) << space;
    EXPECT_NEAR(r.at("n80.y", 0), -20, tolerance) << space;
    EXPECT_NEAR(r.at("m80.z", 0), -4 + 7, tolerance) << space;
  }
}

// A cable of 1.2 m between supports 1 m apart: sinh(u)/u = 1.2 with u = w d/(2H), and the tension at a support is H cosh(u).
TEST(SectionForces, a_catenary_pulls_at_its_supports_as_the_closed_form_says) {
  double u = 1;
  for (int k = 0; k < 60; ++k) u -= (std::sinh(u) / u - 1.2) / (std::cosh(u) / u - std::sinh(u) / (u * u));
  const double weight = 10 * 1e5 * 1e-6;  // N/m: density × area × gravity
  const double H = weight * 1.0 / (2 * u), support = H * std::cosh(u);
  for (const int elements : {8, 16}) {
    // Drawn as a circle of the same length: 2R sin(a) = 1, 2R a = 1.2
    double a = 1;
    for (int k = 0; k < 60; ++k) a -= (std::sin(a) / a - 1 / 1.2) / (std::cos(a) / a - std::sin(a) / (a * a));
    const double R = 0.6 / a, sag = R * (1 - std::cos(a));
    const Result r = run(
        R"(plane: xy
gravity: [0, -10]
bodies:
  rope: {cable: [[0, 0], [0.5, )" +
        text(-sag) +
        R"(], [1, 0]], curve: arc, section: {rectangle: {height: 0.001, width: 0.001}}, E: 2e9, nu: 0.3, density: 1e5,
         elements: )" +
        std::to_string(elements) + R"(}
joints:
  left: {spherical: [ground, rope], at: [0, 0]}
  right: {spherical: [ground, rope], at: [1, 0]}
outputs:
  pull: {section_force: rope, at: [0, 0], component: norm}
  across: {section_force: rope, at: [0.5, )" +
        text(-sag) + R"(], component: norm}
simulation: {duration: 1e-3, step: 1e-4, start: equilibrium}
)");
    // Stretched by H/(E A) = 2.4e-4, and stiff in bending: E I κ² = 7e-4 N of H = 0.47 N. With the loads at the nodes it was 7.8 and 3.9 %.
    EXPECT_NEAR(r.at("pull", 0) / support, 1, 5e-3) << elements;
    EXPECT_NEAR(r.at("across", 0) / H, 1, 5e-3) << elements;
  }
}

// ½ ρ A ω² (L² − x²), to second order in the step. Axial vibrations are much faster than the step and damped away by rho = 0; what the bar
// stretches by is ρ ω² L²/E = 1.6e-5.
TEST(SectionForces, a_rotating_bar_carries_the_centrifugal_force) {
  const Model model = model_from(R"(plane: xy
bodies:
  bar: {beam: [[0, 0], [1, 0]], section: {rectangle: {height: 0.02, width: 0.05}}, E: 2e11, nu: 0.3, density: 8000, elements: 2}
joints:
  pin: {revolute: [ground, bar], at: [0, 0], motion: 20*t}
initial_motions:
  spin: {angular_velocity: 20}
outputs:
  n0: {section_force: bar, at: [0, 0], component: x}
  n3: {section_force: bar, at: [0.3, 0], component: x}
  n9: {section_force: bar, at: [0.9, 0], component: x}
simulation: {duration: 0.04, rho: 0}
)");
  const double whole = 0.5 * 8000 * 1e-3 * 400;  // 1600 N
  const Result coarse = run(model, {.step = 1e-3}), fine = run(model, {.step = 5e-4});
  for (const auto& [name, x] : {std::pair{"n0", 0.0}, {"n3", 0.3}, {"n9", 0.9}}) {
    const double exact = whole * (1 - x * x);
    EXPECT_NEAR(coarse.last(name), exact, 4 * 0.02 * 0.02 * whole) << name;  // some units of (ωh)²
    EXPECT_NEAR(fine.last(name), exact, 4 * 0.01 * 0.01 * whole) << name;
  }
  EXPECT_NEAR(std::log2((coarse.last("n0") - whole) / (fine.last("n0") - whole)), 2, 0.3);
}

}  // namespace ALEATOR_FILE
}  // namespace aleator::core::test
