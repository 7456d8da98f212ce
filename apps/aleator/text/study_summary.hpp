// What a study says on the terminal when it is done.
#pragma once

#include <aleator/study.hpp>

namespace aleator::app {

// Prints it; returns the exit code. `no_report`: a report that is there is of other results, and goes.
int tell_result(const StudyResult& result, const RunOptions& options, bool no_report);

}  // namespace aleator::app
