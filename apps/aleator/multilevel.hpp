// control-variate and multilevel: few realizations of the model, many of cheaper ones.
#pragma once

#include <string>

#include "study_run.hpp"

namespace aleator::core::app {

int run_multilevel(const RunArguments& arguments, const std::string& command_line, const Task& task);

}  // namespace aleator::core::app
