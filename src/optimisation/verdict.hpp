// What a search for a design has found, in plain words.
#pragma once

#include "results/design.hpp"

namespace aleator::core::optimisation {

void add_words(results::FoundDesign& design);  // verdict, and notes after those that are there

}  // namespace aleator::core::optimisation
