// The Princeton beam (Dowell, Traybar & Hodges, J. Sound Vib. 50, 1977; Bauchau et al., Multibody Syst. Dyn. 37, 2016): a cantilever of
// aluminium 7075, 508 mm long, 12.377 × 3.2024 mm, E = 71.7 GPa, ν = 0.31, with weights of 4.448, 8.896 and 13.345 N at its tip and its root turned
// by 0 … 90°: bending in both planes, and twist by their coupling.
// Reference: not the measured points but the rod of Reissner and Simo with the same stiffnesses, which describes the experiment to its
// scatter, solved by shooting (tests/support/cosserat_rod.hpp); at 0° and 90° Euler's elastica besides.
#include <gtest/gtest.h>

#include "support/ancf_structure.hpp"
#include "support/cosserat_rod.hpp"
#include "support/statics_mechanism.hpp"

namespace aleator::core::test {
namespace ALEATOR_FILE {

constexpr double L = 0.508, height = 12.377e-3, thickness = 3.2024e-3, E = 71.7e9, nu = 0.31, G = E / (2 * (1 + nu));
constexpr double pi = std::numbers::pi;

CosseratRod rod() {
  const BeamSection s = rectangle_section(height, thickness);
  return {L, {E * s.area, s.shear[0] * G * s.area, s.shear[1] * G * s.area}, {G * s.torsion, E * s.second[1], E * s.second[0]}};
}

struct Tip {
  double height, thickness, twist;  // displacements along the height and the thickness of the section; its twist
};
// Twist: how far the thickness turned out of the plane, as the experiment has it.
double twist_of(const Eigen::Matrix3d& axes) { return std::atan2(axes(2, 1), axes(1, 1)); }

Tip of_model(double load, double angle, int elements) {
  Mechanism m(R"(
bodies:
  beam: {beam: [[0, 0, 0], [0.508, 0, 0]], section: {rectangle: {height: 12.377e-3, width: 3.2024e-3}}, height_along: y,
         E: 71.7e9, nu: 0.31, density: 2800, elements: )" +
              std::to_string(elements) + R"(}
joints:
  root: {fixed: [ground, beam], at: [0, 0, 0]}
forces:
  weight: {force: beam, at: [0.508, 0, 0], value: [0, )" +
              text(load * std::cos(angle)) + ", " + text(load * std::sin(angle)) + R"(]}
outputs:
  tip: {displacement: beam, at: [0.508, 0, 0]}
  turn: {orientation: beam, at: [0.508, 0, 0], as: quaternion}
simulation: {duration: 1}
)");
  const Equilibrium e = equilibrium(m.assembly, m.start);
  EXPECT_TRUE(e.stable);
  const auto out = [&](const std::string& name) { return m.output(e.state, name); };
  const Eigen::Quaterniond q(out("turn.w"), out("turn.x"), out("turn.y"), out("turn.z"));
  return {out("tip.y"), out("tip.z"), twist_of(q.toRotationMatrix())};
}
Tip of_rod(double load, double angle) {
  const RodTip t = tip_of(rod(), {0, load * std::cos(angle), load * std::sin(angle)});
  return {t.place[1], t.place[2], twist_of(t.axes)};
}

// The reference itself: slender, it is the elastica in both planes of symmetry (shear and stretch change the tip by 1e-4 of its way).
TEST(PrincetonBeam, reference_is_the_elastica_without_coupling) {
  for (const double P : {4.448, 8.896, 13.345}) {
    const double flap = P * L * L / (E * height * std::pow(thickness, 3) / 12),
                 chord = P * L * L / (E * thickness * std::pow(height, 3) / 12);
    EXPECT_NEAR(of_rod(P, pi / 2).thickness / (L * elastica(flap).y), 1, 3e-4);
    EXPECT_NEAR(of_rod(P, 0).height / (L * elastica(chord).y), 1, 2e-3);
    EXPECT_NEAR(of_rod(P, 0).height / (P * L * L * L / (3 * E * thickness * std::pow(height, 3) / 12)), 1, 3e-3);
  }
}

// 16 elements: errors of second order (below).
TEST(PrincetonBeam, tip_at_all_loads_and_angles) {
  for (const double P : {4.448, 8.896, 13.345})
    for (const double degrees : {0.0, 15.0, 30.0, 45.0, 60.0, 75.0, 90.0}) {
      const Tip model = of_model(P, degrees * pi / 180, 16), exact = of_rod(P, degrees * pi / 180);
      const double size = std::hypot(exact.height, exact.thickness);
      EXPECT_NEAR(model.height, exact.height, 1e-3 * size) << P << " " << degrees;
      EXPECT_NEAR(model.thickness, exact.thickness, 1e-3 * size) << P << " " << degrees;
      EXPECT_NEAR(model.twist, exact.twist, 3e-4) << P << " " << degrees;
    }
}

TEST(PrincetonBeam, converges_to_the_rod) {
  const Tip exact = of_rod(13.345, pi / 4), coarse = of_model(13.345, pi / 4, 8), fine = of_model(13.345, pi / 4, 16);
  EXPECT_NEAR(std::log2((coarse.height - exact.height) / (fine.height - exact.height)), 2, 0.2);
  EXPECT_NEAR(std::log2((coarse.thickness - exact.thickness) / (fine.thickness - exact.thickness)), 2, 0.2);
  EXPECT_NEAR(std::log2((coarse.twist - exact.twist) / (fine.twist - exact.twist)), 2, 0.2);
}

}  // namespace ALEATOR_FILE
}  // namespace aleator::core::test
