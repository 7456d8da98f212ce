#include "study/nominal.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "base/cancellation.hpp"
#include "dynamics/newton_failure.hpp"
#include "model/colours.hpp"
#include "model/connections.hpp"
#include "model/drawn_frames.hpp"
#include "model/drawn_mesh.hpp"
#include "model/plausibility.hpp"

namespace aleator::core {

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

static void add_forces(const Trajectory& t, std::vector<results::Connection>& connections) {
  const std::size_t row = 3 * connections.size();
  if (t.forces.empty() || t.forces.size() != row * t.times.size()) return;  // not recorded
  for (std::size_t c = 0; c < connections.size(); ++c)
    for (std::size_t k = 0; k < t.times.size(); ++k) {
      const double* from = t.forces.data() + k * row + 3 * c;
      connections[c].force.insert(connections[c].force.end(), from, from + 3);
    }
}

// Meshes share what may be drawn of all of them.
static std::size_t triangles_per_mesh(const Model& m) {
  std::size_t count = 0;
  for (const BodyProperties& p : m.bodies)
    count += std::size_t(std::count_if(p.shapes.begin(), p.shapes.end(), [](const DrawnShape& s) { return s.mesh != nullptr; }));
  return std::min(drawn_triangles, all_drawn_triangles / std::max<std::size_t>(count, 1));
}

results::Run as_run(const Model& m, const Trajectory& t) {
  results::Run run;
  run.time = t.times;
  for (const Channel& c : m.channels) run.channels.push_back({c.name, c.unit});
  run.values.assign(t.values.begin(), t.values.end());
  run.poses.assign(t.poses.begin(), t.poses.end());
  const std::vector<DrawnFrame> frames = drawn_frames(m.topology);
  const std::size_t of_each = triangles_per_mesh(m);
  for (int b = 0; b < m.topology.bodies(); ++b) {
    results::DrawnBody body{m.topology.body_names[b], {}};
    body.colour = colour_of(m.description.section("bodies")[size_t(b)]);
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
      body.shapes.push_back({s.kind, s.mesh ? drawn_mesh(s, of_each) : s.size, {at.x, at.y, at.z}, {q.w, q.v.x, q.v.y, q.v.z}});
    }
    run.bodies.push_back(std::move(body));
  }
  run.connections = drawn_connections(m);
  add_forces(t, run.connections);
  for (const ObservedPoint& p : observed_points(m))
    run.points.push_back({p.output, p.hook.frame, {p.hook.point.x, p.hook.point.y, p.hook.point.z}});
  run.gravity = {m.nominal.gravity.x, m.nominal.gravity.y, m.nominal.gravity.z};
  return run;
}

void tell(const Note& note, std::string_view text) {
  if (note) note(text);
}

// A choice that the model asks for is explained; the default is not worth a word.
static bool is_asked_for(const Model& model) {
  const input::Value* simulation = model.description.top.find("simulation");
  return model.settings.accuracy > 0 || (simulation && simulation->items[0].find("integrator"));
}

std::shared_ptr<const Model> with_choice(const Model& model, const Choice& choice, const Note& note) {
  Model chosen = model;
  chosen.settings = choice.settings;
  const bool adapted = chosen.settings.step_tolerance > 0;
  std::string text =
      fmt::format("integrator {}, step {}{:.3g} s", chosen.settings.integrator, adapted ? "up to " : "", chosen.settings.step);
  for (const std::string& reason : choice.reasons) text += ": " + reason;
  if (is_asked_for(model)) tell(note, text);
  for (const std::string& remark : choice.remarks) tell(note, "accuracy: " + remark);
  return std::make_shared<const Model>(std::move(chosen));
}

std::shared_ptr<const Model> to_simulate(const Model& model, const Note& note, const std::atomic<bool>* stop) {
  const CancellationScope scope(stop ? stop : cancellation_flag());
  for (const std::string& text : notes_about(model)) tell(note, text);
  if (is_open(model.settings)) return with_choice(model, choose(model, {}, {}, best_isa()), note);
  return {std::shared_ptr<const Model>(), &model};
}

