// aleator schema: the languages of its files for editors (JSON Schema) and for people (Markdown).
#include "input/schema.hpp"

#include <fmt/format.h>

#include <memory>

#include "commands.hpp"
#include "inference/identification_file.hpp"
#include "model/language.hpp"

namespace aleator::core::app {

namespace {

struct Options {
  bool reference = false, identification = false;
};

}  // namespace

void add_schema(CLI::App& app, Action& action) {
  auto o = std::make_shared<Options>();
  CLI::App* c = app.add_subcommand("schema", "Print the JSON Schema of the model language");
  c->add_flag("--reference", o->reference, "Print the reference as Markdown instead");
  c->add_flag("--identification", o->identification, "Of the file that 'identify' reads, instead of models");
  c->callback([o, &action] {
    action.run = [o] {
      const input::Language& l = o->identification ? inference::identification_language() : language();
      fmt::print("{}", o->reference ? input::markdown_reference(l) : input::json_schema(l));
      return exit_code::done;
    };
  });
}

}  // namespace aleator::core::app
