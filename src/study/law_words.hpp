// Distributions and random fields in a few words.
#pragma once

#include <string>

#include "results/study.hpp"
#include "uncertainty/random_model.hpp"

namespace aleator::core {

std::string law_words(const Quantity& quantity);  // "Gamma, shape 4, rate 0.1", "maximum entropy on a box"
results::FieldSummary summary_of(const BeamField& field);

}  // namespace aleator::core
