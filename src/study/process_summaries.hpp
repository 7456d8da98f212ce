// What a study shows of its processes: a few realizations, and the density asked for against that of what was generated.
#pragma once

#include "results/study.hpp"
#include "uncertainty/random_model.hpp"

namespace aleator::core {

std::vector<results::ProcessSummary> process_summaries(const Model& model, const RandomModel& random, std::uint64_t seed);

}  // namespace aleator::core
