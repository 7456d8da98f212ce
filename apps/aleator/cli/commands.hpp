// The subcommands, one file each. Each adds itself to the command line; running it returns an exit code or throws.
#pragma once

#include <CLI/CLI.hpp>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "input/limits.hpp"
#include "model/model.hpp"

namespace aleator::core::app {

namespace exit_code {
inline constexpr int done = 0, differs = 1, wrong_command_line = 2, wrong_model = 3, simulation_failed = 4, some_failed = 5,
                     cannot_write = 6, interrupted = 130;
}

// What a subcommand leaves for main to run.
struct Action {
  std::function<int()> run;
  std::string command_line;
};

// What a command returns; when it throws, the message is printed and this is the exit code that belongs to it.
int reported(const std::function<int()>& command);

void add_simulate(CLI::App& app, Action& action);
void add_animate(CLI::App& app, Action& action);
void add_run(CLI::App& app, Action& action);
void add_resume(CLI::App& app, Action& action);
void add_merge(CLI::App& app, Action& action);
void add_rerun(CLI::App& app, Action& action);
void add_slurm(CLI::App& app, Action& action);
void add_identify(CLI::App& app, Action& action);
void add_sample(CLI::App& app, Action& action);
void add_twin(CLI::App& app, Action& action);
void add_report(CLI::App& app, Action& action);
void add_view(CLI::App& app, Action& action);
void add_export(CLI::App& app, Action& action);
void add_plot(CLI::App& app, Action& action);
void add_evaluate(CLI::App& app, Action& action);
void add_compare(CLI::App& app, Action& action);
void add_check(CLI::App& app, Action& action);
void add_equilibrium(CLI::App& app, Action& action);
void add_modes(CLI::App& app, Action& action);
void add_schema(CLI::App& app, Action& action);

// --allow-files DIR, of all that read models.
void add_allow_files(CLI::App& command, std::vector<std::string>& folders);

// MODEL, --set and --allow-files, which most subcommands have.
struct ModelArguments {
  std::string file;
  std::vector<std::string> settings;  // NAME=VALUE
  std::vector<std::string> allowed;   // folders from which the model may take files, beside its own
  // Instead of what is on the disk: the text of the file and of those it refers to.
  struct Sources {
    std::string text;
    std::vector<input::ReferredFile> files;
  };
  std::shared_ptr<const Sources> sources;

  void add_to(CLI::App& command);
  std::vector<Override> overrides() const;              // throws CLI::ValidationError
  Model load() const;                                   // without hyper-parameters of laws, which are no numbers of the model
  Model compile(input::Description description) const;  // the same of a model that has been read
};

// NAME=VALUE each; throws CLI::ValidationError.
std::vector<Override> read_settings(const std::vector<std::string>& settings);

struct SimulateArguments {
  ModelArguments model;
  std::string out, csv;
};
int simulate_command(const SimulateArguments& arguments, const std::string& command_line);

// A whole number between two bounds, with a message that says so.
CLI::Validator whole_number(long long least, long long most);
CLI::Validator real_number(double least, double most);
inline constexpr long long most_samples = input::limits::samples, most_seed = 9223372036854775806;

// "five-body" of examples/five-body.yaml
std::string stem(const std::string& file);

// A physical number for people: 4 significant digits.
std::string number(double x);

}  // namespace aleator::core::app
