// What a study says on the terminal when it is done.
#pragma once

#include <aleator/study.hpp>

#include "api/output_json.hpp"

namespace aleator::app {

// Prints it; returns the exit code and what was written. `no_report`: a report that is there is of other results, and goes.
// `quiet`: only what went wrong, on stderr; the rest is told as JSON.
core::CommandOutcome tell_result(const StudyResult& result, const RunOptions& options, bool no_report, bool quiet = false);

}  // namespace aleator::app
