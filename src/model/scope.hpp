// The values of all parameters with some of a model's numbers replaced.
#pragma once

#include <span>

#include "input/expression.hpp"
#include "model/mass_properties.hpp"

namespace aleator {

// Those of the overrides that are parameters count; numbers of bodies have a dot in their names.
inline input::Scope scope_of(const input::Description& description, std::span<const Override> overrides) {
  std::vector<std::pair<std::string, double>> parameters;
  for (const Override& o : overrides)
    if (o.name.find('.') == std::string::npos) parameters.emplace_back(o.name, o.value);
  return input::Scope(description, parameters);
}

}  // namespace aleator
