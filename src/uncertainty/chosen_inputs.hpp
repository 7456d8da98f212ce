// Inputs of a model as other programs choose them: numbers by the names of `--set`, random or not.
#pragma once

#include "uncertainty/read_quantities.hpp"

namespace aleator::core {

// One quantity per name, in their order. What is random by itself keeps its distribution; other numbers get one that is only there to
// show which numbers of the mechanism they change: 10 % around the nominal value. Random quantities that are not named have their
// nominal values. The names of the wave number and the phase of a field, alone, make that field a wave (wave.hpp; std::invalid_argument
// where it can be none). Throws InputError for names that are no numbers of the model, or are repeated.
RandomThings choose_inputs(RandomThings things, std::span<const std::string> names, const LawContext& context);

}  // namespace aleator::core
