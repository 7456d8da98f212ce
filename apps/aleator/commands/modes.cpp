// aleator modes MODEL: frequencies, damping ratios and shapes of small vibrations.
#include "api/output_json.hpp"
#include "api/vibrations.hpp"
#include "base/words.hpp"
#include "cli/arguments.hpp"

namespace aleator::app {
namespace {

struct ModesArguments {
  ModelArguments model;
  std::string about = "start";
  int count = 20;
  bool json = false;
};

int modes_command(const ModesArguments& o) {
  const core::Vibrations found = core::vibrations(o.model.load(), o.about == "equilibrium");
  std::vector<std::string> notes;
  if (!found.balanced)
    notes.push_back(
        fmt::format("this is no equilibrium ('{}' starts with {} m/s² or rad/s²); --about equilibrium linearises there",
                    found.unbalanced_body, core::number(found.unbalanced)));
  if (o.json) {
    print_raw(core::modes_json(o.model.file, found, o.count, {exit_code::done, {}, notes}));
    return exit_code::done;
  }
  const int n = int(found.modes.size());
  tell("small vibrations about {}: {} degree{} of freedom", found.about_equilibrium ? "the equilibrium" : "the drawing",
       found.degrees_of_freedom, found.degrees_of_freedom == 1 ? "" : "s");
  for (const std::string& note : notes) tell("note: {}", note);
  core::TextTable table;
  table.row({"mode", "frequency [Hz]", "damped [Hz]", "damping ratio", "largest motion", ""});
  for (int i = 0; i < n && i < o.count; ++i) {
    const core::Vibration& v = found.modes[size_t(i)];
    table.row({fmt::format("{}", i + 1), fmt::format("{:.5g}", v.frequency), fmt::format("{:.5g}", v.damped_frequency),
               fmt::format("{:.3g}", v.damping_ratio), v.body + " " + v.direction,
               v.kind == "unstable"      ? "UNSTABLE"
               : v.kind == "oscillating" ? ""
                                         : v.kind});
  }
  const std::vector<std::string> lines = table.lines();
  for (size_t i = 0; i < lines.size(); ++i)
    say(i == 0                                  ? Colour::heading
        : found.modes[i - 1].kind == "unstable" ? Colour::bad
                                                : Colour::none,
        "{}{}\n", i == 0 ? "\n" : "", lines[i]);
  if (n > o.count) say("… and {} more (--count)\n", n - o.count);
  return exit_code::done;
}

}  // namespace

void add_modes(Command& c) {
  auto o = std::make_shared<ModesArguments>();
  o->model.add_to(c);
  c.option("--about", o->about, "Linearise about the start or the equilibrium")
      .one_of({"start", "equilibrium"})
      .show_default()
      .type("WHERE");
  c.option("--count", o->count, "How many modes to print").whole(1, 1000000).show_default().type("N");
  add_json(c, o->json);
  c.run([o] { return modes_command(*o); });
}

}  // namespace aleator::app
