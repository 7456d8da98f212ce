// What is asked of responses besides their course: scalars derived from them, limits they should not exceed.
#pragma once

#include "input/expression.hpp"
#include "model/model.hpp"

namespace aleator {

// Fills scalars and limits of a model whose channels are known. Throws InputError.
void read_derived(const input::Description& description, const input::Scope& scope, Model& model);

}  // namespace aleator
