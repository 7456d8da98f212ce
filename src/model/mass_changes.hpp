// What overrides replace of a rigid body, read once: realizations have other values of the same numbers.
#pragma once

#include <span>
#include <vector>

#include "model/mass_properties.hpp"

namespace aleator::core {

struct MassChange {
  enum Kind { mass, center_of_mass, inertia } kind;
  int row = 0, column = 0;  // of a centre of mass or an inertia
  int number = 0;           // of the override
};
// Of those that name the body, in their order. Throws InputError.
std::vector<MassChange> mass_changes(std::span<const Override> overrides, const input::Item& item);

// A rigid body with these changes, made of the one without any: mass, centre of mass, inertia, motion, axes; no shapes. False: there is no such
// body.
bool with_masses(const BodyProperties& nominal, int normal, std::span<const MassChange> changes, std::span<const double> values,
                 BodyProperties& to);

}  // namespace aleator::core
