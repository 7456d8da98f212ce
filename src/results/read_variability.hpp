// The variability response that a results file holds.
#pragma once

#include "results/read.hpp"

namespace aleator::core::results {

bool has_variability(const StudyReader& file);
Variability read_variability(const StudyReader& file);  // throws ReadError: the study was none of variability

}  // namespace aleator::core::results
