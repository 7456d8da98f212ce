// How exceptions become messages and exit codes.
#include <fmt/format.h>

#include <new>

#include "base/errors.hpp"
#include "commands.hpp"
#include "dynamics/errors.hpp"
#include "input/error.hpp"
#include "report/text.hpp"
#include "results/read.hpp"

namespace aleator::core::app {
namespace {

int complain(const char* message, int code) {
  fmt::print(stderr, "aleator: {}\n", message);
  return code;
}

}  // namespace

int reported(const std::function<int()>& command) {
  try {
    return command();
  } catch (const CLI::ParseError& e) {
    return complain(e.what(), exit_code::wrong_command_line);
  } catch (const input::InputError& e) {
    // file:line:column: first, as editors and compilers have it
    fmt::print(stderr, "{}\n", e.what());
    return exit_code::wrong_model;
  } catch (const results::ReadError& e) {
    return complain(report::printable(e.what()).c_str(), exit_code::wrong_model);  // with names out of the file
  } catch (const SimulationError& e) {
    return complain(e.what(), exit_code::simulation_failed);
  } catch (const WriteError& e) {
    return complain(e.what(), exit_code::cannot_write);
  } catch (const std::bad_alloc&) {
    return complain("out of memory: the model or its output is too large for this machine", exit_code::simulation_failed);
  } catch (const std::exception& e) {
    return complain(fmt::format("this is a mistake in Aleator, please report it: {}", e.what()).c_str(),
                    exit_code::simulation_failed);
  }
}

}  // namespace aleator::core::app
