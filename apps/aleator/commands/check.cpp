// aleator check MODEL: validates, and prints what was understood.
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "api/model_check.hpp"
#include "api/output_json.hpp"
#include "base/words.hpp"
#include "cli/arguments.hpp"
#include "dynamics/choose.hpp"
#include "elements/ancf_axis.hpp"
#include "text/describe_laws.hpp"

namespace aleator::app {
namespace {

using namespace core;

struct CheckArguments {
  ModelArguments model;
  bool json = false;
};

std::string joined(const std::vector<std::string>& words) { return fmt::format("{}", fmt::join(words, ", ")); }

void print_bodies(const core::Model& m) {
  double total = 0;
  say(Colour::heading, "\nbodies ({})\n", m.bodies.size());
  for (size_t b = 0; b < m.bodies.size(); ++b) {
    const BodyProperties& p = m.bodies[b];
    total += p.mass;
    const std::string inertia = m.topology.normal >= 0 ? number(p.inertia[m.topology.normal][m.topology.normal])
                                                       : fmt::format("xx {} yy {} zz {}", number(p.inertia[0][0]),
                                                                     number(p.inertia[1][1]), number(p.inertia[2][2]));
    say("  {:<14} mass {:<9} centre of mass [{}, {}, {}]  inertia {}\n", m.topology.body_names[b], number(p.mass),
        number(p.center_of_mass.x), number(p.center_of_mass.y), number(p.center_of_mass.z), inertia);
    if (!p.is_beam()) continue;
    const auto range = [](const std::vector<double>& x) {
      const auto [low, high] = std::minmax_element(x.begin(), x.end());
      return *low == *high ? number(*low) : fmt::format("{} … {}", number(*low), number(*high));
    };
    say("  {:<14} length {}, {} elements, E {}, nu {}, density {}\n", "", number(p.length), p.stations.size() / ancf::points,
        range(p.E), range(p.nu), range(p.density));
  }
  say("  total mass {} kg\n", number(total));
}

void print_joints(const core::Model& m) {
  const Topology& t = m.topology;
  say(Colour::heading, "\njoints ({})\n", t.joints.size());
  for (const JointRecord& j : t.joints) {
    std::vector<std::string> free;
    for (const auto& f : j.free) free.push_back(f.name);
    say("  {:<14} {:<15} {} – {}, {} constraint{}{}\n", j.name, j.kind, j.first, j.second, j.rows, j.rows == 1 ? "" : "s",
        free.empty() ? "" : ", free or driven: " + joined(free));
  }
  if (!t.forces.empty()) {
    say(Colour::heading, "\nforces ({})\n", t.forces.size());
    for (const ForceRecord& f : t.forces) say("  {:<14} {}\n", f.name, f.kind);
  }
}

void print_degrees_of_freedom(const core::Model& m, const Redundancy& r) {
  say(Colour::heading, "\ndegrees of freedom\n");
  say("  {} velocities, {} constraints, {} independent: {} degree{} of freedom\n", r.velocities, r.rows, r.rank, r.freedoms(),
      r.freedoms() == 1 ? "" : "s");
  if (r.dependent.empty()) {
    say("  no redundant constraints\n");
    return;
  }
  const auto list = [&](bool contradictory) {
    for (size_t i = 0; i < r.dependent.size(); ++i) {
      const RowRecord& row = m.topology.rows[r.dependent[i]];
      if (std::isnan(r.contradicts[i]) == contradictory) continue;
      say("    {} ({}), shared by {}{}\n", m.topology.joints[row.joint].name, row.what, joined(r.sets[i]),
          contradictory ? fmt::format(": contradictory at t = {} s", number(r.contradicts[i])) : "");
    }
  };
  const auto plural = [](size_t n) { return n == 1 ? "" : "s"; };
  const size_t agree = size_t(std::count_if(r.contradicts.begin(), r.contradicts.end(), [](double t) { return std::isnan(t); }));
  const size_t contradict = r.dependent.size() - agree;
  if (agree > 0)
    say("  {} redundant constraint{}: the motion is computed, reactions of these joints are not unique\n", agree, plural(agree));
  list(false);
  if (contradict > 0)
    say(Colour::bad, "  {} contradictory constraint{}: joints that share {} ask for different motions; simulations will fail\n",
        contradict, plural(contradict), contradict == 1 ? "it" : "them");
  list(true);
}

void print_assembly(const AssemblyReport& r) {
  say(Colour::heading, "\nassembly\n");
  if (r.moved < 1e-9 && r.turned < 1e-9)
    say("  the drawing fits: nothing was moved\n");
  else
    say("  closed a gap of {}: moved '{}' by {} m, turned '{}' by {} rad at most\n", number(r.violation), r.moved_body,
        number(r.moved), r.turned_body, number(r.turned));
  if (r.velocity_change < 1e-9 && r.angular_velocity_change < 1e-9)
    say("  the velocities fit\n");
  else
    say("  velocities were changed by up to {} m/s and {} rad/s\n", number(r.velocity_change), number(r.angular_velocity_change));
  if (!r.changed_body.empty())
    say(Colour::warning, "  '{}' was given {} {} and starts with {}: it does not fit joint '{}'\n", r.changed_body,
        number(r.given_speed), r.is_spin ? "rad/s" : "m/s", number(r.start_speed), r.resisting_joint);
}

void print_simulation(const CheckedModel& c) {
  const core::Settings& s = c.model().settings;
  const std::string step =
      s.accuracy > 0 ? fmt::format("a step for an accuracy of {}", number(s.accuracy)) : fmt::format("step {}", number(s.step));
  say(Colour::heading, "\nsimulation\n");
  say("  {} s by {}, {}, output every {} s\n", number(s.duration),
      integrator_is_open(s) ? "the integrator that fits" : s.integrator, step, number(s.output_step));
  std::vector<std::string> breakpoints;
  for (double t : c.breakpoints) breakpoints.push_back(number(t));
  say("  breakpoints: {}\n", breakpoints.empty() ? "none" : joined(breakpoints));
  say(Colour::heading, "\noutputs ({})\n", c.model().topology.outputs.size());
  for (const Output& o : c.model().topology.outputs) say("  {} [{}]\n", joined(channel_names(o)), o.unit);
}

// Throws where the method cannot do it.
void print_study(const CheckedModel& c) {
  const Study& s = c.study;
  const PlannedStudy plan = planned(c.loaded, s);
  say(Colour::heading, "\nstudy\n");
  say("  {}, {}{} samples{}, seed {}, {:g} % probability band\n", s.method, plan.at_most ? "at most " : "", plan.realizations,
      s.accuracy > 0 ? fmt::format(" for an accuracy of {:g} %", 100 * s.accuracy) : "", s.seed, 100 * s.confidence);
}

// What there is to read is printed before what may fail.
void print_check(const aleator::Model& loaded) {
  const core::Model& m = loaded.compiled().model;
  say(Colour::heading, "{}: {}\n", loaded.file(), m.title.empty() ? "(no title)" : m.title);
  say("{} model, gravity [{}, {}, {}]\n", m.topology.normal >= 0 ? "planar" : "spatial", number(m.nominal.gravity.x),
      number(m.nominal.gravity.y), number(m.nominal.gravity.z));
  print_bodies(m);
  print_joints(m);
  const CheckedModel c = check(loaded);
  print_degrees_of_freedom(m, c.redundancy);
  say("  {} of the velocities are unknowns after compiling the model\n", m.structure.dofs);
  print_assembly(c.assembly);
  print_simulation(c);
  print_laws(c);
  if (!c.random().empty()) print_study(c);
}

int check_command(const CheckArguments& o) {
  const aleator::Model loaded = o.model.load();
  if (o.json)
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
  c.run([o] { return check_command(*o); });
}

}  // namespace aleator::app
