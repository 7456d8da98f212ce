// How exceptions become messages and exit codes.
#include <fmt/format.h>

#include <new>

#include <aleator/model.hpp>

#include "cli/command.hpp"
#include "report/text.hpp"

namespace aleator::app {
namespace {

int complain(const char* message, int code) {
  fmt::print(stderr, "aleator: {}\n", message);
  return code;
}

}  // namespace

int reported(const std::function<int()>& command) {
  try {
    return command();
  } catch (const UsageError& e) {
    return complain(e.what(), exit_code::wrong_command_line);
  } catch (const InputError& e) {
    // file:line:column: first, as editors and compilers have it
    fmt::print(stderr, "{}\n", e.what());
    return exit_code::wrong_model;
  } catch (const ReadError& e) {
    return complain(core::report::printable(e.what()).c_str(), exit_code::wrong_model);  // with names out of the file
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

}  // namespace aleator::app
