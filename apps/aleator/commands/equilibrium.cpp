// aleator equilibrium MODEL: the static position, and how far it is from the drawing.
#include <algorithm>
#include <cmath>

#include "api/statics.hpp"
#include "base/words.hpp"
#include "cli/arguments.hpp"

namespace aleator::app {
namespace {

// Round-off is no number: what is a billionth of the largest of its kind is zero.
std::string told(double x, double largest) { return std::isnan(x) ? "" : core::number(std::abs(x) < 1e-9 * largest ? 0 : x); }

int equilibrium_command(const ModelArguments& arguments) {
  const core::Statics e = core::statics(arguments.load());
  const std::string how =
      e.load_steps > 0 ? fmt::format("{} load step{}", e.load_steps, e.load_steps == 1 ? "" : "s") : "following the forces";
  tell(e.stable ? Colour::none : Colour::bad, "{} equilibrium, found in {} iterations ({}); unbalanced force {} N",
       e.stable ? "stable" : "UNSTABLE", e.iterations, how, core::number(e.residual));
  double size = 0;
  for (const core::Statics::Place& p : e.places)
    size = std::max({size, std::abs(p.position[0]), std::abs(p.position[1]), std::abs(p.position[2]), p.moved});
  core::TextTable table, outputs;
  table.row({"centre of mass, node", "x [m]", "y [m]", "z [m]", "moved [m]", "turned [rad]"});
  for (const core::Statics::Place& p : e.places)
    table.row({p.name, told(p.position[0], size), told(p.position[1], size), told(p.position[2], size), told(p.moved, size),
               told(p.turned, 1)});
  say("\n{}", table.text());
  outputs.row({"output", "value"});
  for (size_t k = 0; k < e.outputs.size(); ++k)
    outputs.row({fmt::format("{} [{}]", e.outputs[k].name, e.outputs[k].unit), fmt::format("{:.6g}", e.values[k])});
  if (!e.outputs.empty()) say("\n{}", outputs.text());
  return exit_code::done;
}

}  // namespace

void add_equilibrium(Command& c) {
  auto o = std::make_shared<ModelArguments>();
  o->add_to(c);
  c.run([o] { return equilibrium_command(*o); });
}

}  // namespace aleator::app
