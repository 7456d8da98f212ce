// All that a model says about what is random: `uncertain:` and `dependence:`.
#pragma once

#include "uncertainty/read_quantities.hpp"

namespace aleator::core {

struct ReadRandom : RandomThings {
  std::vector<Dependence> dependences;
};

// Of a model, or of what could be built of a draft. `uncertain` is that section, with hyper-parameters; `fixed` and
// `field_variables` are numbers set from outside; `inputs` are random instead of what the model says, where there are any.
// Mistakes come to `errors`.
ReadRandom read_random(const Model& model, const std::vector<input::Item>& uncertain, std::span<const Override> fixed,
                       std::span<const Override> field_variables, std::span<const std::string> inputs, input::ErrorList& errors);

}  // namespace aleator::core
