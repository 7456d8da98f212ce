// A model of which not everything is right.
#pragma once

#include "model/model.hpp"

namespace aleator::core {

// What make_model() does, but mistakes after which something is left to look at are in `description.errors` of what is returned, and
// what they spoil in `description.suspect`: whoever goes on can tell them together with its own. Without mistakes it is the model.
Model draft_of_model(input::Description description, std::span<const Override> overrides = {},
                     const CompileOptions& options = {});

}  // namespace aleator::core
