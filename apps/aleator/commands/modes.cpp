// aleator modes MODEL: frequencies, damping ratios and shapes of small vibrations, of one model or over a parameter.
#include "api/campbell.hpp"
#include "api/output_json.hpp"
#include "api/vibrations.hpp"
#include "base/atomic_file.hpp"
#include "base/words.hpp"
#include "cli/arguments.hpp"
#include "report/svg_figure.hpp"

namespace aleator::app {
namespace {

struct ModesArguments {
  ModelArguments model;
  std::string about, frame, over, out;
  std::vector<std::string> orders;
  int count = 20, points = 31, number = 6;
  bool json = false;

  // What is not said is as in `study: modes:` of the model.
  core::ModalRequest request(const Model& m) const {
    if (!frame.empty() && !about.empty() && about != "rotation") throw UsageError("--frame", "is for --about rotation");
    const ModesSettings said = study_of(m).modes;
    if (about.empty() && frame.empty()) return {.number = count, .about = said.about, .frame = said.frame};
    return {.number = count, .about = frame.empty() ? about : "rotation", .frame = frame.empty() ? said.frame : frame};
  }
};

void write_diagram(const std::string& file, const std::string& text) {
  core::AtomicFile out(file);
  out.write(text);
  out.commit();
}

const char* words_for(const std::string& about) {
  return about == "equilibrium" ? "the equilibrium"
         : about == "steady"    ? "the steady motion of the start"
         : about == "rotation"  ? "a steady rotation, seen in its frame"
                                : "the drawing";
}

// Over a parameter.
int campbell_command(const ModesArguments& o) {
  core::CampbellRequest q;
  usage_of("--over", [&] { return core::read_range(o.over, q), true; });
  q.points = o.points;
  const Model model = o.model.load();
  q.modes = o.request(model);
  q.modes.number = o.number;
  for (const std::string& order : o.orders) {
    char* end = nullptr;
    q.orders.push_back(std::strtod(order.c_str(), &end));
    if (end == order.c_str() || *end != 0) throw UsageError("--orders", fmt::format("'{}' is no number", order));
  }
  const core::CampbellDiagram d = core::campbell(model, q);
  const std::string folder = o.out.empty() ? "out/" + stem(o.model.file) : o.out;
  core::create_folder(folder);
  write_diagram(folder + "/campbell.csv", core::campbell_csv(d));
  write_diagram(folder + "/campbell.svg", core::report::svg_text(core::campbell_figure(d), {}));
  tell("small vibrations about {}, over {}", words_for(d.about), d.parameter);
  for (const std::string& note : d.notes) tell("note: {}", note);
  say("\n{}", core::campbell_text(d));
  tell("\nwrote {0}/campbell.csv and {0}/campbell.svg", folder);
  return exit_code::done;
}

int modes_command(const ModesArguments& o) {
  if (!o.over.empty() && o.json) throw UsageError("--json", "--over writes campbell.csv instead");
  if (!o.over.empty()) return campbell_command(o);
  const Model model = o.model.load();
  const core::Vibrations found = core::vibrations(model, o.request(model));
  std::vector<std::string> notes;
  if (!found.balanced)
    notes.push_back(
        found.about == "steady" || found.about == "rotation"
            ? fmt::format("this motion is not steady: forces on '{}' are left over, or change with time; so do frequencies",
                          found.unbalanced_body)
            : fmt::format("this is no equilibrium ('{}' starts with {} m/s² or rad/s²); --about equilibrium linearises there",
                          found.unbalanced_body, core::number(found.unbalanced)));
  if (o.json) {
    print_raw(core::modes_json(o.model.file, found, o.count, {exit_code::done, {}, notes}));
    return exit_code::done;
  }
  const int n = int(found.modes.size());
  tell("small vibrations about {}: {} degree{} of freedom", words_for(found.about), found.degrees_of_freedom,
       found.degrees_of_freedom == 1 ? "" : "s");
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
  add_about(c, o->about, o->frame);
  c.option("--count", o->count, "How many modes to print").whole(1, 1000000).show_default().type("N");
  const Option over =
      c.option("--over", o->over, "Follow the modes over a parameter: speed=0..300 (a Campbell diagram)").type("RANGE");
  c.option("--points", o->points, "With --over: how many values").whole(2, 100000).show_default().type("N").needs(over);
  c.option("--number", o->number, "With --over: how many modes, the lowest").whole(1, 1000).show_default().type("N").needs(over);
  c.option("--orders", o->orders, "With --over a speed in rad/s: lines of these multiples of it").list(',').type("K").needs(over);
  c.option("-o,--out", o->out, "With --over: folder for campbell.csv and campbell.svg (default out/NAME)")
      .type("DIR")
      .needs(over);
  add_json(c, o->json);
  c.run([o] { return modes_command(*o); });
}

}  // namespace aleator::app
