// What several commands have in common: the model, the study, numbers.
#pragma once

#include <map>
#include <string>
#include <vector>

#include <aleator/study.hpp>

#include "cli/colour.hpp"
#include "cli/command.hpp"
#include "input/limits.hpp"

namespace aleator::app {

inline constexpr long long most_samples = core::input::limits::samples, most_seed = 9223372036854775806;

// --allow-files DIR, of all that read models; --trust, of all that read results.
void add_allow_files(Command& command, std::vector<std::string>& folders);
void add_trust(Command& command);
void add_threads(Command& command, int& threads);
void add_json(Command& command, bool& json);

// NAME=VALUE each, given by this option; throws UsageError.
Settings read_settings(const std::vector<std::string>& settings, const std::string& option = "--set",
                       const std::string& name = "NAME");

// "1%" or "0.01"; throws UsageError.
double share_of(const std::string& option, const std::string& text, double most = 1);

// MODEL, --set and --allow-files, which most subcommands have.
struct ModelArguments {
  std::string file;
  std::vector<std::string> settings;  // NAME=VALUE
  std::vector<std::string> allowed;   // folders from which the model may take files, beside its own

  void add_to(Command& command, const std::string& help = "Model file (YAML)");
  Model load() const;
};

// What `run` and `slurm` let one say about a study, in place of what the model says.
struct StudyArguments {
  ModelArguments model;
  std::string out, method, accuracy, budget, on_failure, failed_at_most;
  std::string what, about, frame;
  int modes = 0;
  long samples = 0;
  long long seed = -1;
  bool sensitivity = false;

  void add_to(Command& command);
  std::string folder() const;
  Study study(const Model& model) const;  // throws InputError, UsageError
};
void add_about(Command& command, std::string& about, std::string& frame);
void add_failures(Command& command, std::string& on_failure, std::string& failed_at_most);
void add_isa(Command& command, std::string& isa, const std::string& help, bool here);

// "five-body" of examples/five-body.yaml
std::string stem(const std::string& file);

}  // namespace aleator::app
