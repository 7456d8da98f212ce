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

// Where it is, and what would be right; null what is not known.
void put(Members& m, const Mistake& mistake) {
  const auto place = [&](const char* key, int number) { number > 0 ? m.integer(key, number) : m.null(key); };
  m.text("message", mistake.message).text_or_null("file", mistake.file);
  place("line", mistake.line);
  place("column", mistake.column);
  m.text_or_null("key", mistake.key).text_or_null("remedy", mistake.remedy);
}

}  // namespace

std::string error_json(const std::string& command, int exit_code, const std::exception& error) {
  return output_object(command, exit_code, [&](Members& m) {
    m.object("error", [&](Members&) {
      m.integer("code", exit_code).text("kind", kind_of(error, exit_code));
      const auto* const input = dynamic_cast<const InputError*>(&error);
      const auto* const write = dynamic_cast<const WriteError*>(&error);
      const Mistake only{.file = write ? write->path() : "", .key = "", .message = error.what(), .remedy = ""};
      put(m, input ? input->mistakes()[0] : only);
      if (!input) return;
      m.list("all", input->mistakes(), [](Members& each, const Mistake& mistake, std::size_t) { put(each, mistake); });
      m.integer("more", static_cast<long long>(input->more()));
    });
  });
}

}  // namespace aleator::core
