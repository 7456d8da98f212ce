// aleator schema: the languages of its files for editors (JSON Schema) and for people (Markdown).
#include "input/schema.hpp"

#include "cli/arguments.hpp"
#include "inference/identification_file.hpp"
#include "input/text.hpp"
#include "model/language.hpp"
#include "optimisation/design_file.hpp"
#include "results/layout.hpp"

namespace aleator::app {

namespace {

struct Options {
  bool reference = false, identification = false, design = false;
  std::string layout;
};

}  // namespace

void add_schema(Command& c) {
  auto o = std::make_shared<Options>();
  c.flag("--reference", o->reference, "Print the reference as Markdown instead");
  c.flag("--identification", o->identification, "Of the file that 'identify' reads, instead of models");
  c.flag("--design", o->design, "Of the file that 'design' reads, instead of models");
  c.option("--layout", o->layout, "Print this page (src/results/layout.md) with its tables renewed").type("FILE");
  c.run([o] {
    if (!o->layout.empty()) {
      say("{}", core::results::with_layout_tables(core::input::read_bytes(o->layout)));
      return exit_code::done;
    }
    const core::input::Language& l = o->identification ? core::inference::identification_language()
                                     : o->design       ? core::optimisation::design_language()
                                                       : core::language();
    say("{}", o->reference ? core::input::markdown_reference(l) : core::input::json_schema(l));
    return exit_code::done;
  });
}

}  // namespace aleator::app
