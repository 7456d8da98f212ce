// Commands and their options. CLI11 is behind this: its headers take ten seconds to compile, and one file includes them.
#pragma once

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
  UsageError(const std::string& option, const std::string& why) : std::runtime_error(option + ": " + why) {}
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

class Option {
 public:
  explicit Option(CLI::Option* option) : option_(option) {}

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
};

class Command {
 public:
  Command(CLI::App& app, std::function<int()>& chosen, std::string line) : app_(app), chosen_(chosen), line_(std::move(line)) {}

  // Positional where the name has no dashes.
  Option option(const std::string& names, std::string& to, const std::string& help);
  Option option(const std::string& names, long& to, const std::string& help);
  Option option(const std::string& names, long long& to, const std::string& help);
  Option option(const std::string& names, int& to, const std::string& help);
  Option option(const std::string& names, double& to, const std::string& help);
  Option option(const std::string& names, std::vector<std::string>& to, const std::string& help);
  Option option(const std::string& names, const std::function<void(const std::string&)>& take, const std::string& help);
  Option flag(const std::string& names, bool& to, const std::string& help);
  Option flag(const std::string& names, std::function<void()> take, const std::string& help);

  void run(std::function<int()> action);  // what it does, when the line was understood
  const std::string& line() const { return line_; }

 private:
  CLI::App& app_;
  std::function<int()>& chosen_;
  std::string line_;
};

// What a command returns; when it throws, the message is printed and this is the exit code that belongs to it.
int reported(const std::function<int()>& command);

// Finds the command and reads its options. What is to be run; or nothing, and the exit code: of --help, or of a line that was not
// understood.
struct ParsedLine {
  std::function<int()> run;
  int code = exit_code::done;
  std::vector<std::shared_ptr<Command>> commands;  // that `run` refers to
};
std::unique_ptr<const ParsedLine> parse_command_line(const std::vector<std::string>& words);

// The whole line.
int run_command_line(const std::vector<std::string>& words);

}  // namespace aleator::app
