// Cross-section of a beam: its moments about the centroid, axes y and z principal, and its factors of shear and torsion.
#pragma once

namespace aleator::core {

struct BeamSection {
  double area;       // ∫dA
  double second[2];  // ∫y²dA, ∫z²dA: bending in the planes x–y, x–z
  double fourth[2];  // ∫y⁴dA, ∫z⁴dA
  double mixed;      // ∫y²z²dA
  double torsion;    // J of Saint-Venant: torque = G J twist
  double shear[2];   // k: shear force = k G area · shear angle, along y and z
};

// Shear factors are those of Cowper (J. Appl. Mech. 33, 1966) for Poisson's ratio 0, so that a section does not depend on its
// material: 5/6 for the rectangle, 6/7 for the circle, down to 1/2 for the thin tube.
BeamSection rectangle_section(double height_y, double width_z);
BeamSection circle_section(double radius);
BeamSection tube_section(double outer_radius, double inner_radius);

// Fourth moments of the rectangle with the same area and second moments; they act on the square of thickness · curvature only.
BeamSection general_section(double area, double second_y, double second_z, double torsion, double shear_y, double shear_z);

}  // namespace aleator::core
