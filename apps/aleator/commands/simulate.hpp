// The nominal model, for simulate and for run where nothing is uncertain.
#pragma once

#include "cli/arguments.hpp"
#include "cli/progress_line.hpp"

namespace aleator::app {

struct SimulateArguments {
  ModelArguments model;
  std::string out, csv;
  bool report = false, json = false, profile = false;
};
int simulate_command(const SimulateArguments& arguments, ProgressLine& line, const std::string& command_line);

}  // namespace aleator::app
