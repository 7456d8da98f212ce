// aleator check MODEL: validates, and prints what was understood.
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "api/model_check.hpp"
#include "api/output_json.hpp"
#include "base/text_table.hpp"
#include "base/utf8.hpp"
#include "base/words.hpp"
#include "cli/arguments.hpp"
#include "dynamics/choose.hpp"
#include "elements/ancf_axis.hpp"
#include "input/expanded_text.hpp"
#include "model/language.hpp"
#include "study/law_words.hpp"
#include "text/describe_laws.hpp"

namespace aleator::app {
namespace {

using namespace core;

struct CheckArguments {
  ModelArguments model;
  bool json = false, expanded = false;
};

std::string joined(const std::vector<std::string>& words) { return fmt::format("{}", fmt::join(words, ", ")); }

void print_table(const TextTable& table) {
  for (const std::string& line : table.lines(page_width - 2)) tell("  {}", line);
}

void print_beam(const std::string& name, const BodyProperties& p, bool random) {
  const auto range = [](const std::vector<double>& x) {
    const auto [low, high] = std::minmax_element(x.begin(), x.end());
    return *low == *high ? number(*low) : fmt::format("{} … {}", number(*low), number(*high));
  };
  tell("  {}: length {} m, {} elements, E {} N/m², nu {}, density {} kg/m³{}", name, number(p.length),
       p.stations.size() / ancf::points, range(p.E), range(p.nu), range(p.density), random ? " *" : "");
}

// The first of what is random, each with its distribution; all of it comes below.
std::string laws_in_short(const RandomModel& random) {
  constexpr size_t most = 4;
  std::vector<std::string> words;
  for (const BeamField& f : random.fields()) words.push_back(fmt::format("{} (random field, {})", f.name, summary_of(f).law));
  for (const core::Quantity& q : random.quantities()) {
    const bool of_field = std::any_of(random.fields().begin(), random.fields().end(),
                                      [&](const BeamField& f) { return q.name.starts_with(f.name + "."); });
    if (!of_field && q.process < 0) words.push_back(fmt::format("{} ({})", q.name, law_words(q)));
  }
  const size_t more = words.size() > most ? words.size() - most : 0;
  words.resize(words.size() - more);
  return joined(words) + (more > 0 ? fmt::format(" and {} more, see below", more) : "");
}

// Numbers that differ between realizations are marked: these are the nominal ones.
TextTable table_of_bodies(const core::Model& m, const std::vector<RandomProperties>& random, int digits) {
  const auto marked = [](const std::string& text, bool is_random) { return text + (is_random ? "*" : " "); };
  const auto rounded = [&](double x) { return fmt::format("{:.{}g}", x, digits); };
  const auto three = [&](double x, double y, double z) {
    return fmt::format("[{}, {}, {}]", rounded(x), rounded(y), rounded(z));
  };
  const int normal = m.topology.normal;
  TextTable table;
  table.row({"body", "mass [kg] ", "centre of mass [m] ", "inertia [kg m²] "});
  for (size_t b = 0; b < m.bodies.size(); ++b) {
    const BodyProperties& p = m.bodies[b];
    const auto& I = p.inertia;
    const auto& c = p.center_of_mass;
    table.row({m.topology.body_names[b], marked(number(p.mass), random[b].mass),
               marked(three(c.x, c.y, c.z), random[b].center_of_mass),
               marked(normal >= 0 ? number(I[normal][normal]) : three(I[0][0], I[1][1], I[2][2]), random[b].inertia)});
  }
  return table;
}

// As many digits as fit a line.
TextTable table_of_bodies(const core::Model& m, const std::vector<RandomProperties>& random) {
  const auto fits = [](const TextTable& table) {
    constexpr size_t whole = 10'000;  // no name is cut
    const std::vector<std::string> lines = table.lines(whole);
    return std::all_of(lines.begin(), lines.end(), [](const std::string& line) { return characters(line) <= page_width - 2; });
  };
  constexpr int most = 4, least = 2;
  TextTable table = table_of_bodies(m, random, most);
  for (int digits = most - 1; digits >= least && !fits(table); --digits) table = table_of_bodies(m, random, digits);
  return table;
}

void print_bodies(const aleator::Model& loaded) {
  const core::Model& m = loaded.compiled().model;
  const std::vector<RandomProperties> random = random_properties(loaded);
  const TextTable table = table_of_bodies(m, random);
  double total = 0;
  for (const BodyProperties& p : m.bodies) total += p.mass;
  say(Colour::heading, "\nbodies ({})\n", m.bodies.size());
  print_table(table);
  for (size_t b = 0; b < m.bodies.size(); ++b)
    if (m.bodies[b].is_beam()) print_beam(m.topology.body_names[b], m.bodies[b], random[b].beam);
  tell("  total mass {} kg", number(total));
  if (std::none_of(random.begin(), random.end(), [](const RandomProperties& r) { return r.any(); })) return;
  tell("  * nominal; random: {}", laws_in_short(loaded.compiled().random()));
}

void print_joints(const core::Model& m) {
  const Topology& t = m.topology;
  say(Colour::heading, "\njoints ({})\n", t.joints.size());
  TextTable table(4, 3);
  for (const JointRecord& j : t.joints) {
    const std::vector<std::string> driven = driven_directions(m, j);
    std::vector<std::string> free;
    for (const auto& f : j.free)
      if (std::find(driven.begin(), driven.end(), f.name) == driven.end()) free.push_back(f.name);
    table.row({j.name, j.kind, fmt::format("{} – {}", j.first, j.second),
               fmt::format("{} constraint{}{}{}", j.rows, j.rows == 1 ? "" : "s", free.empty() ? "" : "; free: " + joined(free),
                           driven.empty() ? "" : "; driven: " + joined(driven))});
  }
  print_table(table);
  if (t.forces.empty()) return;
  TextTable forces(2);
  for (const ForceRecord& f : t.forces) forces.row({f.name, f.kind});
  say(Colour::heading, "\nforces ({})\n", t.forces.size());
  print_table(forces);
}

void print_degrees_of_freedom(const core::Model& m, const Redundancy& r) {
  say(Colour::heading, "\ndegrees of freedom\n");
  tell("  {} velocities, {} constraints, {} independent: {} degree{} of freedom", r.velocities, r.rows, r.rank, r.freedoms(),
       r.freedoms() == 1 ? "" : "s");
  if (r.dependent.empty()) {
    tell("  no redundant constraints");
    return;
  }
  const auto list = [&](bool contradictory) {
    for (size_t i = 0; i < r.dependent.size(); ++i) {
      const RowRecord& row = m.topology.rows[r.dependent[i]];
      if (std::isnan(r.contradicts[i]) == contradictory) continue;
      tell("    {} ({}), shared by {}{}", m.topology.joints[row.joint].name, row.what, joined(r.sets[i]),
           contradictory ? fmt::format(": contradictory at t = {} s", number(r.contradicts[i])) : "");
    }
  };
  const auto plural = [](size_t n) { return n == 1 ? "" : "s"; };
  const size_t agree = size_t(std::count_if(r.contradicts.begin(), r.contradicts.end(), [](double t) { return std::isnan(t); }));
  const size_t contradict = r.dependent.size() - agree;
  if (agree > 0)
    tell("  {} redundant constraint{}: the motion is computed, reactions of these joints are not unique", agree, plural(agree));
  list(false);
  if (contradict > 0)
    tell(Colour::bad, "  {} contradictory constraint{}: joints that share {} ask for different motions; simulations will fail",
         contradict, plural(contradict), contradict == 1 ? "it" : "them");
  list(true);
}

void print_assembly(const AssemblyReport& r) {
  say(Colour::heading, "\nassembly\n");
  if (r.moved < 1e-9 && r.turned < 1e-9)
    tell("  the drawing fits: nothing was moved");
  else
    tell("  closed a gap of {}: moved '{}' by {} m, turned '{}' by {} rad at most", number(r.violation), r.moved_body,
         number(r.moved), r.turned_body, number(r.turned));
  if (r.velocity_change < 1e-9 && r.angular_velocity_change < 1e-9)
    tell("  the velocities fit");
  else
    tell("  velocities were changed by up to {} m/s and {} rad/s", number(r.velocity_change), number(r.angular_velocity_change));
  if (!r.changed_body.empty())
    tell(Colour::warning, "  '{}' was given {} {} and starts with {}: it does not fit joint '{}'", r.changed_body,
         number(r.given_speed), r.is_spin ? "rad/s" : "m/s", number(r.start_speed), r.resisting_joint);
}

void print_simulation(const CheckedModel& c) {
  const core::Settings& s = c.model().settings;
  const std::string step =
      s.accuracy > 0 ? fmt::format("a step for an accuracy of {}", number(s.accuracy)) : fmt::format("step {}", number(s.step));
  say(Colour::heading, "\nsimulation\n");
  tell("  {} s by {}, {}, output every {} s", number(s.duration),
       integrator_is_open(s) ? "the integrator that fits" : s.integrator, step, number(s.output_step));
  std::vector<std::string> breakpoints;
  for (double t : c.breakpoints) breakpoints.push_back(number(t));
  tell("  breakpoints: {}", breakpoints.empty() ? "none" : joined(breakpoints));
  say(Colour::heading, "\noutputs ({})\n", c.model().topology.outputs.size());
  for (const Output& o : c.model().topology.outputs) tell("  {} [{}]", joined(channel_names(o)), o.unit);
}

// Throws where the method cannot do it.
void print_study(const CheckedModel& c) {
  const Study& s = c.study;
  const PlannedStudy plan = planned(c.loaded, s);
  say(Colour::heading, "\nstudy\n");
  tell("  {}{}, {}{}, seed {}, {:g} % probability band", s.what == "modes" ? "modes by " : "", s.method, plan.size,
       s.accuracy > 0 ? fmt::format(" for an accuracy of {:g} %", 100 * s.accuracy) : "", s.seed, 100 * s.confidence);
}

// What there is to read is printed before what may fail.
void print_check(const aleator::Model& loaded) {
  const core::Model& m = loaded.compiled().model;
  say(Colour::heading, "{}: {}\n", loaded.file(), m.title.empty() ? "(no title)" : m.title);
  say("{} model, gravity [{}, {}, {}]\n", m.topology.normal >= 0 ? "planar" : "spatial", number(m.nominal.gravity.x),
      number(m.nominal.gravity.y), number(m.nominal.gravity.z));
  print_bodies(loaded);
  print_joints(m);
  const CheckedModel c = check(loaded);
  print_degrees_of_freedom(m, c.redundancy);
  tell("  {} of the velocities are unknowns after compiling the model", m.structure.dofs - m.structure.states);
  print_assembly(c.assembly);
  print_simulation(c);
  print_laws(c);
  if (!c.random().empty()) print_study(c);
}

int check_command(const CheckArguments& o) {
  const aleator::Model loaded = o.model.load();
  if (o.expanded)
    print_raw(core::input::expanded_text(loaded.compiled().model.description, core::language()));
  else if (o.json)
    print_raw(check_json(check(loaded), {exit_code::done, {}, loaded.compiled().notes()}));
  else
    print_check(loaded);
  for (const std::string& note : loaded.compiled().notes()) say(stderr, "{}\n", note);
  return exit_code::done;
}

}  // namespace

void add_check(Command& c) {
  auto o = std::make_shared<CheckArguments>();
  o->model.add_to(c);
  add_json(c, o->json);
  c.flag("--expanded", o->expanded,
         "Print the model as YAML with includes, templates, repeats and frames written out, and nothing else");
  c.run([o] { return check_command(*o); });
}

}  // namespace aleator::app
