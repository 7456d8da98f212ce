// aleator modes MODEL: frequencies, damping ratios and shapes of small vibrations.
#include "dynamics/modes.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/words.hpp"
#include "cli/arguments.hpp"
#include "dynamics/equilibrium.hpp"
#include "study/loaded_model.hpp"

namespace aleator::app {
namespace {

using namespace core;

struct Options {
  ModelArguments model;
  std::string about = "start";
  int count = 20;
};

// The body and direction that move most.
std::string largest_motion(const Mode& mode, const Topology& t) {
  static const char* const directions[] = {"x", "y", "z", "rx", "ry", "rz"};
  Eigen::Index i = 0;
  mode.shape.cwiseAbs().maxCoeff(&i);
  const bool turns = i % 6 >= 3 || !t.carriers[i / 6].is_place;
  if (t.carriers[i / 6].vectors > 0 && turns) return fmt::format("{} section", t.carrier_name(int(i / 6)));
  return fmt::format("{} {}", t.carrier_name(int(i / 6)), directions[i % 6]);
}

int modes_command(const Options& o) {
  const aleator::Model loaded = o.model.load();
  const core::Model& m = loaded.compiled().model;
  const Realization<double> r = make_realization<double>(m, std::span(&m.nominal, 1));
  Assembly<double> a(m, r);
  State<double> s = assemble(a);
  const bool settle = o.about == "equilibrium" || m.settings.start_at_equilibrium;
  if (settle) s = equilibrium(a, s).state;
  ModesReport report;
  const std::vector<Mode> found = modes(a, s, &report);
  fmt::print("small vibrations about {}: {} degree{} of freedom\n", settle ? "the equilibrium" : "the drawing", report.freedoms,
             report.freedoms == 1 ? "" : "s");
  if (!report.balanced)
    fmt::print("note: this is no equilibrium ('{}' starts with {} m/s² or rad/s²); --about equilibrium linearises there\n",
               report.unbalanced_body, number(report.unbalanced));
  fmt::print("\n{:>4} {:>14} {:>14} {:>12}   {}\n", "mode", "frequency (Hz)", "damped (Hz)", "damping", "largest motion");
  for (size_t i = 0; i < found.size() && int(i) < o.count; ++i) {
    const Mode& mode = found[i];
    const char* kind = mode.rigid ? "rigid" : mode.unstable ? "UNSTABLE" : mode.oscillating ? "" : "overdamped";
    fmt::print("{:>4} {:>14.6g} {:>14.6g} {:>12.4g}   {:<20} {}\n", i + 1, mode.frequency, mode.damped_frequency,
               mode.damping_ratio + 0.0, largest_motion(mode, m.topology), kind);
  }
  if (int(found.size()) > o.count) fmt::print("… and {} more (--count)\n", int(found.size()) - o.count);
  return exit_code::done;
}

}  // namespace

void add_modes(Command& c) {
  auto o = std::make_shared<Options>();
  o->model.add_to(c);
  c.option("--about", o->about, "Linearise about the start or the equilibrium").one_of({"start", "equilibrium"}).show_default();
  c.option("--count", o->count, "How many modes to print").whole(1, 1000000).show_default();
  c.run([o] { return modes_command(*o); });
}

}  // namespace aleator::app
