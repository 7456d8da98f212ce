// Sections of beams: moments against quadrature, torsion and shear factors against published values.
#include "elements/beam_section.hpp"

#include <gtest/gtest.h>

#include <numbers>

#include "support/gauss.hpp"

namespace aleator::core {
namespace ALEATOR_FILE {

using test::gauss_points;
using test::GaussPoint;

void expect_moments(const BeamSection& s, const BeamSection& expected) {
  const double tolerance = 1e-13;  // round-off of a few hundred additions
  EXPECT_NEAR(s.area / expected.area, 1, tolerance);
  EXPECT_NEAR(s.mixed / expected.mixed, 1, tolerance);
  for (int i = 0; i < 2; ++i) {
    EXPECT_NEAR(s.second[i] / expected.second[i], 1, tolerance);
    EXPECT_NEAR(s.fourth[i] / expected.fourth[i], 1, tolerance);
  }
}

void add(BeamSection& s, double y, double z, double dA) {
  s.area += dA;
  s.second[0] += y * y * dA, s.second[1] += z * z * dA;
  s.fourth[0] += y * y * y * y * dA, s.fourth[1] += z * z * z * z * dA;
  s.mixed += y * y * z * z * dA;
}

TEST(BeamSection, rectangle_has_its_moments) {
  BeamSection expected{};
  for (const GaussPoint& y : gauss_points(4, -0.15, 0.15))
    for (const GaussPoint& z : gauss_points(4, -0.1, 0.1)) add(expected, y.x, z.x, y.weight * z.weight);
  expect_moments(rectangle_section(0.3, 0.2), expected);
}

TEST(BeamSection, tube_has_its_moments) {
  BeamSection expected{};
  const int angles = 16;  // equally spaced angles integrate cosines up to this order exactly
  for (const GaussPoint& r : gauss_points(5, 0.2, 0.35))
    for (int k = 0; k < angles; ++k) {
      const double a = 2 * std::numbers::pi * k / angles;
      add(expected, r.x * std::cos(a), r.x * std::sin(a), r.x * r.weight * 2 * std::numbers::pi / angles);
    }
  const BeamSection s = tube_section(0.35, 0.2);
  expect_moments(s, expected);
  EXPECT_NEAR(s.torsion, s.second[0] + s.second[1], 1e-15);
}

TEST(BeamSection, circle_is_a_tube_without_hole) {
  const BeamSection s = circle_section(2);
  EXPECT_NEAR(s.area, 4 * std::numbers::pi, 1e-13);
  EXPECT_NEAR(s.second[0], 4 * std::numbers::pi, 1e-13);
  EXPECT_NEAR(s.torsion, 8 * std::numbers::pi, 1e-13);
}

// J = β a b³: Timoshenko & Goodier, Theory of Elasticity, § 109, to the digits printed there.
TEST(BeamSection, torsion_of_rectangles) {
  const double published[][2] = {{1, 0.1406}, {1.2, 0.166}, {1.5, 0.196}, {2, 0.229}, {3, 0.263}, {5, 0.291}, {10, 0.312}};
  for (const auto& [ratio, beta] : published) {
    EXPECT_NEAR(rectangle_section(0.1 * ratio, 0.1).torsion / (ratio * 1e-4), beta, ratio == 1 ? 5e-5 : 6e-4) << ratio;
    EXPECT_DOUBLE_EQ(rectangle_section(0.1 * ratio, 0.1).torsion, rectangle_section(0.1, 0.1 * ratio).torsion);
  }
  EXPECT_NEAR(rectangle_section(1, 1).torsion, 0.14057701495515372, 1e-15);     // the series, summed with 30 digits
  EXPECT_NEAR(rectangle_section(1000, 1).torsion, (1000 - 0.63025) / 3, 1e-4);  // thin: b³ (a − 0.63025 b)/3
}

TEST(BeamSection, shear_factors) {
  EXPECT_DOUBLE_EQ(rectangle_section(1, 2).shear[0], 5.0 / 6.0);
  EXPECT_DOUBLE_EQ(circle_section(1).shear[1], 6.0 / 7.0);
  EXPECT_NEAR(tube_section(1, 1 - 1e-9).shear[0], 0.5, 1e-8);
}

TEST(BeamSection, general_section_of_a_rectangle_is_the_rectangle) {
  const BeamSection r = rectangle_section(0.3, 0.2);
  const BeamSection s = general_section(r.area, r.second[0], r.second[1], r.torsion, r.shear[0], r.shear[1]);
  expect_moments(s, r);
  EXPECT_EQ(s.torsion, r.torsion);
  EXPECT_EQ(s.shear[1], r.shear[1]);
}

}  // namespace ALEATOR_FILE
}  // namespace aleator::core
