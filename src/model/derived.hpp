// What is asked of responses besides their course: scalars derived from them, limits they should not exceed.
#pragma once

#include "input/expression.hpp"
#include "model/model.hpp"

namespace aleator {

// Fills scalars and limits of a model whose channels are known. Throws InputError.
void read_derived(const input::Description& description, const input::Scope& scope, Model& model);

// Limits and levels of one realization, where they depend on parameters.
struct DerivedNumbers {
  std::vector<double> limits;  // [limits]
  std::vector<double> levels;  // [scalars]
};
DerivedNumbers realize_derived(const Model& model, std::span<const Override> overrides);
bool derived_depends_on(const Model& model, std::span<const std::string> parameters);

}  // namespace aleator
