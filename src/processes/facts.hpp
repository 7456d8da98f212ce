// What is to be told about a process: numbers for `check` and reports, and what may be wrong with it.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "processes/process.hpp"

namespace aleator::core::processes {

// "rms" → "0.0151", "cut-off" → "56.6 Hz", …
std::vector<std::pair<std::string, std::string>> facts(const Process& process);

// What its grid cannot show of its density, and what steps cannot of it. `step`: of a fixed-step integrator, 0 for adapted steps.
std::vector<std::string> doubts(const Process& process, double step, double output_step);

}  // namespace aleator::core::processes
