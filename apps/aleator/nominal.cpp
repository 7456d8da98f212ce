#include "nominal.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <csignal>
#include <map>

#include "model/connections.hpp"
#include "model/drawn_frames.hpp"
#include "progress_line.hpp"

namespace aleator::core::app {

static std::vector<results::Connection> drawn_connections(const Model& m) {
  std::vector<results::Connection> out;
  for (const Connection& c : connections_of(m)) {
    results::Connection& r = out.emplace_back(results::Connection{c.name, c.kind, c.is_joint ? "joint" : "force", {}, {}, {}});
    for (const Hook& h : c.hooks) {
      r.frames.push_back(h.frame);
      r.points.insert(r.points.end(), {h.point.x, h.point.y, h.point.z});
    }
    if (c.has_axis) r.axis = {c.axis.x, c.axis.y, c.axis.z};
  }
  return out;
}

results::Run as_run(const Model& m, const Trajectory<double>& t) {
  results::Run run;
  run.time = t.times;
  for (const Channel& c : m.channels) run.channels.push_back({c.name, c.unit});
  run.values.assign(t.values.begin(), t.values.end());
  run.poses.assign(t.poses.begin(), t.poses.end());
  const std::vector<DrawnFrame> frames = drawn_frames(m.topology);
  for (int b = 0; b < m.topology.bodies(); ++b) {
    results::DrawnBody body{m.topology.body_names[b], {}};
    const BodyProperties& p = m.bodies[b];
    if (p.length > 0) body.nodes = 0;
    for (const DrawnFrame& f : frames) body.nodes += p.length > 0 && f.body == b;
    for (const DrawnShape& s : p.shapes) {
      if (p.length > 0) {  // a beam: its section in the frames of its nodes
        body.shapes.push_back({s.kind, s.size, {0, 0, 0}, {1, 0, 0, 0}});
        continue;
      }
      const Vec3<double> at = transposed_times(p.orientation, s.position - p.center_of_mass);
      const Quaternion<double> q = quaternion_of(transposed_times(p.orientation, s.axes));
      body.shapes.push_back({s.kind, s.size, {at.x, at.y, at.z}, {q.w, q.v.x, q.v.y, q.v.z}});
    }
    run.bodies.push_back(std::move(body));
  }
  run.connections = drawn_connections(m);
  return run;
}

void take(const Choice& choice, Model& model) {
  model.settings = choice.settings;
  fmt::print(stderr, "integrator {}, step {:.3g} s", model.settings.integrator, model.settings.step);
  for (const std::string& reason : choice.reasons) fmt::print(stderr, ": {}", reason);
  fmt::print(stderr, "\n");
}

namespace {

std::map<std::string, std::string> settings_of(const Settings& s, const ModelArguments& arguments) {
  std::map<std::string, std::string> out = {{"duration", fmt::format("{:.17g}", s.duration)},
                                            {"step", fmt::format("{:.17g}", s.step)},
                                            {"output_step", fmt::format("{:.17g}", s.output_step)},
                                            {"integrator", s.integrator}};
  if (s.tolerance > 0) out["tolerance"] = fmt::format("{:.17g}", s.tolerance);
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

std::atomic<bool> interrupt{false};
void on_signal(int) { interrupt = true; }

}  // namespace

const std::atomic<bool>& interrupted() { return interrupt; }

void watch_interrupts() {
  std::signal(SIGINT, on_signal);
  std::signal(SIGTERM, on_signal);
}

Trajectory<double> simulate_nominal(const Model& model) {
  watch_interrupts();
  ProgressLine progress;
  const double duration = model.settings.duration;
  SimulateOptions options;
  options.poses = true;
  options.stop = &interrupted();
  options.progress = [&](double t) {
    progress([&] { return fmt::format("{:3.0f} %  t = {:.4g} s of {:.4g} s", 100 * t / duration, t, duration); });
  };
  AssemblyReport report;
  Trajectory<double> t = simulate_model(model, model.nominal, options, &report);
  progress.clear();
  note_assembly(model, report);
  return t;
}

results::Provenance provenance_of(const Model& m, const ModelArguments& arguments, const std::string& command_line) {
  results::Provenance p = results::provenance_here();
  p.title = m.title;
  p.model_text = m.description.text;
  p.model_file = m.description.file;
  for (const input::ReferredFile& f : m.description.files) {
    p.table_files.push_back(f.name);
    p.table_texts.push_back(f.text);
  }
  p.command_line = command_line;
  p.settings = settings_of(m.settings, arguments);
  for (const std::string& name : ambiguous_outputs(m)) {
    fmt::print(stderr, "{}: note: '{}' is not unique: its joint shares a redundant constraint (see aleator check)\n",
               m.description.file, name);
    p.settings["not unique: " + name] = "its joint shares a redundant constraint";
  }
  return p;
}

void note_assembly(const Model& m, const AssemblyReport& report) {
  if (report.moved > 1e-9 || report.turned > 1e-9)
    fmt::print(stderr, "{}: note: assembly moved '{}' by {:.3g} m and turned '{}' by {:.3g} rad\n", m.description.file,
               report.moved_body, report.moved, report.turned_body, report.turned);
}

}  // namespace aleator::core::app