namespace {

std::map<std::string, std::string> settings_of(const Settings& s, const std::vector<Override>& settings) {
  std::map<std::string, std::string> out = {{"duration", fmt::format("{:.17g}", s.duration)},
                                            {"step", fmt::format("{:.17g}", s.step)},
                                            {"output_step", fmt::format("{:.17g}", s.output_step)},
                                            {"integrator", s.integrator}};
  if (s.step_tolerance > 0) out["step tolerance"] = fmt::format("{:.17g}", s.step_tolerance);
  if (s.tolerance > 0) out["tolerance"] = fmt::format("{:.17g}", s.tolerance);
  if (integrator(s).uses_rho) out["rho"] = fmt::format("{:.17g}", s.rho);
  for (const Override& o : settings) out["set " + o.name] = fmt::format("{}", o.value);
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

}  // namespace

// "model.yaml:9:3" of an entry of a section; the file alone where it has no place.
static std::string place_of(const Model& model, std::string_view section, std::string_view name) {
  const std::string& file = model.description.file;
  for (const input::Item& item : model.description.section(section))
    if (item.name == name && item.at.line > 0) return input::place_text(file, item.at);
  return file;
}

// Initial velocities that do not fit the joints.
static void tell_changed_velocities(const Model& model, const AssemblyReport& r, const Note& note) {
  if (r.changed_body.empty()) return;
  const char* unit = r.is_spin ? "rad/s" : "m/s";
  tell(
      note,
      fmt::format(
          "{}: warning: '{}' was given a velocity of {:.4g} {} at t = 0 and starts with {:.4g} {}, because the velocities of the "
          "bodies do not fit joint '{}'. Give connected bodies velocities that fit, or move them together ('initial_motions')",
          place_of(model, "bodies", r.changed_body), r.changed_body, r.given_speed, unit, r.start_speed, unit,
          r.resisting_joint));
}

static void tell_soft_joint(const Model& model, const Trajectory& t, const Note& note) {
  if (t.soft_joint.empty()) return;
  const MassRange masses = masses_at(model, {t.soft_joint});
  tell(note,
       fmt::format(
           "{}: warning: the masses of '{}' ({:.3g} kg) and '{}' ({:.3g} kg) differ too much for the digits of a number: joint "
           "'{}' may give way "
           "by {:.1g} of the accelerations, and reactions be off by as much, small ones by more. Give the light body more mass, "
           "or leave it out",
           place_of(model, "bodies", masses.light), masses.light, masses.light_mass, masses.heavy, masses.heavy_mass,
           t.soft_joint, t.softness));
}

// Where explicit steps became too many (instead(), choose.hpp).
static void tell_other_integrator(const Model& model, const Trajectory& t, const Note& note) {
  if (model.modal || is_open(model.settings) || t.integrator == model.settings.integrator) return;
  tell(note, fmt::format("{}: note: the motion is stiff, steps of {} would be too short for it: steps of {} instead",
                         model.description.file, model.settings.integrator, t.integrator));
}

Trajectory simulate_nominal(const Model& model, const std::atomic<bool>* stop, const Note& note,
                            const std::function<void(double time)>& progress) {
  SimulateOptions options;
  options.dissipation = true;
  options.poses = true;
  options.forces = true;
  options.stop = stop;
  if (progress) options.progress = progress;
  AssemblyReport report;
  Trajectory t = simulate_model(model, model.nominal, options, &report);
  if (report.moved > 1e-9 || report.turned > 1e-9)
    tell(note,
         fmt::format("{}: note: assembly {}{}{}",
                     place_of(model, "bodies", report.moved_body.empty() ? report.turned_body : report.moved_body),
                     report.moved > 1e-9 ? fmt::format("moved '{}' by {:.3g} m", report.moved_body, report.moved) : "",
                     report.moved > 1e-9 && report.turned > 1e-9 ? " and " : "",
                     report.turned > 1e-9 ? fmt::format("turned '{}' by {:.3g} rad", report.turned_body, report.turned) : ""));
  tell_changed_velocities(model, report, note);
  tell_soft_joint(model, t, note);
  tell_other_integrator(model, t, note);
  if (const Trajectory::Energy& e = t.energy; e.off != 0)
    tell(note, model.description.file + ": warning: " + energy_warning(model, e.off, e.off_at, e.kinetic));
  return t;
}

std::string energy_profile(const Trajectory& t) {
  const Trajectory::Energy& e = t.energy;
  const double balance = e.change - e.work.supplied + e.work.dissipated;
  return fmt::format(
      "energy until t = {:.4g} s\n"
      "  work of loads, actuators and prescribed motions {:>13.6g} J\n"
      "  dissipated by dampers, friction, hysteresis …   {:>13.6g} J\n"
      "  change of kinetic and potential energy          {:>13.6g} J\n"
      "  balance, the error of time stepping             {:>13.3g} J, {:.2g} of the largest kinetic energy\n",
      t.final_state.t, e.work.supplied, e.work.dissipated, e.change, balance, e.kinetic > 0 ? balance / e.kinetic : 0.0);
}

results::Provenance provenance_of(const Model& m, const std::vector<Override>& settings, const std::string& command_line,
                                  const Note& note) {
  results::Provenance p = results::provenance_here();
  p.title = m.title;
  p.model_text = m.description.text;
  p.model_file = m.description.file;
  for (const input::ReferredFile& f : m.description.files) {
    p.table_files.push_back(f.name);
    p.table_texts.push_back(f.text);
  }
  p.command_line = command_line;
  p.settings = settings_of(m.settings, settings);
  for (const std::string& name : ambiguous_outputs(m)) {
    tell(note, fmt::format("{}: note: '{}' is not unique: its joint shares a redundant constraint (see aleator check)",
                           place_of(m, "outputs", name), name));
    p.settings["not unique: " + name] = "its joint shares a redundant constraint";
  }
  return p;
}

}  // namespace aleator::core
