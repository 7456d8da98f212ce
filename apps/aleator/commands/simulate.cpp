// aleator simulate MODEL: the nominal model; writes nominal.h5 and nominal.csv.
#include <fmt/format.h>

#include <chrono>
#include <memory>

#include "base/atomic_file.hpp"
#include "base/folder_lock.hpp"
#include "nominal.hpp"
#include "results/write.hpp"

namespace aleator::core::app {
int simulate_command(const SimulateArguments& o, const std::string& command_line) {
  Model model = o.model.load();
  if (is_open(model.settings)) take(choose(model, {}, {}, best_isa()), model);
  if (model.topology.outputs.empty())
    fmt::print(stderr, "{}: note: the model has no outputs; only the motion of the bodies is recorded\n", o.model.file);
  const std::string folder = o.out.empty() ? "out/" + stem(o.model.file) : o.out;
  FolderLock lock(o.csv == "-" ? "" : folder);
  const auto start = std::chrono::steady_clock::now();
  const Trajectory<double> t = simulate_nominal(model);
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  const results::Run run = as_run(model, t);
  results::Provenance p = provenance_of(model, o.model, command_line);
  p.settings["seconds"] = fmt::format("{:.3g}", seconds);
  if (interrupted()) p.settings["interrupted at"] = fmt::format("{:.17g}", t.final_state.t);
  if (o.csv == "-") {
    results::write_csv("-", run);
  } else {
    create_folder(folder);
    lock.take();
    results::write_nominal(folder + "/nominal.h5", run, p);
    const std::string csv = o.csv.empty() ? folder + "/nominal.csv" : o.csv;
    results::write_csv(csv, run);
    fmt::print("{}: {:.4g} s in {} steps of {}, computed in {:.2g} s\n", model.title.empty() ? o.model.file : model.title,
               t.final_state.t, t.steps, model.settings.integrator, seconds);
    fmt::print("wrote {}/nominal.h5 and {} ({} times, {} channels)\n", folder, csv, run.time.size(), run.channels.size());
  }
  if (interrupted()) {
    fmt::print(stderr, "interrupted at t = {:.6g} s of {:.6g} s; what was finished is saved\n", t.final_state.t,
               model.settings.duration);
    return exit_code::interrupted;
  }
  return exit_code::done;
}

void add_simulate(CLI::App& app, Action& action) {
  auto o = std::make_shared<SimulateArguments>();
  CLI::App* c = app.add_subcommand("simulate", "Simulate the nominal model; writes nominal.h5 and nominal.csv");
  o->model.add_to(*c);
  c->add_option("--out", o->out, "Folder for the results (default out/NAME)")->type_name("DIR");
  c->add_option("--csv", o->csv, "Write the CSV here; '-' prints it and writes no files")->type_name("FILE");
  c->callback([o, &action] { action.run = [o, &action] { return simulate_command(*o, action.command_line); }; });
}

}  // namespace aleator::core::app
