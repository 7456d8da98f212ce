// The program's commands in this process, as main.cpp has them.
#include "base/errors.hpp"
#include "cli/command.hpp"
#include "support/results_mutation.hpp"

namespace aleator::core::test {

// What the program would call a mistake of its own is not caught.
int run_command(std::vector<std::string> arguments) {
  const auto line = app::parse_command_line(arguments);
  try {
    return line->run ? line->run() : line->code;
  } catch (const app::UsageError&) {
    return app::exit_code::wrong_command_line;
  } catch (const ReadError&) {
    return app::exit_code::wrong_model;
  } catch (const aleator::InputError&) {
    return app::exit_code::wrong_model;
  } catch (const WriteError&) {
    return app::exit_code::cannot_write;
  } catch (const SimulationError&) {
    throw;
  } catch (const aleator::Error&) {  // two studies that cannot be compared
    return app::exit_code::wrong_model;
  }
}

}  // namespace aleator::core::test
