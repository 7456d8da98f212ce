// aleator simulate MODEL: the nominal model; writes nominal.h5 and nominal.csv.
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <csignal>
#include <memory>

#include "commands.hpp"
#include "dynamics/simulate.hpp"
#include "results/atomic_file.hpp"
#include "results/write.hpp"

namespace aleator::app {
namespace {

struct Options {
  ModelArguments model;
  std::string out, csv;
};

std::atomic<bool> interrupted{false};
void on_signal(int) { interrupted = true; }

// A line that is rewritten while a long simulation goes on; only on terminals.
class Progress {
 public:
  explicit Progress(double duration) : duration_(duration), active_(isatty(2)) {}
  void operator()(double t) {
    if (!active_ || ++calls_ % 64 != 0) return;
    const auto now = std::chrono::steady_clock::now();
    if (now - last_ < std::chrono::milliseconds(200)) return;
    last_ = now;
    shown_ = true;
    fmt::print(stderr, "\r{:3.0f} %  t = {:.4g} s of {:.4g} s ", 100 * t / duration_, t, duration_);
  }
  ~Progress() {
    if (shown_) fmt::print(stderr, "\r{:60}\r", "");
  }

 private:
  double duration_;
  bool active_, shown_ = false;
  long calls_ = 0;
  std::chrono::steady_clock::time_point last_ = std::chrono::steady_clock::now();
};

results::Run as_run(const Model& m, const Trajectory<double>& t) {
  results::Run run;
  run.time = t.times;
  for (const Output& o : m.topology.outputs)
    for (const std::string& c : o.channels) run.channels.push_back({c.empty() ? o.name : o.name + "." + c, o.unit});
  run.values.assign(t.values.begin(), t.values.end());
  run.poses.assign(t.poses.begin(), t.poses.end());
  for (int b = 0; b < m.topology.bodies(); ++b) {
    results::DrawnBody body{m.topology.body_names[b], {}};
    const BodyProperties& p = m.bodies[b];
    for (const DrawnShape& s : p.shapes) {
      const Vec3<double> at = transposed_times(p.orientation, s.position - p.center_of_mass);
      const Quaternion<double> q = quaternion_of(transposed_times(p.orientation, s.axes));
      body.shapes.push_back({s.kind, s.size, {at.x, at.y, at.z}, {q.w, q.v.x, q.v.y, q.v.z}});
    }
    run.bodies.push_back(std::move(body));
  }
  return run;
}

std::map<std::string, std::string> settings_of(const Settings& s, const ModelArguments& arguments) {
  std::map<std::string, std::string> out = {{"duration", fmt::format("{:.17g}", s.duration)},
                                            {"step", fmt::format("{:.17g}", s.step)},
                                            {"output_step", fmt::format("{:.17g}", s.output_step)},
                                            {"integrator", s.integrator}};
  if (s.integrator == "generalized-alpha") out["rho"] = fmt::format("{:.17g}", s.rho);
  for (const std::string& set : arguments.settings) out["set " + set.substr(0, set.find('='))] = set.substr(set.find('=') + 1);
  return out;
}

// Reactions that are not unique, because their joints share redundant constraints.
std::vector<std::string> ambiguous_outputs(const Model& m) {
  const Realization<double> r = make_realization<double>(m, std::span(&m.nominal, 1));
  Assembly<double> a(m, r);
  std::vector<std::string> names;
  const auto reads_joint = [](const Output& o) { return o.joint >= 0; };
  if (std::none_of(m.topology.outputs.begin(), m.topology.outputs.end(), reads_joint)) return names;
  const Redundancy redundancy = find_redundancy(a, drawn_state(m, r));
  for (const Output& o : m.topology.outputs)
    if (reads_joint(o) && redundancy.touches(m.topology.joints[o.joint].name)) names.push_back(o.name);
  return names;
}

int simulate_command(const Options& o, const std::string& command_line) {
  const Model model = o.model.load();
  if (model.topology.outputs.empty())
    fmt::print(stderr, "{}: note: the model has no outputs; only the motion of the bodies is recorded\n", o.model.file);
  std::signal(SIGINT, on_signal);
  std::signal(SIGTERM, on_signal);
  Progress progress(model.settings.duration);
  SimulateOptions options;
  options.poses = true;
  options.stop = &interrupted;
  options.progress = std::ref(progress);
  AssemblyReport report;
  const auto start = std::chrono::steady_clock::now();
  const Trajectory<double> t = simulate_model(model, model.nominal, options, &report);
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();

  if (report.moved > 1e-9 || report.turned > 1e-9)
    fmt::print(stderr, "{}: note: assembly moved '{}' by {:.3g} m and turned '{}' by {:.3g} rad\n", o.model.file,
               report.moved_body, report.moved, report.turned_body, report.turned);
  const results::Run run = as_run(model, t);
  results::Provenance p = results::provenance_here();
  p.model_text = model.description.text;
  p.model_file = model.description.file;
  p.command_line = command_line;
  p.settings = settings_of(model.settings, o.model);
  for (const std::string& name : ambiguous_outputs(model)) {
    fmt::print(stderr, "{}: note: '{}' is not unique: its joint shares a redundant constraint (see aleator check)\n",
               o.model.file, name);
    p.settings["not unique: " + name] = "its joint shares a redundant constraint";
  }
  if (interrupted) p.settings["interrupted at"] = fmt::format("{:.17g}", t.final_state.t);
  if (o.csv == "-") {
    results::write_csv("-", run);
  } else {
    const std::string folder = o.out.empty() ? "out/" + stem(o.model.file) : o.out;
    results::create_folder(folder);
    results::write_nominal(folder + "/nominal.h5", run, p);
    const std::string csv = o.csv.empty() ? folder + "/nominal.csv" : o.csv;
    results::write_csv(csv, run);
    fmt::print("{}: {:.4g} s in {} steps of {}, computed in {:.2g} s\n", model.title.empty() ? o.model.file : model.title,
               t.final_state.t, t.steps, model.settings.integrator, seconds);
    fmt::print("wrote {}/nominal.h5 and {} ({} times, {} channels)\n", folder, csv, run.time.size(), run.channels.size());
  }
  if (interrupted) {
    fmt::print(stderr, "interrupted at t = {:.6g} s of {:.6g} s; what was finished is saved\n", t.final_state.t,
               model.settings.duration);
    return exit_code::interrupted;
  }
  return exit_code::done;
}

}  // namespace

void add_simulate(CLI::App& app, Action& action) {
  auto o = std::make_shared<Options>();
  CLI::App* c = app.add_subcommand("simulate", "Simulate the nominal model; writes nominal.h5 and nominal.csv");
  o->model.add_to(*c);
  c->add_option("--out", o->out, "Folder for the results (default out/NAME)")->type_name("DIR");
  c->add_option("--csv", o->csv, "Write the CSV here; '-' prints it and writes no files")->type_name("FILE");
  c->callback([o, &action] { action.run = [o, &action] { return simulate_command(*o, action.command_line); }; });
}

}  // namespace aleator::app
