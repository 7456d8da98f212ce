#include <array>
#include <cmath>

#include "api/json_members.hpp"
#include "api/output_json.hpp"
#include "dynamics/choose.hpp"
#include "elements/ancf_axis.hpp"
#include "study/law_words.hpp"
#include "study/study_laws.hpp"

namespace aleator::core {
namespace {

void write_body(Members& m, const std::string& name, const BodyProperties& p) {
  m.text("name", name).number("mass", p.mass);
  m.numbers("center_of_mass", std::array{p.center_of_mass.x, p.center_of_mass.y, p.center_of_mass.z});
  m.object("inertia", [&](Members& i) {
    i.number("xx", p.inertia[0][0]).number("yy", p.inertia[1][1]).number("zz", p.inertia[2][2]);
    i.number("xy", p.inertia[0][1]).number("xz", p.inertia[0][2]).number("yz", p.inertia[1][2]);
  });
  if (!p.is_beam()) return (void)m.null("beam");
  m.object("beam",
           [&](Members& b) { b.number("length", p.length).integer("elements", (long long)(p.stations.size() / ancf::points)); });
}

void write_mechanism(Members& m, const CheckedModel& c) {
  const Topology& t = c.model().topology;
  double mass = 0;
  for (const BodyProperties& b : c.model().bodies) mass += b.mass;
  m.list("bodies", c.model().bodies, [&](Members&, const auto& b, size_t k) { write_body(m, t.body_names[k], b); });
  m.number("total_mass", mass);
  m.list("joints", t.joints, [&](Members&, const JointRecord& j, size_t) {
    std::vector<std::string> free;
    for (const auto& f : j.free) free.push_back(f.name);
    m.text("name", j.name).text("kind", j.kind).texts("bodies", std::array<std::string, 2>{j.first, j.second});
    m.integer("constraints", j.rows).texts("free", free).texts("driven", driven_directions(c.model(), j));
  });
  m.list("forces", t.forces, [&](Members&, const ForceRecord& f, size_t) { m.text("name", f.name).text("kind", f.kind); });
}

void write_freedom(Members& m, const CheckedModel& c) {
  const Redundancy& r = c.redundancy;
  const Topology& t = c.model().topology;
  m.integer("degrees_of_freedom", r.freedoms()).integer("velocities", r.velocities).integer("constraints", r.rows);
  m.integer("independent_constraints", r.rank).integer("unknowns", c.model().structure.dofs - c.model().structure.states);
  m.list("redundant", r.dependent, [&](Members&, int row, size_t k) {
    const RowRecord& record = t.rows[row];
    m.text("joint", t.joints[record.joint].name).text("direction", record.what).texts("shared_by", r.sets[k]);
    std::isnan(r.contradicts[k]) ? m.null("contradicts_at") : m.number("contradicts_at", r.contradicts[k]);
  });
  const AssemblyReport& a = c.assembly;
  m.object("assembly", [&](Members&) {
    m.number("gap", a.violation).number("moved", a.moved).text_or_null("moved_body", a.moved_body);
    m.number("turned", a.turned).text_or_null("turned_body", a.turned_body);
    m.number("velocity_change", a.velocity_change).number("angular_velocity_change", a.angular_velocity_change);
    m.text_or_null("changed_body", a.changed_body).text_or_null("resisting_joint", a.resisting_joint);
  });
}

void write_simulation(Members& m, const CheckedModel& c) {
  const core::Settings& s = c.model().settings;
  m.object("simulation", [&](Members&) {
    m.number("duration", s.duration).text_or_null("integrator", integrator_is_open(s) ? "" : s.integrator);
    s.accuracy > 0 ? m.null("step").number("accuracy", s.accuracy) : m.number("step", s.step).null("accuracy");
    m.number("output_step", s.output_step).numbers("breakpoints", c.breakpoints);
  });
  std::vector<aleator::Channel> channels;
  for (const Output& o : c.model().topology.outputs)
    for (const std::string& name : channel_names(o)) channels.push_back({name, o.unit});
  m.list("outputs", channels, [&](Members&, const aleator::Channel& x, size_t) { m.text("name", x.name).text("unit", x.unit); });
}

void write_uncertainty(Members& m, const CheckedModel& c) {
  const RandomModel& random = c.random();
  m.list("uncertain", random.quantities(), [&](Members&, const Quantity& q, size_t) {
    m.text("name", q.name).text("distribution", law_words(q)).text("unit", q.unit).text_or_null("same_as", q.same_as);
    m.list("numbers", q.columns, [&](Members&, const std::string& column, size_t k) {
      const Spread s = spread_of(c.model(), random, q, k, c.draws[size_t(q.first_column) + k]);
      m.text("name", column).number("mean", s.mean).number("std", s.std);
    });
  });
  m.list("fields", random.fields(),
         [&](Members&, const BeamField& f, size_t) { m.text("name", f.name).text("distribution", summary_of(f).law); });
  m.list("processes", c.model().processes, [&](Members&, const auto& p, size_t) {
    m.text("name", p->name).text("process", p->words).number("rms", p->rms());
    m.number("cutoff", p->cutoff / (2 * processes::pi)).number("period", p->period()).number("step", p->step);
    m.integer("points", (long long)p->points).integer("random_numbers", (long long)p->normals());
  });
  m.list("dependences", random.dependences(), [&](Members&, const Dependence& d, size_t) {
    std::vector<std::string> names;
    for (const int q : d.quantities) names.push_back(random.quantities()[size_t(q)].name);
    m.texts("quantities", names).text("copula", d.words);
  });
  if (random.empty()) return (void)m.null("study");
  const PlannedStudy plan = planned(c.loaded, c.study);
  m.object("study", [&](Members&) {
    m.text("method", c.study.method).integer("realizations", plan.realizations).flag("at_most", plan.at_most);
    c.study.accuracy > 0 ? m.number("accuracy", c.study.accuracy) : m.null("accuracy");
    m.integer("seed", (long long)c.study.seed).number("confidence", c.study.confidence);
  });
}

}  // namespace

std::string check_json(const CheckedModel& c, const CommandOutcome& outcome) {
  return output_object("check", outcome.exit_code, [&](Members& m) {
    const auto& g = c.model().nominal.gravity;
    m.text("file", c.loaded.file()).text("title", c.model().title);
    m.flag("planar", c.model().topology.normal >= 0).numbers("gravity", std::array{g.x, g.y, g.z});
    write_mechanism(m, c);
    write_freedom(m, c);
    write_simulation(m, c);
    write_uncertainty(m, c);
    m.texts("notes", outcome.notes);
  });
}

}  // namespace aleator::core
