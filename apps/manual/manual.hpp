// The commands of the program as others describe them: man pages, completions of shells.
#pragma once

#include <deque>
#include <string>
#include <string_view>
#include <vector>

#include "commands/commands.hpp"

namespace aleator::manual {

struct CommandManual {
  const app::CommandEntry& entry;
  std::deque<app::OptionFacts> options;  // also those every command has
};
std::vector<CommandManual> all_commands();

// "-o,--out" → {"-o", "--out"}
std::vector<std::string> names_of(const app::OptionFacts& option);

// What may stand for a value or a positional argument.
enum class Value { nothing, words, model, results, model_or_results, folder, file };
Value value_of(const CommandManual& command, const app::OptionFacts& option);

std::string man_page(const std::vector<CommandManual>& commands);  // aleator.1
std::string man_page(const CommandManual& command);                // aleator-run.1
std::string bash_completion(const std::vector<CommandManual>& commands);
std::string zsh_completion(const std::vector<CommandManual>& commands);

}  // namespace aleator::manual
