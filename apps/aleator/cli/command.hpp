// Commands and their options. CLI11 is behind this: its headers take ten seconds to compile, and one file includes them.
#pragma once

#include <deque>
#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace aleator::app {

namespace exit_code {
inline constexpr int done = 0, differs = 1, wrong_command_line = 2, wrong_model = 3, simulation_failed = 4, some_failed = 5,
                     cannot_write = 6, interrupted = 130;
}

// What the user wrote cannot be meant: exit code 2.
struct UsageError : std::runtime_error {
  explicit UsageError(const std::string& why) : std::runtime_error(why) {}
  UsageError(const std::string& option, const std::string& why) : UsageError(option + ": " + why) {}
};

// What the library refuses with std::invalid_argument is the fault of this option.
template <class F>
auto usage_of(const std::string& option, F&& f) {
  try {
    return f();
  } catch (const std::invalid_argument& e) {
    throw UsageError(option, e.what());
  }
}

// What one option is: for man pages, completions and tests, beside the help.
struct OptionFacts {
  std::string names, help;  // "-o,--out"; positional where there are no dashes
  std::string type;         // what stands for its value: N, DIR; empty: a flag, or a positional
  std::vector<std::string> choices = {};
  bool required = false, repeated = false;

  bool positional() const { return !names.starts_with('-'); }
};

class Option {
 public:
  Option(CLI::Option* option, OptionFacts& facts) : option_(option), facts_(&facts) {}

  Option& type(const std::string& name);  // what stands for its value in the help: N, DIR
  Option& required();
  Option& one_of(const std::vector<std::string>& words);
  Option& whole(long long least, long long most);  // a whole number, with a message that says so
  Option& real(double least, double most);
  Option& check(const std::function<std::string(const std::string&)>& wrong);  // empty: it is right
  Option& folder();                                                            // one that is there
  Option& each();                                                              // may be given several times, one value each
  Option& list(char separator);
  Option& show_default();
  Option& needs(const Option& other);
  Option& excludes(const Option& other);

 private:
  CLI::Option* option_;
  OptionFacts* facts_;
};

class Command {
 public:
  Command(CLI::App& app, std::function<int()>& chosen, std::string line) : app_(app), chosen_(chosen), line_(std::move(line)) {}

  // Positional where the name has no dashes. `to` is a text, a number, or a list of texts.
  template <class T>
  Option option(const std::string& names, T& to, const std::string& help);
  Option option(const std::string& names, const std::function<void(const std::string&)>& take, const std::string& help);
  Option flag(const std::string& names, bool& to, const std::string& help);
  Option flag(const std::string& names, std::function<void()> take, const std::string& help);

  void run(std::function<int()> action);  // what it does, when the line was understood
  const std::string& line() const { return line_; }
  const std::deque<OptionFacts>& options() const { return options_; }
  bool has(const std::string& name) const;  // "--json"

 private:
  Option added(CLI::Option* option, const std::string& names, const std::string& help);

  CLI::App& app_;
  std::function<int()>& chosen_;
  std::string line_;
  std::deque<OptionFacts> options_;
};

// What a command returns; when it throws, the message is printed and this is the exit code that belongs to it.
// With the name of a command that was asked for JSON the message is also printed as its object.
int reported(const std::function<int()>& command, const std::string& json_of = "");

// Finds the command and reads its options. What is to be run; or nothing, and the exit code: of --help, or of a line that was not
// understood.
struct ParsedLine {
  std::function<int()> run;
  int code = exit_code::done;
  std::vector<std::shared_ptr<Command>> commands;  // that `run` refers to
  std::string json_of;                             // the command whose object is asked for (--json)
};
std::unique_ptr<const ParsedLine> parse_command_line(const std::vector<std::string>& words);

// The options of every command of commands(), in the same order.
std::vector<std::deque<OptionFacts>> options_of_commands();

// The whole line.
int run_command_line(const std::vector<std::string>& words);

}  // namespace aleator::app
