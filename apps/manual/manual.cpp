#include "manual.hpp"

#include <sstream>

namespace aleator::manual {

std::vector<CommandManual> all_commands() {
  std::vector<CommandManual> all;
  const std::vector<std::deque<app::OptionFacts>> options = app::options_of_commands();
  for (std::size_t k = 0; k < options.size(); ++k) {
    all.push_back({app::commands()[k], options[k]});
    all.back().options.push_back({"-h,--help", "Print the help of the command, with examples, and exit", ""});
    all.back().options.push_back({"--version", "Print the version and exit", ""});
  }
  return all;
}

std::vector<std::string> names_of(const app::OptionFacts& option) {
  std::vector<std::string> names;
  std::istringstream text(option.names);
  for (std::string name; std::getline(text, name, ',');) names.push_back(name);
  return names;
}

// By the word that stands for it in the help.
Value value_of(const CommandManual& command, const app::OptionFacts& option) {
  if (!option.choices.empty()) return Value::words;
  const std::string& word = option.positional() ? option.names : option.type;
  if (word == "MODEL") return std::string_view(command.entry.name) == "animate" ? Value::model_or_results : Value::model;
  if (word == "STUDY") return Value::model;
  if (word == "RESULTS" || word == "PARTS" || (option.positional() && (word == "A" || word == "B"))) return Value::results;
  if (word == "DIR" || word == "FOLDER") return Value::folder;
  return word == "FILE" ? Value::file : Value::nothing;
}

}  // namespace aleator::manual
