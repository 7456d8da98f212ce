// aleator check MODEL: validates, and prints what was understood.
#include <fmt/format.h>

#include <algorithm>

#include "base/words.hpp"
#include "cli/arguments.hpp"
#include "dynamics/choose.hpp"
#include "dynamics/start.hpp"
#include "elements/ancf_axis.hpp"
#include "propagation/method.hpp"
#include "study/loaded_model.hpp"
#include "text/describe_laws.hpp"

namespace aleator::app {
namespace {

using namespace core;

std::string joined(const std::vector<std::string>& words) {
  std::string out;
  for (const auto& w : words) out += (out.empty() ? "" : ", ") + w;
  return out;
}

void print_bodies(const core::Model& m) {
  double total = 0;
  fmt::print("\nbodies ({})\n", m.bodies.size());
  for (size_t b = 0; b < m.bodies.size(); ++b) {
    const BodyProperties& p = m.bodies[b];
    total += p.mass;
    const std::string inertia = m.topology.normal >= 0 ? number(p.inertia[m.topology.normal][m.topology.normal])
                                                       : fmt::format("xx {} yy {} zz {}", number(p.inertia[0][0]),
                                                                     number(p.inertia[1][1]), number(p.inertia[2][2]));
    fmt::print("  {:<14} mass {:<9} centre of mass [{}, {}, {}]  inertia {}\n", m.topology.body_names[b], number(p.mass),
               number(p.center_of_mass.x), number(p.center_of_mass.y), number(p.center_of_mass.z), inertia);
    if (!p.is_beam()) continue;
    const auto range = [](const std::vector<double>& x) {
      const auto [low, high] = std::minmax_element(x.begin(), x.end());
      return *low == *high ? number(*low) : fmt::format("{} … {}", number(*low), number(*high));
    };
    fmt::print("  {:<14} length {}, {} elements, E {}, nu {}, density {}\n", "", number(p.length),
               p.stations.size() / ancf::points, range(p.E), range(p.nu), range(p.density));
  }
  fmt::print("  total mass {} kg\n", number(total));
}

void print_joints(const core::Model& m) {
  const Topology& t = m.topology;
  fmt::print("\njoints ({})\n", t.joints.size());
  for (const JointRecord& j : t.joints) {
    std::vector<std::string> free;
    for (const auto& f : j.free) free.push_back(f.name);
    fmt::print("  {:<14} {:<15} {} – {}, {} constraint{}{}\n", j.name, j.kind, j.first, j.second, j.rows, j.rows == 1 ? "" : "s",
               free.empty() ? "" : ", free or driven: " + joined(free));
  }
  if (!t.forces.empty()) {
    fmt::print("\nforces ({})\n", t.forces.size());
    for (const ForceRecord& f : t.forces) fmt::print("  {:<14} {}\n", f.name, f.kind);
  }
}

void print_degrees_of_freedom(const core::Model& m, const Redundancy& r) {
  fmt::print("\ndegrees of freedom\n  {} velocities, {} constraints, {} independent: {} degree{} of freedom\n", r.velocities,
             r.rows, r.rank, r.freedoms(), r.freedoms() == 1 ? "" : "s");
  if (r.dependent.empty()) {
    fmt::print("  no redundant constraints\n");
    return;
  }
  fmt::print("  {} redundant constraint{}: the motion is computed, reactions of these joints are not unique\n",
             r.dependent.size(), r.dependent.size() == 1 ? "" : "s");
  for (size_t i = 0; i < r.dependent.size(); ++i) {
    const RowRecord& row = m.topology.rows[r.dependent[i]];
    fmt::print("    {} ({}), shared by {}\n", m.topology.joints[row.joint].name, row.what, joined(r.sets[i]));
  }
}

void print_assembly(const AssemblyReport& r) {
  fmt::print("\nassembly\n");
  if (r.moved < 1e-9 && r.turned < 1e-9)
    fmt::print("  the drawing fits: nothing was moved\n");
  else
    fmt::print("  closed a gap of {}: moved '{}' by {} m, turned '{}' by {} rad at most\n", number(r.violation), r.moved_body,
               number(r.moved), r.turned_body, number(r.turned));
  if (r.velocity_change < 1e-9 && r.angular_velocity_change < 1e-9)
    fmt::print("  the velocities fit\n");
  else
    fmt::print("  velocities were changed by up to {} m/s and {} rad/s\n", number(r.velocity_change),
               number(r.angular_velocity_change));
}

// Throws where the method cannot do it.
void print_study(const Task& task) {
  const Study& s = task.study;
  const MethodKind& kind = method_kind(s.method);
  long samples = s.samples;
  try {
    samples = make_method(task)->plan().samples;
  } catch (const std::invalid_argument& e) {
    throw not_studied(task.model, s, e.what());
  }
  const bool open = s.accuracy > 0 || kind.decides_size;
  fmt::print("\nstudy\n  {}, {}{} samples{}, seed {}, {:g} % probability band\n", s.method, open ? "at most " : "", samples,
             s.accuracy > 0 ? fmt::format(" for an accuracy of {:g} %", 100 * s.accuracy) : "", s.seed, 100 * s.confidence);
}

int check_command(const ModelArguments& arguments) {
  const aleator::Model loaded = arguments.load();
  const core::Model& m = loaded.compiled().model;
  const RandomModel& random = loaded.compiled().random();
  const Study study = study_of(loaded);
  const core::Settings& s = m.settings;
  fmt::print("{}: {}\n", arguments.file, m.title.empty() ? "(no title)" : m.title);
  fmt::print("{} model, gravity [{}, {}, {}]\n", m.topology.normal >= 0 ? "planar" : "spatial", number(m.nominal.gravity.x),
             number(m.nominal.gravity.y), number(m.nominal.gravity.z));
  print_bodies(m);
  print_joints(m);

  const Realization<double> r = make_realization<double>(m, std::span(&m.nominal, 1));
  Assembly<double> a(m, r);
  AssemblyReport report;
  const State<double> state = assemble(a, &report);
  print_degrees_of_freedom(m, find_redundancy(a, state));
  fmt::print("  {} of the velocities are unknowns after compiling the model\n", m.structure.dofs);
  print_assembly(report);

  const std::string step =
      s.accuracy > 0 ? fmt::format("a step for an accuracy of {}", number(s.accuracy)) : fmt::format("step {}", number(s.step));
  fmt::print("\nsimulation\n  {} s by {}, {}, output every {} s\n", number(s.duration),
             integrator_is_open(s) ? "the integrator that fits" : s.integrator, step, number(s.output_step));
  std::vector<std::string> breakpoints;
  for (double t : r.breakpoints) breakpoints.push_back(number(t));
  fmt::print("  breakpoints: {}\n", breakpoints.empty() ? "none" : joined(breakpoints));
  fmt::print("\noutputs ({})\n", m.topology.outputs.size());
  for (const Output& o : m.topology.outputs) {
    std::vector<std::string> names;
    for (const auto& c : o.channels) names.push_back(c.empty() ? o.name : o.name + "." + c);
    fmt::print("  {} [{}]\n", joined(names), o.unit);
  }
  print_laws(m, random, study.seed);
  if (!random.empty()) print_study({m, random, study, 0, loaded.compiled().settings});
  for (const std::string& note : random.notes()) fmt::print(stderr, "{}: note: {}\n", arguments.file, note);
  return exit_code::done;
}

}  // namespace

void add_check(Command& c) {
  auto o = std::make_shared<ModelArguments>();
  o->add_to(c);
  c.run([o] { return check_command(*o); });
}

}  // namespace aleator::app
