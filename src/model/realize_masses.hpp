// Realizations that differ from their model in mass, centre of mass and inertia of rigid bodies alone: nothing of the description has to be
// read again. What a moved centre of mass leaves where it is, markers, is placed as the builder did; all numbers are those of a full build.
#pragma once

#include "model/model.hpp"

namespace aleator::core {

// False, and `to` is of no use: other numbers are replaced, too, or a value is wrong; a full build says which.
bool realize_masses(const Model& model, std::span<const Override> overrides, Parameters& to);

// The general way.
Parameters realize_by_building(const Model& model, std::span<const Override> overrides);

}  // namespace aleator::core
