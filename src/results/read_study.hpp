// A study as a results file has it, as the plain data it was written from.
#pragma once

#include <vector>

#include "results/read.hpp"
#include "results/study.hpp"

namespace aleator::core::results {

// Statistics, scalars, limits, Sobol indices, samples, failures; the responses go into `responses`, to which the result refers; null:
// they stay in the file. Throws ReadError.
StudyResult read_study(const StudyReader& file, std::vector<double>* responses);

}  // namespace aleator::core::results
