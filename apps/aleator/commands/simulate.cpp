// aleator simulate MODEL: the nominal model; writes nominal.h5 and nominal.csv.
#include "commands/simulate.hpp"

#include <fmt/format.h>

#include <chrono>

#include <aleator/report.hpp>

#include "api/output_json.hpp"
#include "base/atomic_file.hpp"
#include "base/folder_lock.hpp"
#include "cli/interrupt.hpp"
#include "results/write.hpp"
#include "study/nominal.hpp"

namespace aleator::app {

int simulate_command(const SimulateArguments& o, ProgressLine& line, const std::string& command_line) {
  const Model loaded = o.model.load();
  const RunOptions terminal = terminal_options(line, command_line);
  const std::shared_ptr<const core::Model> model = core::to_simulate(loaded.compiled().model, terminal.on_note, &interrupted());
  if (model->topology.outputs.empty())
    line.note(o.model.file + ": note: the model has no outputs; only the motion of the bodies is recorded");
  const std::string folder = o.out.empty() ? "out/" + stem(o.model.file) : o.out;
  core::FolderLock lock(o.csv == "-" ? "" : folder);
  const auto start = std::chrono::steady_clock::now();
  const double duration = model->settings.duration;
  const auto show = [&](double time) {
    line.show(fmt::format("{:3.0f} %  t = {:.4g} s of {:.4g} s", 100 * time / duration, time, duration));
  };
  const core::Trajectory t = core::simulate_nominal(*model, &interrupted(), terminal.on_note, show);
  line.clear();
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  const core::results::Run run = core::as_run(*model, t);
  core::results::Provenance p = core::provenance_of(*model, loaded.compiled().settings, command_line, terminal.on_note);
  p.settings["seconds"] = fmt::format("{:.3g}", seconds);
  if (interrupted()) p.settings["interrupted at"] = fmt::format("{:.17g}", t.final_state.t);
  core::CommandOutcome outcome;
  if (o.csv == "-") {
    core::results::write_csv("-", run);
  } else {
    core::create_folder(folder);
    lock.take();
    core::results::write_nominal(folder + "/nominal.h5", run, p);
    const std::string csv = o.csv.empty() ? folder + "/nominal.csv" : o.csv;
    core::results::write_csv(csv, run);
    outcome.files = {folder + "/nominal.h5", csv};
    if (!o.json) {
      tell("{}: {:.4g} s in {} steps of {}{}, computed in {:.2g} s", loaded.compiled().name(), t.final_state.t, t.steps,
           t.integrator,
           t.adapted.reduced > 0 ? fmt::format(" (reduced {} times, smallest {:.2g} s)", t.adapted.reduced, t.adapted.smallest)
                                 : "",
           seconds);
      say("wrote {}\nwrote {} ({} times, {} channels)\n", outcome.files[0], csv, run.time.size(), run.channels.size());
    }
    const std::string page = folder + "/report.html";
    if (o.report && write_report(std::vector<std::string>{outcome.files[0]}, page) > 0) {
      outcome.files.push_back(page);
      if (!o.json) say("wrote {}\n", page);
    }
  }
  if (o.profile && !o.json) say(o.csv == "-" ? stderr : stdout, "{}", core::wrapped(core::energy_profile(t)));
  if (interrupted())
    say(stderr, "interrupted at t = {:.6g} s of {:.6g} s; what was finished is saved\n", t.final_state.t, duration);
  outcome.exit_code = interrupted() ? exit_code::interrupted : exit_code::done;
  outcome.notes = line.notes();
  if (o.json)
    print_raw(core::nominal_json({o.model.file, model->modal ? model->settings.integrator : t.integrator, t.final_state.t,
                                  duration, seconds, t.steps, run},
                                 outcome));
  return outcome.exit_code;
}

void add_simulate(Command& c) {
  auto o = std::make_shared<SimulateArguments>();
  o->model.add_to(c);
  c.option("-o,--out", o->out, "Folder for the results (default out/NAME)").type("DIR");
  c.option("--csv", o->csv, "Write the CSV here; '-' prints it and writes no files").type("FILE");
  c.flag("--profile", o->profile, "Print the energy balance");
  c.run([o, &c] {
    ProgressLine line;
    return simulate_command(*o, line, c.line());
  });
}

}  // namespace aleator::app
