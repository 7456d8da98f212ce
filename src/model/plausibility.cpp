#include "model/plausibility.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <unordered_set>

#include "elements/hysteretic_force.hpp"
#include "meshes/solid.hpp"
#include "numerics/frequency_weighting.hpp"
#include "processes/facts.hpp"

namespace aleator::core {

using input::Item;
using input::Number;
using input::Position;
using input::Value;

namespace {

struct Remark {
  Position at;
  std::string text;
};
using Remarks = std::vector<Remark>;

// Whatever is built weighs between aerogel and osmium, with room for drawings that are not to scale. Beyond the outer bounds no unit
// is to blame.
constexpr double lightest = 1e-2, heaviest = 1e5, not_by_units[] = {1e-10, 1e14};  // kg/m³
constexpr double huge_mass = 1e9;                                                  // kg: more than any ship

void look_at_mass(const Item& item, const BodyProperties& p, Remarks& out) {
  double volume = 0;
  if (!p.is_beam())
    for (const DrawnShape& s : p.shapes) volume += s.volume;
  const Value* mass = item.find("mass");
  const Value* shape = item.find("shape");
  const Position at = mass ? mass->at : shape ? shape->at : item.at;
  const double density = volume > 0 ? p.mass / volume : 0;
  if (p.mass > huge_mass)
    out.push_back(
        {at, fmt::format("body '{}' has a mass of {:.3g} kg: lengths are in metres and densities in kg/m³; are these in "
                         "millimetres?",
                         item.name, p.mass)});
  else if ((density > not_by_units[0] && density < lightest) || (density > heaviest && density < not_by_units[1]))
    out.push_back({at, fmt::format("body '{}' has {:.3g} kg in a volume of {:.3g} m³, a density of {:.3g} kg/m³: lengths are in "
                                   "metres, masses in kg; {}",
                                   item.name, p.mass, volume, density,
                                   density < lightest ? "are these millimetres?" : "is the shape too small?")});
}

// Meshes that were mended on the way: what is drawn and weighed is not quite what is in the file.
void look_at_meshes(const Item& item, Remarks& out) {
  for (const char* key : {"shape", "shapes"}) {
    const Value* v = item.find(key);
    if (!v) continue;
    for (const Item& shape : v->items) {
      if (!shape.subject.mesh) continue;
      const meshes::SolidMesh& m = *shape.subject.mesh;
      const auto report = [&](std::size_t n, const char* which, const char* done) {
        if (n > 0)
          out.push_back(
              {shape.subject.at, fmt::format("body '{}': the mesh '{}' has {} triangle{} {}, which {} {}", item.name,
                                             shape.subject.word, n, n == 1 ? "" : "s", which, n == 1 ? "was" : "were", done)});
      };
      report(m.solid.turned, "that faced inwards", "turned round");
      report(m.mesh.collapsed, "without area", "left out");
    }
  }
}

void look_at_stiffness(const Item& item, const BodyProperties& p, Remarks& out) {
  constexpr double softest = 1e3;  // Pa: a jelly
  if (!p.is_beam() || p.E.empty()) return;
  const double E = *std::max_element(p.E.begin(), p.E.end());
  const Value* written = item.find("E");
  if (E < softest)
    out.push_back({written ? written->at : item.at,
                   fmt::format("body '{}' has E = {:g} Pa, softer than jelly; E is in Pa (steel: 210e9)", item.name, E)});
}

void look_at_gravity(const Model& m, Remarks& out) {
  const double g = norm(m.nominal.gravity);
  const Value* written = m.description.top.find("gravity");
  if (written && g > 300)  // Jupiter has 25, a centrifuge is not written as gravity
    out.push_back({written->at, fmt::format("gravity is {:g} m/s², that of the Earth 9.81; is it in mm/s²?", g)});
}

// 30, 45, 90, -180: written as nobody writes radians. `90 deg` is a small number when it comes here.
bool looks_like_degrees(const Number& n) {
  const double x = std::abs(n.constant);
  return n.program < 0 && x >= 10 && x <= 720 && std::fmod(x, 5) == 0;
}

void ask_for_degrees(const Number& n, const std::string& what, Remarks& out) {
  if (looks_like_degrees(n))
    out.push_back({n.at, fmt::format("{0} is {1:g} rad, {2:.3g} turns; degrees are written '{1:g} deg'", what, n.constant,
                                     std::abs(n.constant) / (2 * std::numbers::pi))});
}

// The angles of a given orientation; those of other forms are no angles.
void look_at_orientation(const Item& item, std::string_view entry, Remarks& out) {
  const Value* o = item.find("orientation");
  if (!o || o->type != input::FieldType::orientation) return;
  const std::string what = fmt::format("{} '{}': an angle of 'orientation'", entry, item.name);
  if (o->word == "rpy" || o->word == "angle")
    for (const Number& n : o->numbers) ask_for_degrees(n, what, out);
  if (o->word == "axis_angle") ask_for_degrees(o->numbers.back(), what, out);
}

void look_at_stops(const Item& item, const JointRecord& joint, Remarks& out) {
  const Value* stops = item.find("stops");
  if (!stops) return;
  const bool only_turns = joint.free.size() == 1 && joint.free[0].name.starts_with('r');
  for (const auto& [direction, value] : stops->by_direction) {
    const bool turns = direction.empty() ? only_turns : direction.starts_with('r') || direction == "about";
    if (!turns || value.items.empty()) continue;
    for (const char* key : {"lower", "upper"})
      if (const Value* v = value.items[0].find(key))
        ask_for_degrees(v->number, fmt::format("joint '{}': the stop '{}'", item.name, key), out);
  }
}

bool uses(const Value& v, const std::string& process);
bool uses(const Item& item, const std::string& process) {
  return (item.kind == "process" && item.subject.word == process) || uses(item.subject, process) ||
         std::any_of(item.fields.begin(), item.fields.end(), [&](const input::Entry& e) { return uses(e.value, process); });
}
bool uses(const Value& v, const std::string& process) {
  return std::any_of(v.items.begin(), v.items.end(), [&](const Item& i) { return uses(i, process); }) ||
         std::any_of(v.by_direction.begin(), v.by_direction.end(), [&](const input::Entry& e) { return uses(e.value, process); });
}
bool is_used(const input::Description& d, const std::string& process) {
  if (uses(d.top, process)) return true;
  for (const auto& [key, items] : d.sections)
    if (std::any_of(items.begin(), items.end(), [&](const Item& i) { return uses(i, process); })) return true;
  return false;
}

// With |γ| > β a cycle of Bouc–Wen hysteresis may give back more than it took.
void look_at_hysteresis(const Model& m, Remarks& out) {
  for (const HysteresisRecord& r : m.topology.hysteresis) {
    const auto& p =
        reinterpret_cast<const HystereticForce::Parameters<double>*>(m.nominal.groups[size_t(r.group)].data())[r.element];
    if (std::abs(p.bend) <= p.loss * (1 + 1e-12)) continue;
    const char* entry = r.of_joint ? "joint" : "force";
    for (const Item& item : m.description.section(std::string(entry) + "s"))
      if (item.name == r.name)
        out.push_back(
            {item.at, fmt::format("{} '{}': with |gamma| > beta the hysteresis may supply energy where it unloads; usual "
                                  "are values of gamma from -beta to beta",
                                  entry, r.name)});
  }
}

void look_at_times(const Model& m, Remarks& out) {
  const Value* simulation = m.description.top.find("simulation");
  const Settings& s = m.settings;
  for (const char* key : {"output_step", "step"}) {
    const Value* v = simulation->items[0].find(key);
    const double step = std::string_view(key) == "step" ? s.step : s.output_step;
    if (v && step > s.duration * (1 + 1e-12))
      out.push_back({v->at, fmt::format("simulation: '{}' ({:g} s) is longer than 'duration' ({:g} s){}", key, step, s.duration,
                                        v == simulation->items[0].find("output_step") ? ": only t = 0 is recorded" : "")});
  }
}

// Bodies that nothing holds in a model in which others are held; those that were thrown are meant to fly.
void look_at_floating(const Model& m, Remarks& out) {
  const auto& joints = m.description.section("joints");
  if (joints.empty()) return;
  std::unordered_set<std::string> held;
  const auto add = [&](const Value& v) {
    held.insert(v.word);
    held.insert(v.words.begin(), v.words.end());
  };
  for (const Item& j : joints) add(j.subject);
  for (const Item& f : m.description.section("forces")) add(f.subject);
  const bool thrown = !m.description.section("initial_motions").empty();
  for (const Item& body : m.description.section("bodies"))
    if (!held.contains(body.name) && !thrown && !body.find("velocity") && !body.find("angular_velocity"))
      out.push_back({body.at, fmt::format("body '{}' has no joint and no force: it floats{}", body.name,
                                          norm(m.nominal.gravity) > 0 ? ", and falls" : "")});
}

// A drive that its steps do not follow, and processes that nothing uses.
void look_at_processes(const Model& m, Remarks& out) {
  const Settings& s = m.settings;
  const Value* simulation = m.description.top.find("simulation");
  const Value* named = simulation ? simulation->items[0].find("integrator") : nullptr;
  const bool adapted = !named || named->word == "auto" || s.accuracy > 0;  // steps follow what they meet
  const std::vector<Item>& items = m.description.section("processes");
  for (size_t i = 0; i < items.size(); ++i) {
    const Value* at = items[i].find("cutoff");
    if (!is_used(m.description, items[i].name))
      out.push_back({items[i].at, fmt::format("process '{}' is used nowhere: {{process: {}}} stands where a function of time may",
                                              items[i].name, items[i].name)});
    for (std::string& doubt : processes::doubts(*m.processes[i], adapted ? 0 : s.step, s.output_step))
      out.push_back({at ? at->at : items[i].at, fmt::format("process '{}': {}", items[i].name, doubt)});
  }
}

// A coefficient of variation is a fraction.
void look_at_scatter(const Model& m, Remarks& out) {
  for (const Item& item : m.description.section("uncertain")) {
    const Value* cov = item.find("cov");
    if (!cov || cov->number.program >= 0 || cov->number.constant < 2 || cov->number.constant > 100) continue;
    out.push_back(
        {cov->at, fmt::format("uncertain '{0}': with 'cov: {1:g}' the standard deviation is {1:g} times the mean; did you "
                              "mean '{1:g} %'?",
                              item.name, cov->number.constant)});
  }
}

// What is sampled too coarsely has no high frequencies: weightings would not see them, and take what is folded down for them.
void look_at_weightings(const Model& m, Remarks& out) {
  const double highest = 0.5 / m.settings.output_step;
  for (const std::string section : {"outputs", "scalars"})
    for (const Item& item : m.description.section(section)) {
      const Value* v = item.find("weighting");
      const FrequencyWeighting* w = v ? frequency_weighting(v->word) : nullptr;
      if (!w || highest >= w->highest * (1 - 1e-9)) continue;
      return out.push_back(  // once is enough
          {v->at, fmt::format("{} '{}': the weighting {} reaches {:g} Hz, but outputs every {:g} s show {:.3g} Hz at most; "
                              "use 'output_step: {:g}' or less if the motion has more",
                              section.substr(0, section.size() - 1), item.name, w->name, w->highest, m.settings.output_step,
                              highest, 0.5 / w->highest)});
    }
}

}  // namespace

std::vector<std::string> plausibility_notes(const Model& m) {
  constexpr size_t most = 5;
  Remarks found;
  const auto& bodies = m.description.section("bodies");
  for (size_t i = 0; i < bodies.size() && i < m.bodies.size(); ++i) {
    look_at_mass(bodies[i], m.bodies[i], found);
    look_at_stiffness(bodies[i], m.bodies[i], found);
    look_at_meshes(bodies[i], found);
    look_at_orientation(bodies[i], "body", found);
  }
  look_at_gravity(m, found);
  for (const Item& item : m.description.section("joints"))
    for (const JointRecord& joint : m.topology.joints)
      if (joint.name == item.name) look_at_stops(item, joint, found);
  for (const Item& item : m.description.section("forces")) look_at_orientation(item, "force", found);
  look_at_hysteresis(m, found);
  look_at_times(m, found);
  look_at_processes(m, found);
  look_at_floating(m, found);
  look_at_scatter(m, found);
  look_at_weightings(m, found);
  const auto earlier = [](const Remark& a, const Remark& b) {
    return a.at.line != b.at.line ? a.at.line < b.at.line : a.at.column < b.at.column;
  };
  std::stable_sort(found.begin(), found.end(), earlier);
  std::vector<std::string> notes;
  for (const Remark& r : found) {
    if (notes.size() == most) {
      notes.push_back(fmt::format("{}: note: and {} more of this kind", m.description.file, found.size() - most));
      break;
    }
    notes.push_back(fmt::format("{}: note: {}", input::place_text(m.description.file, r.at), r.text));
  }
  return notes;
}

std::vector<std::string> notes_about(const Model& m, size_t imported) {
  const std::vector<std::string>& all = m.description.notes;
  std::vector<std::string> out(all.begin(), all.begin() + std::ptrdiff_t(std::min(imported, all.size())));
  if (all.size() > imported)
    out.push_back(fmt::format("{0}: note: and {1} more about imported files; `aleator check {0}` prints them all",
                              m.description.file, all.size() - imported));
  for (std::string& note : plausibility_notes(m)) out.push_back(std::move(note));
  return out;
}

}  // namespace aleator::core
