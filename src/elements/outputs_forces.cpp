// Outputs of forces and energies: joint reactions, forces and lengths of springs, energies, constraint violation.
#include "elements/outputs_forces.hpp"

#include <algorithm>

#include "elements/coordinate.hpp"
#include "elements/observe.hpp"
#include "elements/outputs_acting.hpp"
#include "elements/outputs_hysteresis.hpp"

namespace aleator::core {

using input::Field;
using input::FieldType;
using input::InputError;
using input::Item;
using input::Value;

namespace {

// index: row and gradient of each gradient with respect to the marker on the second body.
// The equations of motion contain + Gᵀλ, so the joint's wrench on the second body is −Gᵀλ: the first body's force on the second.
template <class T>
Wrench<T> reaction_on_second(const Output& o, const Observation<T>& s) {
  Wrench<T> sum;
  for (size_t k = 0; k < o.index.size(); k += 2) {
    const T l = s.lambda[o.index[k]];
    const Wrench<T>& g = s.evaluation->gradient[o.index[k + 1]];
    sum.F -= l * g.F;
    sum.M -= l * g.M;
  }
  return sum;
}
struct Reaction {
  template <class T>
  static void observe(const Output& o, const Observation<T>& s, T* out) {
    put_vector(o, s, reaction_on_second(o, s).F, out);
  }
};
struct ReactionTorque {
  template <class T>
  static void observe(const Output& o, const Observation<T>& s, T* out) {
    put_vector(o, s, reaction_on_second(o, s).M, out);
  }
};
// index: group, element, …
template <class T>
Wrench<T> wrench_on_second(const Output& o, const Observation<T>& s) {
  Wrench<T> sum;
  for (size_t k = 0; k < o.index.size(); k += 2) {
    const Group& g = s.groups[o.index[k]];
    const Wrench<T> w = g.kernel->functions<T>().wrench(g, o.index[k + 1], *s.evaluation).b;
    sum.F += w.F, sum.M += w.M;
  }
  return sum;
}
struct ForceOnSecond {
  template <class T>
  static void observe(const Output& o, const Observation<T>& s, T* out) {
    put_vector(o, s, wrench_on_second(o, s).F, out);
  }
};
struct TorqueOnSecond {
  template <class T>
  static void observe(const Output& o, const Observation<T>& s, T* out) {
    put_vector(o, s, wrench_on_second(o, s).M, out);
  }
};
// index: a Coordinate, then group and element. Tension = −Q, and the wrench on b is Q ∇q, so Q = wrench · ∇q / |∇q|².
struct Tension {
  template <class T>
  static void observe(const Output& o, const Observation<T>& s, T* out) {
    const Coordinate c = coordinate_of(o);
    const PairWrench<T> g = measure(c, *s.evaluation).gradient;
    const Group& group = s.groups[o.index[9]];
    const PairWrench<T> w = group.kernel->functions<T>().wrench(group, o.index[10], *s.evaluation);
    out[0] = -(dot(w.b.F, g.b.F) + dot(w.b.M, g.b.M)) / (dot(g.b.F, g.b.F) + dot(g.b.M, g.b.M));
  }
};
struct Length {
  template <class T>
  static void observe(const Output& o, const Observation<T>& s, T* out) {
    out[0] = measure(coordinate_of(o), *s.evaluation).value;
  }
};

// index: empty for everything; a rigid body's carrier; or group, first element and number of elements of a continuum
template <class T>
T kinetic(const Output& o, const Observation<T>& s) {
  T sum(0);
  const bool all = o.index.empty();
  for (int c = 0; c < s.rigid; ++c)
    if (all || (o.index.size() == 1 && o.index[0] == c)) sum += RigidBody::kinetic_energy(s.parameters[c], s.carrier[c]);
  for (int g = 0; g < s.group_count; ++g) {
    const auto energy = s.groups[g].kernel->template functions<T>().kinetic_energy;
    if (!energy || (!all && (o.index.size() == 1 || o.index[0] != g))) continue;
    const int first = all ? 0 : o.index[1], count = all ? s.groups[g].count : o.index[2];
    for (int i = first; i < first + count; ++i) sum += energy(s.groups[g], i, *s.evaluation);
  }
  return sum;
}
template <class T>
T potential(const Observation<T>& s) {
  T sum(0);
  for (int c = 0; c < s.rigid; ++c) sum -= s.parameters[c].mass * dot(s.gravity, s.carrier[c].x);
  for (int g = 0; g < s.group_count; ++g)
    if (const auto energy = s.groups[g].kernel->template functions<T>().energy) sum += energy(s.groups[g], *s.evaluation);
  return sum;
}
struct KineticEnergy {
  template <class T>
  static void observe(const Output& o, const Observation<T>& s, T* out) {
    out[0] = kinetic(o, s);
  }
};
struct PotentialEnergy {
  template <class T>
  static void observe(const Output&, const Observation<T>& s, T* out) {
    out[0] = potential(s);
  }
};
struct TotalEnergy {
  template <class T>
  static void observe(const Output& o, const Observation<T>& s, T* out) {
    out[0] = kinetic(o, s) + potential(s);
  }
};
struct Work {
  template <class T>
  static void observe(const Output&, const Observation<T>& s, T* out) {
    out[0] = s.work ? s.work->supplied : T(0);
  }
};
struct DissipatedEnergy {
  template <class T>
  static void observe(const Output&, const Observation<T>& s, T* out) {
    out[0] = s.work ? s.work->dissipated : T(0);
  }
};
struct EnergyBalance {
  template <class T>
  static void observe(const Output& o, const Observation<T>& s, T* out) {
    out[0] = s.work ? (kinetic(o, s) + potential(s) - s.start) - (s.work->supplied - s.work->dissipated) : T(0);
  }
};
// index: first row, number of rows
struct Violation {
  template <class T>
  static void observe(const Output& o, const Observation<T>& s, T* out) {
    T worst(0);
    for (int r = 0; r < o.index[1]; ++r) worst = max(worst, abs(s.evaluation->residual[o.index[0] + r]));
    out[0] = worst;
  }
};

template <class F>
void build_reaction(const Item& item, Builder& b, const char* unit) {
  const JointRecord& j = b.joint(item.subject.word);
  Output out = new_output<F>(item, unit);
  b.vector_output(item, out);
  out.joint = int(&j - b.topology().joints.data());
  const Topology& t = b.topology();
  for (int k = j.gradient; k < int(t.gradient_row.size()) && t.gradient_row[k] < j.row + j.rows; ++k)
    if (t.gradient_marker[k] == j.marker_b) out.index.insert(out.index.end(), {t.gradient_row[k], k});
  b.add_output(out);
}
void build_reaction_force(const Item& i, Builder& b) { build_reaction<Reaction>(i, b, "N"); }
void build_reaction_torque(const Item& i, Builder& b) { build_reaction<ReactionTorque>(i, b, "N m"); }

template <class F>
void build_element_force(const Item& item, Builder& b, const char* unit) {
  const ForceRecord& f = b.force(item.subject.word);
  Output out = new_output<F>(item, unit);
  b.vector_output(item, out);
  out.index = {f.group, f.element};
  out.index.insert(out.index.end(), f.more.begin(), f.more.end());
  b.add_output(out);
}
void build_force(const Item& i, Builder& b) { build_element_force<ForceOnSecond>(i, b, "N"); }
void build_torque(const Item& i, Builder& b) { build_element_force<TorqueOnSecond>(i, b, "N m"); }

template <class F>
void build_spring(const Item& item, Builder& b, bool length) {
  const ForceRecord& f = b.force(item.subject.word);
  if (!f.has_coordinate)
    throw InputError(item.at, fmt::format("output '{}': '{}' is a {}, which has no length or tension; use {}force or torque",
                                          item.name, f.name, f.kind, f.kind == "bushing" ? "deformation, " : ""));
  const bool angle = f.coordinate.kind == Coordinate::angle;
  Output out = new_output<F>(item, length ? (angle ? "rad" : "m") : (angle ? "N m" : "N"));
  out.channels = {""};
  out.index = integers_of(f.coordinate);
  out.index.push_back(f.group);
  out.index.push_back(f.element);
  b.add_output(out);
}
void build_tension(const Item& i, Builder& b) { build_spring<Tension>(i, b, false); }
void build_length(const Item& i, Builder& b) { build_spring<Length>(i, b, true); }

template <class F>
void build_energy(const Item& item, Builder& b) {
  Output out = new_output<F>(item, "J");
  out.channels = {""};
  const std::string& which = item.subject.word;
  const auto& names = b.topology().body_names;
  const bool one = std::find(names.begin(), names.end(), which) != names.end();
  const bool may_be_one = item.kind == "kinetic_energy";
  const char* or_else = may_be_one                         ? " or the name of a body"
                        : item.kind == "dissipated_energy" ? " or the name of a force or joint with hysteresis"
                                                           : "";
  if (which != "all" && !(one && may_be_one))
    throw InputError(item.subject.at,
                     fmt::format("output '{}': {} must be 'all'{}, not '{}'", item.name, item.kind, or_else, which));
  if (one) out.index = b.inertia_of(b.body(which));
  out.of_work = item.kind == "work" || item.kind == "dissipated_energy" || item.kind == "energy_balance";
  b.add_output(out);
}

void build_dissipated_energy(const Item& item, Builder& b) {
  if (item.subject.word == "all" || !build_dissipated_by_hysteresis(item, b)) build_energy<DissipatedEnergy>(item, b);
}

void build_work(const Item& item, Builder& b) {
  if (item.subject.word != "all") return build_work_of_one(item, b);
  for (const char* key : {"of", "direction"})
    if (const Value* v = item.find(key))
      throw InputError(v->at, fmt::format("output '{}': '{}' is for the work of one force or joint", item.name, key));
  build_energy<Work>(item, b);
}

void build_violation(const Item& item, Builder& b) {
  Output out = new_output<Violation>(item, "m or -");
  out.channels = {""};
  if (item.subject.word == "all") {
    out.index = {0, int(b.topology().rows.size())};
  } else {
    const auto& joints = b.topology().joints;
    const auto j = std::find_if(joints.begin(), joints.end(), [&](const auto& r) { return r.name == item.subject.word; });
    if (j == joints.end())
      throw InputError(item.subject.at,
                       fmt::format("output '{}': constraint_violation must be 'all' or the name of a joint, not '{}'", item.name,
                                   item.subject.word));
    out.index = {j->row, j->rows};
  }
  b.add_output(out);
}

}  // namespace

std::vector<ElementType> force_outputs() {
  const Field joint = {.key = "", .type = FieldType::joint, .doc = "The joint."};
  const Field force = {.key = "", .type = FieldType::force, .doc = "The entry of forces."};
  const Field all_or_body = {.key = "", .type = FieldType::text, .doc = "`all`, or one body."};
  const Field all = {.key = "", .type = FieldType::text, .doc = "`all`."};
  return {
      {{"reaction", "Force of the first body of a joint on the second, at the joint's point on the second body.", joint,
        vector_fields()},
       build_reaction_force,
       "{reaction: turn_a, component: z}"},
      {{"reaction_torque", "Torque of the first body of a joint on the second.", joint, vector_fields()},
       build_reaction_torque,
       "{reaction_torque: turn_a}"},
      {{"force", "Force of a force element on its second body (or on the body it loads).", force, vector_fields()},
       build_force,
       "{force: spring}"},
      {{"torque", "Torque of a force element on its second body.", force, vector_fields()},
       build_torque,
       "{torque: spring, in: a}"},
      {{"tension", "Tension of a spring-damper, or torque of a torsion spring: positive if restoring.", force, {}},
       build_tension,
       "{tension: spring}"},
      {{"length", "Length of a spring-damper, or angle of a torsion spring.", force, {}}, build_length, "{length: spring}"},
      {{"kinetic_energy", "Kinetic energy.", all_or_body, {}}, build_energy<KineticEnergy>, "{kinetic_energy: b}"},
      {{"potential_energy", "Potential energy of gravity and springs, and what hysteresis has stored.", all, {}},
       build_energy<PotentialEnergy>,
       "{potential_energy: all}"},
      {{"energy", "Kinetic plus potential energy.", all, {}}, build_energy<TotalEnergy>, "{energy: all}"},
      {{"work",
        "Work since the start. `all`: of loads, actuators and prescribed motions; negative if they take energy out. Of one force "
        "or "
        "joint: the integral of its `power`, positive if the bodies it acts on gain energy (of a spring: what it gives back).",
        {.key = "", .type = FieldType::text, .doc = "`all`, or one force or joint."},
        work_fields()},
       build_work,
       "{work: all}"},
      {{"dissipated_energy",
        "Energy that dampers, friction, stops, hysteresis and damped beams have dissipated since the start.",
        {.key = "", .type = FieldType::text, .doc = "`all`, or one force or joint with hysteresis."},
        {}},
       build_dissipated_energy,
       "{dissipated_energy: all}"},
      {{"energy_balance",
        "Change of kinetic plus potential energy since the start, less `work`, plus `dissipated_energy`: zero but for the error "
        "of "
        "time stepping.",
        all,
        {}},
       build_energy<EnergyBalance>,
       "{energy_balance: all}"},
      {{"constraint_violation",
        "Largest violation of the constraint equations (lengths in m, products of unit vectors).",
        {.key = "", .type = FieldType::text, .doc = "`all`, or one joint."},
        {}},
       build_violation,
       "{constraint_violation: all}"},
  };
}

}  // namespace aleator::core
