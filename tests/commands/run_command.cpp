// The program's commands in this process, as main.cpp has them.
#include <new>

#include "base/errors.hpp"
#include "commands.hpp"
#include "dynamics/errors.hpp"
#include "input/error.hpp"
#include "results/read.hpp"
#include "support/results_mutation.hpp"

namespace aleator::core::test {

int run_command(std::vector<std::string> arguments) {
  CLI::App app("", "aleator");
  app::Action action;
  for (const auto& add : {app::add_report, app::add_export, app::add_plot, app::add_evaluate, app::add_compare, app::add_animate,
                          app::add_run, app::add_merge, app::add_resume})
    add(app, action);
  try {
    app.parse(std::vector<std::string>(arguments.rbegin(), arguments.rend()));
    return action.run();
  } catch (const CLI::ParseError&) {
    return app::exit_code::wrong_command_line;
  } catch (const results::ReadError&) {
    return app::exit_code::wrong_model;
  } catch (const input::InputError&) {
    return app::exit_code::wrong_model;
  } catch (const WriteError&) {
    return app::exit_code::cannot_write;
  }
}

}  // namespace aleator::core::test
