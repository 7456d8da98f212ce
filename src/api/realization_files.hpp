// One realization of a study as files of its own: realization-17.h5 and realization-17.csv.
#pragma once

#include <string>

#include "results/run.hpp"
#include "study/recorded_study.hpp"

namespace aleator::core {

// Into a folder; empty: beside the results of the study. Returns the path without .h5 and .csv. Throws WriteError.
std::string write_realization(const RecordedStudy& study, const results::Run& run, long realization, const std::string& folder,
                              const std::string& command_line);

}  // namespace aleator::core
