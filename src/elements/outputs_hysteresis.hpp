#pragma once

#include <vector>

#include "elements/builder.hpp"

namespace aleator::core {

std::vector<ElementType> hysteresis_outputs();

// What the hysteresis of a force or joint has dissipated; false if there is none of that name.
bool build_dissipated_by_hysteresis(const input::Item& item, Builder& builder);

}  // namespace aleator::core
