// aleator dakota MODEL PARAMS RESULTS…: an analysis driver of Dakota.
#include "coupling/dakota.hpp"

#include "cli/arguments.hpp"
#include "cli/interrupt.hpp"

namespace aleator::app {

void add_dakota(Command& c) {
  struct Arguments {
    ModelArguments model;
    std::vector<std::string> files;
    core::coupling::DakotaOptions options;
  };
  auto o = std::make_shared<Arguments>();
  o->model.add_to(c);
  c.option("FILES", o->files, "PARAMS RESULTS, as Dakota passes them; several pairs are computed together").required();
  c.option("--outputs", o->options.outputs, "What the responses are: scalars, outputs, x@TIME (default their descriptors)")
      .list(',')
      .type("A,B");
  add_threads(c, o->options.threads);
  c.run([o] {
    if (o->files.size() % 2 != 0)
      throw UsageError("FILES", "come in pairs: PARAMS, which Dakota wrote, and RESULTS, which it will read");
    o->options.stop = stop_on_signal();
    o->options.on_note = [](std::string_view note) { say(stderr, "{}\n", note); };
    return core::coupling::run_dakota(o->model.load(), o->files, o->options) ? exit_code::done : exit_code::interrupted;
  });
}

}  // namespace aleator::app
