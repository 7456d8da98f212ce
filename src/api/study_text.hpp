// The summary of a study as `run`, `merge` and `resume` print it, within the columns of a terminal.
#pragma once

#include <string>

#include "results/study.hpp"
#include "study/session.hpp"

namespace aleator::core {

// Tables of outputs, scalars, limits and Sobol indices, then how well they are known. `details`: also the lines of the evidence that
// are for those who look closer (results::detail_mark); they are in the report in any case.
std::string study_text(const Study& study, const results::StudyResult& result, bool details);

// What the failed realizations may do to the bands; empty where nothing failed.
std::string failures_text(const results::StudyResult& result);

}  // namespace aleator::core
