// How exceptions become messages and exit codes.
#include <new>

#include <aleator/model.hpp>

#include "api/output_json.hpp"
#include "base/cancellation.hpp"
#include "cli/colour.hpp"
#include "cli/command.hpp"

namespace aleator::app {
namespace {

template <class T>
bool is(const std::exception& e) {
  return dynamic_cast<const T*>(&e) != nullptr;
}

int code_of(const std::exception& e) {
  if (is<UsageError>(e)) return exit_code::wrong_command_line;
  if (is<WriteError>(e)) return exit_code::cannot_write;
  if (is<Error>(e) && !is<SimulationError>(e)) return exit_code::wrong_model;
  return exit_code::simulation_failed;
}

void complain(const std::exception& e) {
  if (const auto* const input = dynamic_cast<const InputError*>(&e)) {
    for (const Mistake& m : input->mistakes()) {  // file:line:column: first, as editors and compilers have it
      write(stderr, Colour::heading, place_of(m));
      say(stderr, "{}\n", m.message);
    }
    if (input->more() > 0) say(stderr, "and {} more\n", input->more());
    return;
  }
  write(stderr, Colour::bad, "aleator: ");
  if (is<std::bad_alloc>(e))
    say(stderr, "out of memory: the model or its output is too large for this machine\n");
  else
    say(stderr, "{}{}\n", is<Error>(e) || is<UsageError>(e) ? "" : "this is a mistake in Aleator, please report it: ", e.what());
}

}  // namespace

int reported(const std::function<int()>& command, const std::string& json_of) {
  try {
    return command();
  } catch (const core::Cancelled&) {
    say(stderr, "interrupted before there was anything to save\n");
    return exit_code::interrupted;
  } catch (const std::exception& e) {
    complain(e);
    const int code = code_of(e);
    if (json_of.empty()) return code;
    return reported([&] { return print_raw(core::error_json(json_of, code, e)), code; });  // this may fail as well
  }
}

}  // namespace aleator::app
