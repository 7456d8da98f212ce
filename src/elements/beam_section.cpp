#include "elements/beam_section.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace aleator::core {
namespace {

constexpr double pi = std::numbers::pi;

// Sides a ≥ b:  J = a b³ (1/3 − 64/π⁵ · b/a · Σ tanh(nπa/2b)/n⁵),  n = 1, 3, 5, …  (Timoshenko & Goodier, § 109).
// With Σ 1/n⁵ = 31/32 ζ(5) taken out, the rest of the sum falls as exp(−nπ): ten terms are exact to the last digit.
double rectangle_torsion(double side, double other) {
  const double a = std::max(side, other), b = std::min(side, other);
  double sum = 31.0 / 32.0 * 1.0369277551433699263;
  for (int n = 1; n <= 19; n += 2) sum -= 2.0 / (std::exp(n * pi * a / b) + 1.0) / std::pow(n, 5);  // 1 − tanh
  return a * b * b * b * (1.0 / 3.0 - 64.0 / std::pow(pi, 5) * b / a * sum);
}

}  // namespace

BeamSection rectangle_section(double h, double b) {
  return {.area = h * b,
          .second = {b * h * h * h / 12, h * b * b * b / 12},
          .fourth = {b * std::pow(h, 5) / 80, h * std::pow(b, 5) / 80},
          .mixed = h * h * h * b * b * b / 144,
          .torsion = rectangle_torsion(h, b),
          .shear = {5.0 / 6.0, 5.0 / 6.0}};
}

BeamSection circle_section(double radius) { return tube_section(radius, 0.0); }

// k = 6 (1 + m²)² / (7 (1 + m²)² + 20 m²),  m = inner/outer
BeamSection tube_section(double outer, double inner) {
  const double second = pi / 4 * (std::pow(outer, 4) - std::pow(inner, 4));
  const double sixth = pi * (std::pow(outer, 6) - std::pow(inner, 6));
  const double m = inner / outer, s = (1 + m * m) * (1 + m * m), k = 6 * s / (7 * s + 20 * m * m);
  return {.area = pi * (outer * outer - inner * inner),
          .second = {second, second},
          .fourth = {sixth / 8, sixth / 8},
          .mixed = sixth / 24,
          .torsion = 2 * second,
          .shear = {k, k}};
}

// The rectangle with ∫y² = A h²/12 has ∫y⁴ = A h⁴/80 = 9/5 (∫y²)²/A and ∫y²z² = ∫y² ∫z² / A.
BeamSection general_section(double area, double second_y, double second_z, double torsion, double shear_y, double shear_z) {
  return {.area = area,
          .second = {second_y, second_z},
          .fourth = {1.8 * second_y * second_y / area, 1.8 * second_z * second_z / area},
          .mixed = second_y * second_z / area,
          .torsion = torsion,
          .shear = {shear_y, shear_z}};
}

}  // namespace aleator::core
