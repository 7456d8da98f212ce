// The subcommands: a file each, and a line in commands.cpp.
#pragma once

#include <span>

#include "cli/command.hpp"

namespace aleator::app {

struct Example {
  const char* line;   // without the name of the program
  const char* words;  // what it does
};

// Help, man pages, completions and documentation say the same, because all of them come from here.
struct CommandEntry {
  const char* name;
  const char* help;
  void (*add)(Command& command);
  Example examples[2];
};

std::span<const CommandEntry> commands();

}  // namespace aleator::app
