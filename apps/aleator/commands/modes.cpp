// aleator modes MODEL: frequencies, damping ratios and shapes of small vibrations, of one model or over a parameter.
#include <aleator/report.hpp>

#include "api/campbell.hpp"
#include "api/output_json.hpp"
#include "api/vibrations.hpp"
#include "base/atomic_file.hpp"
#include "base/cancellation.hpp"
#include "base/folder_lock.hpp"
#include "base/words.hpp"
#include "cli/arguments.hpp"
#include "cli/interrupt.hpp"
#include "cli/progress_line.hpp"
#include "report/page_assets.hpp"

namespace aleator::app {
namespace {

struct ModesArguments {
  ModelArguments model;
  std::string about, frame, over, unit, out;
  std::vector<std::string> orders;
  int count = 20, points = 31, number = 6;
  bool json = false, no_report = false;

  // What is not said is as in `study: modes:` of the model.
  core::ModalRequest request(const Model& m) const {
    if (!frame.empty() && !about.empty() && about != "rotation") throw UsageError("--frame", "is for --about rotation");
    const ModesSettings said = study_of(m).modes;
    if (about.empty() && frame.empty()) return {.number = count, .about = said.about, .frame = said.frame};
    return {.number = count, .about = frame.empty() ? about : "rotation", .frame = frame.empty() ? said.frame : frame};
  }
};

const char* words_for(const std::string& about) {
  return about == "equilibrium" ? "the equilibrium"
         : about == "steady"    ? "the steady motion of the start"
         : about == "rotation"  ? "a steady rotation, seen in its frame"
                                : "the drawing";
}

core::CampbellRequest request_of(const ModesArguments& o, const Model& model) {
  core::CampbellRequest q;
  usage_of("--over", [&] { return core::read_range(o.over, q), true; });
  q.orders = usage_of("--orders", [&] { return core::read_orders(o.orders); });
  q.unit = o.unit;
  if (!q.orders.empty()) usage_of("--unit", [&] { return core::hertz_of(q.unit); });
  q.points = o.points;
  q.modes = o.request(model);
  q.modes.number = o.number;
  return q;
}

// Where studies of modes of this model are.
std::string folder_of(const ModesArguments& o, const Model& model) {
  if (!o.out.empty()) return o.out;
  return "out/" + stem(o.model.file) + (study_of(model).what == "modes" ? "" : "-modes");
}

int modes_over_command(const ModesArguments& o, const std::string& command_line) {
  const std::stop_token stop = stop_on_signal();
  const Model model = o.model.load();
  core::CampbellRequest q = request_of(o, model);
  ProgressLine line;
  q.on_progress = [&](int done) { line.show(fmt::format("{} of {} values", done, q.points)); };
  const std::string folder = folder_of(o, model);
  core::FolderLock lock(folder);
  const core::CampbellDiagram d = [&] {
    const core::CancellationScope scope(&interrupted());  // of the computation: what is done of it is written whole
    return core::campbell(model, q);
  }();
  line.clear();
  core::create_folder(folder);
  lock.take();
  core::CommandOutcome outcome{d.complete ? exit_code::done : exit_code::interrupted, {}, d.found.notes};
  outcome.files = core::write_campbell(model, d, folder, command_line);
  const bool report = !o.no_report && d.complete && !core::report::page_script().empty();
  const std::string page = folder + "/campbell.html";
  if (report && write_report(std::vector<std::string>{outcome.files[0]}, page, stop) > 0) outcome.files.push_back(page);
  if (o.json) {
    print_raw(core::campbell_json(o.model.file, d.found, outcome));
    return outcome.exit_code;
  }
  tell("small vibrations about {}, over {}", words_for(d.found.about), d.found.parameter);
  for (const std::string& note : d.found.notes) tell("note: {}", note);
  say("\n{}\n", core::campbell_text(d.found));
  for (const std::string& file : outcome.files) say("wrote {}\n", file);
  return outcome.exit_code;
}

int modes_command(const ModesArguments& o) {
  const Model model = o.model.load();
  const core::Vibrations found = core::vibrations(model, o.request(model));
  std::vector<std::string> notes;
  if (!found.balanced)
    notes.push_back(
        found.about == "steady" || found.about == "rotation"
            ? core::unsteady_note(found.unbalanced_body, found.about)
            : fmt::format("this is no equilibrium ('{}' starts with {} m/s² or rad/s²); --about equilibrium linearises there",
                          found.unbalanced_body, core::number(found.unbalanced)));
  if (found.left_out)
    notes.emplace_back(
        "overdamped modes accumulate about one frequency: some of them are left out, the vibrations are all there");
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
  c.option("--orders", o->orders, "With --over a speed: lines of these multiples of it, and the critical speeds")
      .list(',')
      .type("K")
      .needs(over);
  c.option("--unit", o->unit, "With --over: unit of the parameter; of a speed rad/s (default), rpm, Hz or deg/s")
      .type("U")
      .needs(over);
  c.option("-o,--out", o->out, "With --over: folder for the diagram (default that of a study of modes: out/NAME)")
      .type("DIR")
      .needs(over);
  c.flag("--no-report", o->no_report, "With --over: no campbell.html").needs(over);
  add_json(c, o->json);
  c.run([o, &c] { return o->over.empty() ? modes_command(*o) : modes_over_command(*o, c.line()); });
}

}  // namespace aleator::app
