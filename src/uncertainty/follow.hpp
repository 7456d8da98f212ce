// A body whose drawing depends on random parameters, and that has random quantities of its own: these follow the drawing of the
// realization. With m, c, Z, R of the nominal drawing and m', c', Z', R' of this one,
//   mass            M m'/m
//   centre of mass  c' + R' Rᵀ (a − c)
//   second moments  S Z_random Sᵀ,  S = R' C' C⁻¹ Rᵀ with C Cᵀ, C' C'ᵀ the nominal second moments in body axes, so that S Z Sᵀ = Z'.
#pragma once

#include "model/mass_properties.hpp"

namespace aleator::core {

// Z = (½ tr J I − J)/m of a body; in the plane the polar moment J/m in the entry of the normal.
Mat3<double> second_moments(const BodyProperties& body, int normal);

double follow_mass(double mass, const BodyProperties& nominal, const BodyProperties& drawn);
Vec3<double> follow_center_of_mass(const Vec3<double>& a, const BodyProperties& nominal, const BodyProperties& drawn);
Mat3<double> follow_second_moments(const Mat3<double>& z, const BodyProperties& nominal, const BodyProperties& drawn, int normal);

}  // namespace aleator::core
