// aleator equilibrium MODEL: the static position, and how far it is from the drawing.
#include <cmath>

#include "api/statics.hpp"
#include "base/words.hpp"
#include "cli/arguments.hpp"

namespace aleator::app {
namespace {

int equilibrium_command(const ModelArguments& arguments) {
  const core::Statics e = core::statics(arguments.load());
  const std::string how =
      e.load_steps > 0 ? fmt::format("{} load step{}", e.load_steps, e.load_steps == 1 ? "" : "s") : "following the forces";
  say(e.stable ? Colour::none : Colour::bad, "{} equilibrium, found in {} iterations ({}); unbalanced force {} N\n",
      e.stable ? "stable" : "UNSTABLE", e.iterations, how, core::number(e.residual));
  say(Colour::heading, "\n{:<14} {:>39}   {:>33}\n", "body", "centre of mass, node (m)", "moved (m)  turned (rad)");
  for (const core::Statics::Place& p : e.places)
    say("{:<14} {:>12.6g} {:>12.6g} {:>12.6g}   {:>16.6g}{}\n", p.name, p.position[0], p.position[1], p.position[2], p.moved,
        std::isnan(p.turned) ? "" : fmt::format(" {:>13.6g}", p.turned));
  if (!e.outputs.empty()) say(Colour::heading, "\n{:<24} {:>16}\n", "output", "value");
  for (size_t k = 0; k < e.outputs.size(); ++k) say("{:<24} {:>16.9g}  {}\n", e.outputs[k].name, e.values[k], e.outputs[k].unit);
  return exit_code::done;
}

}  // namespace

void add_equilibrium(Command& c) {
  auto o = std::make_shared<ModelArguments>();
  o->add_to(c);
  c.run([o] { return equilibrium_command(*o); });
}

}  // namespace aleator::app
