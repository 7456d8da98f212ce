#include <new>

#include <aleator/model.hpp>

#include "api/json_members.hpp"
#include "api/output_json.hpp"

namespace aleator::core {
namespace {

const char* kind_of(const std::exception& e, int exit_code) {
  if (dynamic_cast<const InputError*>(&e)) return "input";
  if (dynamic_cast<const WriteError*>(&e)) return "write";
  if (dynamic_cast<const SimulationError*>(&e)) return "simulation";
  if (dynamic_cast<const Error*>(&e)) return "read";
  if (dynamic_cast<const std::bad_alloc*>(&e)) return "memory";
  return exit_code == 2 ? "usage" : "internal";
}

}  // namespace

std::string error_json(const std::string& command, int exit_code, const std::exception& error) {
  return output_object(command, exit_code, [&](Members& m) {
    m.object("error", [&](Members&) {
      m.integer("code", exit_code).text("kind", kind_of(error, exit_code));
      const auto* const input = dynamic_cast<const InputError*>(&error);
      const auto* const write = dynamic_cast<const WriteError*>(&error);
      m.text("message", input ? input->message().c_str() : error.what());
      m.text_or_null("file", input ? input->file() : write ? write->path() : "");
      const auto place = [&](const char* key, int number) { number > 0 ? m.integer(key, number) : m.null(key); };
      place("line", input ? input->line() : 0);
      place("column", input ? input->column() : 0);
      m.text_or_null("key", input ? input->key() : "").text_or_null("remedy", input ? input->remedy() : "");
    });
  });
}

}  // namespace aleator::core
