// aleator: the command line. Exit codes are those of docs/command-line.md.
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <iostream>
#include <optional>

#include "commands.hpp"
#include "input/error.hpp"
#include "results/read.hpp"
#include "results/version.hpp"

namespace aleator::core::app {
namespace {

// "there is no command 'simulat' (did you mean 'simulate'?)"
std::optional<std::string> unknown_command(const CLI::App& app, const std::string& word) {
  std::vector<std::string> known;
  for (const CLI::App* c : app.get_subcommands([](const CLI::App*) { return true; })) known.push_back(c->get_name());
  if (word.empty() || word[0] == '-' || std::find(known.begin(), known.end(), word) != known.end()) return std::nullopt;
  return fmt::format("there is no command '{}'{}", word, input::suggestion(word, known));
}

void add_trust(CLI::App& app) {
  for (const char* name : {"animate", "report", "view", "export", "plot", "evaluate", "compare", "rerun"})
    app.get_subcommand(name)->add_flag_callback("--trust", results::StudyReader::trust_files,
                                                "Also read results without a checksum, which another program has written");
}

int main_program(int argc, char** argv) {
  CLI::App app("Multibody dynamics in which the bodies themselves are uncertain.", "aleator");
  app.require_subcommand(1);
  app.get_formatter()->column_width(34);
  Action action;
  for (int i = 0; i < argc; ++i) action.command_line += (i ? " " : "") + std::string(i ? argv[i] : "aleator");
  add_simulate(app, action);
  add_animate(app, action);
  add_run(app, action);
  add_resume(app, action);
  add_merge(app, action);
  add_rerun(app, action);
  add_slurm(app, action);
  add_identify(app, action);
  add_sample(app, action);
  add_twin(app, action);
  add_report(app, action);
  add_view(app, action);
  add_export(app, action);
  add_plot(app, action);
  add_evaluate(app, action);
  add_compare(app, action);
  add_check(app, action);
  add_equilibrium(app, action);
  add_modes(app, action);
  add_schema(app, action);
  add_trust(app);
  const std::string version = fmt::format("aleator {} ({})", results::version(), results::commit());
  app.set_version_flag("--version", version);
  for (CLI::App* c : app.get_subcommands([](const CLI::App*) { return true; })) c->set_version_flag("--version", version);
  if (argc == 1) {
    std::cout << app.help();
    return exit_code::done;
  }
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& e) {
    if (e.get_exit_code() == 0) return app.exit(e);  // --help, --version
    fmt::print(stderr, "aleator: {}\nTry 'aleator --help'.\n", unknown_command(app, argv[1]).value_or(e.what()));
    return exit_code::wrong_command_line;
  }
  return reported(action.run);
}

}  // namespace
}  // namespace aleator::core::app

int main(int argc, char** argv) {
  std::signal(SIGXFSZ, SIG_IGN);  // a file that may not grow is an error to report, not an end
  return aleator::core::app::main_program(argc, argv);
}
