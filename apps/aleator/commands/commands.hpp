// The subcommands: a file each, and a line in commands.cpp.
#pragma once

#include <span>

#include "cli/command.hpp"

namespace aleator::app {

struct CommandEntry {
  const char* name;
  const char* help;
  void (*add)(Command& command);
};

std::span<const CommandEntry> commands();

}  // namespace aleator::app
