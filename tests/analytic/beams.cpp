// Whole models with beams and cables against closed forms: statics of cantilevers, frames and cables, buckling loads, frequencies.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "support/ancf_structure.hpp"
#include "support/statics_mechanism.hpp"

namespace aleator::core::test {
namespace ALEATOR_FILE {

constexpr double pi = std::numbers::pi;
constexpr double L = 2, E = 2e11, nu = 0.3, density = 7800, G = E / (2 * (1 + nu));

struct Section {
  std::string text;
  double area, second, across, torsion;  // ∫y² dA (height), ∫z² dA
};
// Slender, L/h = 100 or so. Torsion of the rectangle 2 : 1 is 0.2287 a b³ (Timoshenko & Goodier, § 109), of circles π r⁴/2.
const Section rectangle = {"{rectangle: {height: 0.02, width: 0.01}}", 2e-4, 0.01 * 8e-6 / 12, 0.02 * 1e-6 / 12,
                           0.22868 * 0.02 * 1e-6};
const Section circle = {"{circle: {radius: 0.01}}", pi * 1e-4, pi * 1e-8 / 4, pi * 1e-8 / 4, pi * 1e-8 / 2};
const Section tube = {"{tube: {radius: 0.01, inner_radius: 0.008}}", pi*(1e-4 - 0.64e-4), pi*(1e-8 - 0.4096e-8) / 4,
                      pi*(1e-8 - 0.4096e-8) / 4, pi*(1e-8 - 0.4096e-8) / 2};
const Section values = {
    "{values: {area: 3e-4, second_moment: 5e-9, second_moment_across: 2e-9, torsion: 4e-9, shear_factor: 0.8}}", 3e-4, 5e-9, 2e-9,
    4e-9};
const std::vector<Section> sections = {rectangle, circle, tube, values};

std::string beam(const std::string& points, const Section& s, int elements, const std::string& more = "") {
  return "{beam: " + points + ", section: " + s.text +
         ", E: 2e11, nu: 0.3, density: 7800, elements: " + std::to_string(elements) + more + "}";
}

struct Solved {
  Mechanism m;
  Equilibrium e;
  explicit Solved(const std::string& yaml) : m(yaml), e(equilibrium(m.assembly, m.start)) {}
  double operator()(const std::string& name) { return m.output(e.state, name); }
};

std::string cantilever(bool planar, const Section& s, int elements, const std::string& forces, const std::string& gravity = "") {
  const std::string end = planar ? "[2, 0]" : "[2, 0, 0]", start = planar ? "[0, 0]" : "[0, 0, 0]",
                    middle = planar ? "[1.1, 0]" : "[1.1, 0, 0]";
  return (planar ? "plane: xy\n" : "\n") + gravity +
         "\nbodies:\n  rod: " + beam("[" + start + ", " + end + "]", s, elements, planar ? "" : ", height_along: y") +
         "\njoints:\n  wall: {fixed: [ground, rod], at: " + start + "}\n" +
         (forces.empty() ? "" : "forces:\n  load: " + forces + "\n") + "outputs:\n  tip: {displacement: rod, at: " + end +
         "}\n  turn: {orientation: rod, at: " + end +
         "}\n  wall: {reaction: wall}\n  moment: {reaction_torque: wall}\n  inner: {section_force: rod, at: " + middle +
         "}\n  inner_moment: {section_moment: rod, at: " + middle + "}\n  strain: {strain: rod, at: " + middle +
         "}\nsimulation: {duration: 1}\n";
}

// P L³/3EI, with two elements: they are exact for a load at the tip. Shear adds 3 E I/(k G A L²) < 1e-4, the tip moves by 1e-3 L, which is
// 1e-6 of it too far for small displacements. Forces are balanced to 1e-14 of the stiffest ones: 1e-5 of a load as small as this.
TEST(BeamModels, cantilever_with_a_load_at_its_tip) {
  for (const Section& s : sections)
    for (const bool planar : {true, false})
      for (const int direction : {1, 2}) {  // y, z
        if (planar && direction == 2) continue;
        SCOPED_TRACE(s.text + (planar ? " planar" : " spatial") + std::to_string(direction));
        const double EI = E * (direction == 1 ? s.second : s.across), P = 1e-3 * L * 3 * EI / (L * L * L);
        Solved r(cantilever(planar, s, 2,
                            "{force: rod, at: " + std::string(planar ? "[2, 0]" : "[2, 0, 0]") + ", value: " +
                                (planar           ? "[0, " + text(P) + "]"
                                 : direction == 1 ? "[0, " + text(P) + ", 0]"
                                                  : "[0, 0, " + text(P) + "]") +
                                "}"));
        const char* along = direction == 1 ? "tip.y" : "tip.z";
        EXPECT_NEAR(r(along) / (1e-3 * L), 1, 2e-4);
        // The joint's force on the rod holds the load; so does its moment.
        EXPECT_NEAR(r(direction == 1 ? "wall.y" : "wall.z") / P, -1, 5e-5);
        EXPECT_NEAR(r(direction == 1 ? "moment.z" : "moment.y") / (P * L), direction == 1 ? -1 : 1, 5e-5);
        // What the part beyond x = 1.1 does to the one before it: the load, and its moment about there.
        EXPECT_NEAR(r(direction == 1 ? "inner.y" : "inner.z") / P, 1, 1e-3);
        EXPECT_NEAR(r(direction == 1 ? "inner_moment.z" : "inner_moment.y") / (P * (L - 1.1)), direction == 1 ? 1 : -1, 1e-3);
      }
}

TEST(BeamModels, stretch_and_twist) {
  for (const Section& s : sections) {
    SCOPED_TRACE(s.text);
    const double strain = 1e-5, twist = 1e-4;
    for (const bool planar : {true, false}) {
      const double P = strain * E * s.area;
      Solved pulled(cantilever(planar, s, 2,
                               "{force: rod, at: " + std::string(planar ? "[2, 0]" : "[2, 0, 0]") + ", value: [" + text(P) +
                                   (planar ? ", 0]}" : ", 0, 0]}")));
      EXPECT_NEAR(pulled("tip.x") / (strain * L), 1, 1e-4);  // Green's strain: ε/2
      EXPECT_NEAR(pulled("inner.x") / P, 1, 1e-4);
      EXPECT_NEAR(pulled("strain.axial") / strain, 1, 1e-4);
    }
    const double M = twist * G * s.torsion;
    std::string with_cap = cantilever(false, s, 2, "{torque: cap, value: [" + text(M) + ", 0, 0]}");
    with_cap.replace(
        with_cap.find("joints:\n"), 8,
        "  cap: {mass: 1, inertia: {xx: 1, yy: 1, zz: 1}, at: [2, 0, 0]}\njoints:\n  end: {fixed: [rod, cap], at: [2, 0, 0]}\n");
    Solved turned(with_cap);
    EXPECT_NEAR(turned("turn.roll") / (twist * L), 1, 2e-4);  // tabulated torsion constant, four digits
    EXPECT_NEAR(turned("inner_moment.x") / M, 1, 2e-4);
    EXPECT_NEAR(turned("strain.twist") / twist, 1, 2e-4);
  }
}

// ρ g A L⁴/8EI at the tip, ρ g A L²/2 at the wall; error of order n⁻⁴.
TEST(BeamModels, cantilever_under_its_weight) {
  for (const bool planar : {true, false}) {
    const double g = 1e-2, sag = density * g * rectangle.area * std::pow(L, 4) / (8 * E * rectangle.second);
    Solved r(cantilever(planar, rectangle, 8, "", planar ? "gravity: [0, -1e-2]" : "gravity: [0, -1e-2, 0]"));
    EXPECT_NEAR(r("tip.y") / -sag, 1, 5e-4);
    EXPECT_NEAR(r("wall.y") / (density * g * rectangle.area * L), 1, 5e-5);
    EXPECT_NEAR(r("moment.z") / (density * g * rectangle.area * L * L / 2), 1, 5e-5);
  }
}

// Large deflections: Euler's elastica, by shooting. Beams are of second order in large turns (linear directors), cables of fourth; errors
// are those of tests/convergence/ancf_statics.cpp, 1 / n² and so on.
TEST(BeamModels, elastica) {
  const double loads[][2] = {{1, 0.05 / 256}, {5, 0.6 / 256}, {10, 0.95 / 256}};
  for (const auto& [load, error] : loads)
    for (const bool planar : {true, false})
      for (const std::string kind : {"beam", "cable"}) {
        if (kind == "cable" && !planar) continue;  // has no axes to hold
        SCOPED_TRACE(kind + text(load));
        const double P = load * E * circle.second / (L * L);  // the rectangle, on edge, would tilt over in space
        std::string yaml = cantilever(planar, circle, 16,
                                      "{force: rod, at: " + std::string(planar ? "[2, 0]" : "[2, 0, 0]") + ", value: [0, " +
                                          text(P) + (planar ? "]}" : ", 0]}"));
        if (kind == "cable") yaml.replace(yaml.find("{beam:"), 6, "{cable:");
        Solved r(yaml);
        const ElasticaTip tip = elastica(load);
        const double tolerance = kind == "beam" ? error : 3e-4;  // the cable: that it stretches, P/EA = 1e-4
        EXPECT_NEAR(r("tip.x") / L + 1, tip.x, tolerance);
        EXPECT_NEAR(r("tip.y") / L, tip.y, tolerance);
        EXPECT_NEAR(r(planar ? "turn" : "turn.yaw"), tip.angle, 2 * tolerance);
        EXPECT_TRUE(r.e.stable);
      }
}

// --- frames and cables -------------------------------------------------------------------------------------------------------

// Three beams make a portal with clamped feet, pushed at a corner. Slope–deflection: with k = (I_b/B)/(I_c/H)
//   Δ = P H³ (2 + 3k) / (12 E I_c (1 + 6k)),    moment at a foot  P H (1 + 3k) / (2 (1 + 6k))
// Shear adds 12 E I/(k G A H²) = 3e-4, stretch 1e-4.
TEST(BeamModels, sway_of_a_portal_frame) {
  const double H = 2, B = 3, P = 20;
  const Section column = rectangle, girder = {"{rectangle: {height: 0.03, width: 0.01}}", 3e-4, 0.01 * 27e-6 / 12, 0, 0};
  const double k = (girder.second / B) / (column.second / H),
               sway = P * H * H * H * (2 + 3 * k) / (12 * E * column.second * (1 + 6 * k));
  for (const bool planar : {true, false}) {
    const auto at = [&](const std::string& xy) { return "[" + xy + (planar ? "]" : ", 0]"); };
    const std::string up = planar ? "" : ", height_along: x", lying = planar ? "" : ", height_along: y";
    Solved r((planar ? "plane: xy\n" : "\n") +
             ("bodies:\n  left: " + beam("[" + at("0, 0") + ", " + at("0, 2") + "]", column, 2, up)) +
             "\n  right: " + beam("[" + at("3, 0") + ", " + at("3, 2") + "]", column, 2, up) +
             "\n  top: " + beam("[" + at("0, 2") + ", " + at("3, 2") + "]", girder, 2, lying) +
             "\njoints:\n  foot: {fixed: [ground, left], at: " + at("0, 0") +
             "}\n  other: {fixed: [ground, right], at: " + at("3, 0") + "}\n  corner: {fixed: [left, top], at: " + at("0, 2") +
             "}\n  far: {fixed: [right, top], at: " + at("3, 2") + "}\nforces:\n  push: {force: top, at: " + at("0, 2") +
             ", value: " + at("0.02, 0") + "}\noutputs:\n  near: {displacement: top, at: " + at("0, 2") +
             "}\n  far: {displacement: top, at: " + at("3, 2") +
             "}\n  foot: {reaction: foot}\n  moment: {reaction_torque: foot}\n  other: {reaction: other}\n  other_moment: "
             "{reaction_torque: other}\n"
             "simulation: {duration: 1}\n");
    const double small = 0.02 / P;
    EXPECT_NEAR(r("near.x") / (small * sway), 1, 6e-4);
    EXPECT_NEAR(r("far.x") / (small * sway), 1, 6e-4);
    const double moment = P * H * (1 + 3 * k) / (2 * (1 + 6 * k));
    EXPECT_NEAR(r("moment.z") / (small * moment), 1, 1e-3);
    EXPECT_NEAR(r("other_moment.z") / (small * moment), 1, 1e-3);
    EXPECT_NEAR((r("foot.x") + r("other.x")) / (small * P), -1, 1e-4);
  }
}

// A cable between two points at equal height, drawn as an arc of the same length: y = a cosh(x/a), 2a sinh(span/2a) = length, horizontal
// tension ρ g A a. It stretches by H/EA = 2e-5 and is stiff in bending over √(EI/H) = 1.3 mm, which is little against 1 m.
TEST(BeamModels, hanging_cable_is_a_catenary) {
  const double half = 0.5, sagitta = 0.3, R = (half * half + sagitta * sagitta) / (2 * sagitta),
               length = 2 * R * std::asin(half / R);
  double low = 0.01, high = 100;
  for (int i = 0; i < 200; ++i) {
    const double a = std::sqrt(low * high);
    (2 * a * std::sinh(half / a) > length ? low : high) = a;
  }
  const double a = low, sag = a * (std::cosh(half / a) - 1), area = 3e-6, weight = 7800 * 9.81 * area;
  for (const bool planar : {true, false}) {
    const auto at = [&](const std::string& x, const std::string& z) { return "[" + x + (planar ? ", " : ", 0, ") + z + "]"; };
    const std::string joint = planar ? "revolute" : "spherical";
    Solved s(
        (planar ? "plane: xz\ngravity: [0, -9.81]\n" : "gravity: [0, 0, -9.81]\n") +
        ("bodies:\n  rope: {cable: [" + at("0", "0")) + ", " + at("0.5", "-0.3") + ", " + at("1", "0") +
        "], curve: arc, section: {values: {area: 3e-6, second_moment: 1e-16}}, E: 2e9, nu: 0.3, density: 7800, elements: 32}\n" +
        "joints:\n  left: {" + joint + ": [ground, rope], at: " + at("0", "0") + "}\n  right: {" + joint +
        ": [ground, rope], at: " + at("1", "0") + "}\noutputs:\n  low: {position: rope, at: " + at("0.5", "-0.3") +
        "}\n  left: {reaction: left}\n  right: {reaction: right}\n" + "simulation: {duration: 1}\n");
    EXPECT_NEAR(s("low.x"), 0.5, 1e-6);
    EXPECT_NEAR(s("low.z"), -sag, 6e-5);
    EXPECT_NEAR(s("left.z") / (weight * length / 2), 1, 1e-9);
    EXPECT_NEAR(s("left.x") / (-weight * a), 1, 3e-4);
  }
}

// --- stability and vibrations ------------------------------------------------------------------------------------------------

enum class Ends { clamped_free, pinned_pinned, free_free };

std::string column(bool planar, Ends ends, int elements, double compression) {
  const auto at = [&](const std::string& x) { return "[" + x + (planar ? ", 0]" : ", 0, 0]"); };
  std::string joints, spherical = planar ? "revolute" : "spherical";
  if (ends == Ends::clamped_free) joints = "joints:\n  wall: {fixed: [ground, rod], at: " + at("0") + "}\n";
  if (ends == Ends::pinned_pinned)
    joints = "joints:\n  left: {" + spherical + ": [ground, rod], at: " + at("0") +
             "}\n  right: {point_on_line: [ground, rod], axis: x, at: " + at("2") + "}\n";
  return (planar ? "plane: xy\n" : "\n") +
         ("bodies:\n  rod: " +
          beam("[" + at("0") + ", " + at("2") + "]", rectangle, elements, planar ? "" : ", height_along: y")) +
         "\n" + joints +
         (compression != 0 ? "forces:\n  push: {force: rod, at: " + at("2") + ", value: [" + text(-compression) +
                                 (planar ? ", 0]}\n" : ", 0, 0]}\n")
                           : "") +
         "simulation: {duration: 1}\n";
}

// cos x cosh x = ±1, x > 0
double wave_number(Ends ends, int mode) {
  if (ends == Ends::pinned_pinned) return mode * pi;
  const bool clamped = ends == Ends::clamped_free;
  double low = (clamped ? mode - 0.5 : mode + 0.5) * pi - 0.4, high = low + 0.8;
  const auto f = [&](double x) { return std::cos(x) - (clamped ? -1 : 1) / std::cosh(x); };
  const bool rising = f(high) > 0;
  for (int k = 0; k < 60; ++k) (((f((low + high) / 2) > 0) == rising) ? high : low) = (low + high) / 2;
  return low;
}
double bending_frequency(Ends ends, int mode, double second) {
  return std::pow(wave_number(ends, mode) / L, 2) * std::sqrt(E * second / (density * rectangle.area)) / (2 * pi);
}
double nearest(const std::vector<Mode>& all, double f) {
  double best = HUGE_VAL;
  for (const Mode& m : all)
    if (std::abs(m.frequency - f) < std::abs(best - f)) best = m.frequency;
  return best;
}

// Rotary inertia and shear lower a frequency by (wave number)² h²/12 (1 + E/kG)/2: exact with pinned ends, an estimate to a third of it
// with others. 16 elements are off by 3e-4 in the third mode. Twist is linear in an element: (π/16)²/24 = 1.6e-3 of half a wave.
TEST(BeamModels, frequencies_of_bending) {
  for (const Ends ends : {Ends::clamped_free, Ends::pinned_pinned, Ends::free_free})
    for (const bool planar : {true, false}) {
      Mechanism m(column(planar, ends, 16, 0));
      ModesReport report;
      const std::vector<Mode> all = modes(m.assembly, m.start, &report);
      EXPECT_TRUE(report.balanced);
      const auto rigid = std::count_if(all.begin(), all.end(), [](const Mode& mode) { return mode.rigid; });
      EXPECT_EQ(rigid, ends == Ends::free_free                  ? (planar ? 3 : 6)
                       : ends == Ends::pinned_pinned && !planar ? 1
                                                                : 0)
          << int(ends) << planar;
      for (int mode = 1; mode <= 3; ++mode)
        for (const double second : {rectangle.second, rectangle.across}) {
          if (planar && second == rectangle.across) continue;
          const double f = bending_frequency(ends, mode, second), x = wave_number(ends, mode) / L;
          const double lowered = x * x * second / rectangle.area * (1 + E / (5.0 / 6 * G)) / 2;
          EXPECT_NEAR(nearest(all, f * (1 - lowered)) / f, 1 - lowered, 5e-4) << int(ends) << planar << mode;
        }
      const double axial = (ends == Ends::free_free ? 0.5 : 0.25) * std::sqrt(E / density) / L,
                   torsional = (ends == Ends::clamped_free ? 0.25 : 0.5) *
                               std::sqrt(G * rectangle.torsion / (density * (rectangle.second + rectangle.across))) / L;
      EXPECT_NEAR(nearest(all, axial) / axial, 1, 1e-3) << int(ends) << planar;
      if (!planar) {
        EXPECT_NEAR(nearest(all, torsional) / torsional, 1, 2e-3) << int(ends);
      }
    }
}

// Euler's column. Pinned ends: ω² = ω₀² (1 − P/P_E) for compression and tension; P_E = π² EI/L². Clamped at one end: P_E = π² EI/4L², found
// where ω² vanishes. Shear lowers P_E by P_E/kGA = 2e-4 at most, 8 elements by as much; 1 − P/P_E = 0.1 makes ten times that of it.
TEST(BeamModels, euler_buckling) {
  for (const bool planar : {true, false}) {
    const double second = planar ? rectangle.second : rectangle.across, critical = pi * pi * E * second / (L * L);
    const auto frequency = [&](Ends ends, double load, double guess) {
      Solved r(column(planar, ends, 8, load));
      EXPECT_TRUE(r.e.stable);
      return nearest(modes(r.m.assembly, r.e.state), guess);
    };
    for (const double part : {-1.0, 0.5, 0.9}) {
      const double f = bending_frequency(Ends::pinned_pinned, 1, second) * std::sqrt(1 - part);
      EXPECT_NEAR(frequency(Ends::pinned_pinned, part * critical, f) / f, 1, 4e-3) << planar << part;
    }
    if (!planar) continue;  // there, ω² = 1 /s² is round-off against the fastest mode, 1e12 /s²
    for (const Ends ends : {Ends::pinned_pinned, Ends::clamped_free}) {
      const double load = ends == Ends::pinned_pinned ? critical : critical / 4;
      const double low = std::pow(frequency(ends, 0.97 * load, 0), 2), high = std::pow(frequency(ends, 0.99 * load, 0), 2);
      EXPECT_NEAR(0.99 + 0.02 * high / (low - high), 1, 1e-3) << planar << int(ends);
    }
  }
}

// Beyond the critical load the straight column is left: the elastica with a force along it, θ'' = −P sin θ. Where the tip has turned by
// 60°, P/P_E = (2K/π)² = 1.152, x/L = 2E/K − 1 = 0.741, y/L = 2k/K = 0.593, with elliptic integrals of k = sin 30° (Timoshenko & Gere, Theory
// of Elastic Stability).
TEST(BeamModels, postbuckling_of_a_cantilever) {
  const double P = 1.152 * pi * pi * E * circle.second / (4 * L * L);
  for (const bool cable : {true, false}) {
    std::string yaml =
        cantilever(true, circle, cable ? 16 : 32, "{force: rod, at: [2, 0], value: [" + text(-P) + ", " + text(1e-5 * P) + "]}");
    if (cable) yaml.replace(yaml.find("{beam:"), 6, "{cable:");
    Solved r(yaml);
    EXPECT_TRUE(r.e.stable);
    // Three digits of the table (and a nudge of 1e-5 that shows which way); beams are of second order, 1/n².
    const double tolerance = cable ? 1e-3 : 2.5e-3;
    EXPECT_NEAR(r("tip.x") / L + 1, 0.741, tolerance);
    EXPECT_NEAR(r("tip.y") / L, 0.593, tolerance);
    EXPECT_NEAR(r("turn") * 180 / pi, 60, 100 * tolerance);
  }
}

}  // namespace ALEATOR_FILE
}  // namespace aleator::core::test
