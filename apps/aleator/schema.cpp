// aleator schema: the model language for editors (JSON Schema) and for people (Markdown).
#include "input/schema.hpp"

#include <fmt/format.h>

#include <memory>

#include "commands.hpp"
#include "model/language.hpp"

namespace aleator::app {

void add_schema(CLI::App& app, Action& action) {
  auto reference = std::make_shared<bool>(false);
  CLI::App* c = app.add_subcommand("schema", "Print the JSON Schema of the model language");
  c->add_flag("--reference", *reference, "Print the reference as Markdown instead");
  c->callback([reference, &action] {
    action.run = [reference] {
      fmt::print("{}", *reference ? input::markdown_reference(language()) : input::json_schema(language()));
      return exit_code::done;
    };
  });
}

}  // namespace aleator::app
