// What methods for rare events left in a results file.
#pragma once

#include "results/read.hpp"
#include "results/reliability.hpp"

namespace aleator::core::results {

bool has_reliability(const StudyReader& file);
Reliability read_reliability(const StudyReader& file);  // throws ReadError: the study was none of rare events

}  // namespace aleator::core::results
