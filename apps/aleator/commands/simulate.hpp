// The nominal model, for simulate and for run where nothing is uncertain.
#pragma once

#include "cli/arguments.hpp"

namespace aleator::app {

struct SimulateArguments {
  ModelArguments model;
  std::string out, csv;
  bool report = false;
};
int simulate_command(const SimulateArguments& arguments, const std::string& command_line);

}  // namespace aleator::app
