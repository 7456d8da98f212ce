// Outputs of single forces and joints: what acts in a free direction of a joint, how a force element deforms, its power and work.
//   Q   generalized force in a free direction q of a joint, on its second body: of springs, dampers, stops, friction, hysteresis and
//       actuators from their laws, of a prescribed motion −(Gᵀλ)_b · ∂(motion of b)/∂q̇. In a screw b advances by l = p/2π per radian,
//       and its thread adds nothing: its row (F, M) = λ (n, −l n) on (v, ω) = (l n, n) vanishes. Without that row the others have no
//       force along n where `about` is driven, and no moment about n where `along` is: the same sum as in other joints is left
//   P = Q q̇ in a free direction; of a force element F_a·v_a + M_a·ω_a + F_b·v_b + M_b·ω_b: what the bodies gain
//   W = ∫ P dt since the start, by the integrator (energies.hpp)
#include "elements/outputs_acting.hpp"

#include <algorithm>

#include "elements/bushing.hpp"
#include "elements/coordinate_force.hpp"
#include "elements/hysteretic_force.hpp"
#include "elements/joint_relations.hpp"
#include "elements/observe.hpp"

namespace aleator::core {

using input::Field;
using input::FieldType;
using input::InputError;
using input::Item;
using input::Value;

namespace {

const std::vector<std::string> part_names = {"all", "spring", "damper", "stops", "friction", "actuator", "hysteresis", "motion"};
struct By {
  enum { all, spring, damper, stops, friction, actuator, hysteresis, motion };
};

// What acts along one coordinate, as integers: the part that is asked for, its elements, and the rows of a drive.
constexpr int coordinate_size = 9;
struct At {
  enum { part, law, hysteresis = law + 2, marker = hysteresis + 2, axis, coordinate };
  enum { rows = coordinate + coordinate_size, gradients };
};

Coordinate coordinate_at(const int* i) { return {i[0], i[1], i[2], i[3], {i[4], i[5]}, {i[6], i[7]}, i[8]}; }

template <class T>
T part_of(const CoordinateForce::Parts<T>& p, int part) {
  switch (part) {
    case By::spring:
      return p.spring;
    case By::damper:
      return p.damper;
    case By::stops:
      return p.stops;
    case By::friction:
      return p.friction;
    case By::actuator:
      return p.actuator;
    default:
      return (p.spring + p.damper) + (p.stops + p.friction) + p.actuator;
  }
}

// Q and q̇ of one direction; returns where the next one begins.
template <class T>
const int* act(const int* i, const Observation<T>& s, T& Q, T& dq) {
  const Evaluation<T>& e = *s.evaluation;
  const Coordinate c = coordinate_at(i + At::coordinate);
  const PairScalar<T> q = measure(c, e);
  dq = rate(q.gradient, e.marker[c.a], e.marker[c.b]);
  Q = T(0);
  if (i[At::law] >= 0) {
    const Group& g = s.groups[i[At::law]];
    const auto& t = detail::topology_of<CoordinateForce, T>(g, i[At::law + 1]);
    Q += part_of(CoordinateForce::parts(t, detail::parameters_of<CoordinateForce, T>(g, e, i[At::law + 1]), e, q.value, dq),
                 i[At::part]);
  }
  if (i[At::hysteresis] >= 0) {
    const Group& g = s.groups[i[At::hysteresis]];
    Q += HystereticForce::law(detail::topology_of<HystereticForce, T>(g, i[At::hysteresis + 1]),
                              detail::parameters_of<HystereticForce, T>(g, e, i[At::hysteresis + 1]), e)
             .Q;
  }
  // A moment about the axis of an angle, a force along that of a translation.
  const Vec3<T> along = i[At::rows] > 0 ? e.marker[i[At::marker]].R.column(i[At::axis]) : Vec3<T>{};
  for (int k = 0; k < i[At::rows]; ++k) {
    const Wrench<T>& g = e.gradient[i[At::gradients + 2 * k + 1]];
    Q -= s.lambda[i[At::gradients + 2 * k]] * dot(c.kind == Coordinate::angle ? g.M : g.F, along);
  }
  return i + At::gradients + 2 * i[At::rows];
}

struct JointForce {
  template <class T>
  static void observe(const Output& o, const Observation<T>& s, T* out) {
    T dq;
    act(o.index.data(), s, out[0], dq);
  }
};
struct JointPower {
  template <class T>
  static void observe(const Output& o, const Observation<T>& s, T* out) {
    out[0] = T(0);
    for (const int *i = o.index.data(), *end = i + o.index.size(); i != end;) {
      T Q, dq;
      i = act(i, s, Q, dq);
      out[0] += Q * dq;
    }
  }
};
// index: a row; the force of a rod pushes its ends apart with −λ
struct RodForce {
  template <class T>
  static void observe(const Output& o, const Observation<T>& s, T* out) {
    out[0] = -s.lambda[o.index[0]];
  }
};
// All that acts in a joint, or its drive alone. index: first row of the drive, number of rows, then directions, of whose drives nothing is said.
//   G v = −g_t, so −λᵀ G v = λᵀ g_t: the drive's power also where what it prescribes cannot be measured.
struct WholePower {
  template <class T>
  static void observe(const Output& o, const Observation<T>& s, T* out) {
    out[0] = T(0);
    for (int r = o.index[0]; r < o.index[0] + o.index[1]; ++r) out[0] += s.lambda[r] * s.evaluation->drift[r];
    for (const int *i = o.index.data() + 2, *end = o.index.data() + o.index.size(); i != end;) {
      T Q, dq;
      i = act(i, s, Q, dq);
      out[0] += Q * dq;
    }
  }
};
// index: group, element, …
struct ForcePower {
  template <class T>
  static void observe(const Output& o, const Observation<T>& s, T* out) {
    out[0] = T(0);
    for (size_t k = 0; k < o.index.size(); k += 2) {
      const Group& g = s.groups[o.index[k]];
      const int i = o.index[k + 1];
      MarkerPair m;
      g.kernel->marker_pairs(g.topology + i * g.kernel->topology_size, &m);
      const PairWrench<T> w = g.kernel->functions<T>().wrench(g, i, *s.evaluation);
      const MarkerFrame<T>&A = s.evaluation->marker[m.a], &B = s.evaluation->marker[m.b];
      out[0] += dot(w.a.F, A.v) + dot(w.a.M, A.w) + dot(w.b.F, B.v) + dot(w.b.M, B.w);
    }
  }
};
struct WorkOfOne {
  template <class T>
  static void observe(const Output& o, const Observation<T>& s, T* out) {
    out[0] = s.work && size_t(o.integral) < s.work->each.size() ? s.work->each[size_t(o.integral)] : T(0);
  }
};
// index: a Coordinate
struct LengthRate {
  template <class T>
  static void observe(const Output& o, const Observation<T>& s, T* out) {
    const Coordinate c = coordinate_of(o);
    out[0] = rate(measure(c, *s.evaluation).gradient, s.evaluation->marker[c.a], s.evaluation->marker[c.b]);
  }
};
// index: markers of a bushing; component: 0 … 5, −1 = all
template <bool of_rate>
struct Deformation {
  template <class T>
  static void observe(const Output& o, const Observation<T>& s, T* out) {
    const auto d = Bushing::deformation(s.evaluation->marker[o.index[0]], s.evaluation->marker[o.index[1]]);
    const Vec3<T>&x = of_rate ? d.rate : d.d, &turn = of_rate ? d.w : d.theta;
    if (o.component >= 0)
      out[0] = o.component < 3 ? x[o.component] : turn[o.component - 3];
    else
      for (int i = 0; i < 3; ++i) out[i] = x[i], out[3 + i] = turn[i];
  }
};

int part_asked_for(const Item& item) {
  const Value* of = item.find("of");
  return of ? int(std::find(part_names.begin(), part_names.end(), of->word) - part_names.begin()) : int(By::all);
}

std::string list_of(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& w : words) text += (text.empty() ? "" : ", ") + w;
  return text;
}

bool acts(const FreeDirection& f, int part) {
  return part == By::all || std::find(f.acting.begin(), f.acting.end(), part_names[size_t(part)]) != f.acting.end();
}

// Whether motions are prescribed in directions that cannot be measured: the length of a rod, three rotations.
bool drives_unmeasured(const JointRecord& j, const Builder& b) {
  return prescribed_motions(j, b.topology()) >
         std::count_if(j.free.begin(), j.free.end(), [](const FreeDirection& f) { return acts(f, By::motion); });
}

// All that acts in a joint, for messages.
std::vector<std::string> acting_in(const JointRecord& j, const Builder& b) {
  std::vector<std::string> acting;
  for (const FreeDirection& f : j.free) acting.insert(acting.end(), f.acting.begin(), f.acting.end());
  if (drives_unmeasured(j, b)) acting.emplace_back("motion");
  return acting;
}

// The integers of act(). Whether multipliers are read is told to the output.
void add_direction(const FreeDirection& f, const JointRecord& j, int part, const Builder& b, Output& out,
                   bool with_drive = true) {
  const bool by_law = part != By::hysteresis && part != By::motion, by_hysteresis = part == By::hysteresis || part == By::all;
  std::vector<int> rows;
  if (with_drive && (part == By::motion || part == By::all) && acts(f, By::motion)) {
    out.joint = int(&j - b.topology().joints.data());
    const Topology& t = b.topology();
    const int thread = thread_row(j);
    for (int k = j.gradient; k < int(t.gradient_row.size()) && t.gradient_row[k] < j.row + j.rows; ++k)
      if (t.gradient_marker[k] == j.marker_b && t.gradient_row[k] != thread) rows.insert(rows.end(), {t.gradient_row[k], k});
  }
  auto& i = out.index;
  i.insert(i.end(), {part, by_law ? f.law[0] : -1, by_law ? f.law[1] : -1, by_hysteresis ? f.hysteresis[0] : -1,
                     by_hysteresis ? f.hysteresis[1] : -1, f.marker, f.axis});
  const std::vector<int> c = integers_of(f.coordinate);
  i.insert(i.end(), c.begin(), c.end());
  i.push_back(int(rows.size() / 2));
  i.insert(i.end(), rows.begin(), rows.end());
}

[[noreturn]] void nothing_acts(const Item& item, const std::string& name, int part, const std::vector<std::string>& acting) {
  const Value* of = item.find("of");
  if (part == By::all)
    throw InputError(item.at,
                     fmt::format("output '{}': nothing acts in '{}': no motion, spring, damper, stops, friction, hysteresis "
                                 "or actuator",
                                 item.name, name));
  throw InputError(of ? of->at : item.at, fmt::format("output '{}': '{}' has no {}{}", item.name, name, part_names[size_t(part)],
                                                      acting.empty() ? "" : fmt::format("; it has: {}", list_of(acting))));
}

void build_joint_force(const Item& item, Builder& b) {
  const JointRecord& j = b.joint(item.subject.word);
  const int part = part_asked_for(item);
  if (j.kind == "distance") {
    if (part != By::all && (part != By::motion || !drives_unmeasured(j, b))) nothing_acts(item, j.name, part, acting_in(j, b));
    Output out = new_output<RodForce>(item, "N");
    out.channels = {""}, out.index = {j.row};
    out.joint = int(&j - b.topology().joints.data());
    return b.add_output(out);
  }
  const Value* d = item.find("direction");
  const FreeDirection& f = pick_direction(j, d ? d->word : "", d ? d->at : item.at, "direction");
  if (!acts(f, part)) nothing_acts(item, j.name, part, f.acting);
  Output out = new_output<JointForce>(item, f.coordinate.kind == Coordinate::angle ? "N m" : "N");
  out.channels = {""};
  add_direction(f, j, part, b, out);
  b.add_output(out);
}

// Power, or its integral.
template <class F>
Output power_output(const Item& item, bool work) {
  Output out = work ? new_output<WorkOfOne>(item, "J") : new_output<F>(item, "W");
  out.channels = {""};
  if (work) out.of_work = true, out.scalar_rate = F::template observe<double>, out.traced_rate = F::template observe<Traced>;
  return out;
}

void build_power_of_force(const Item& item, const ForceRecord& f, bool work, Builder& b) {
  const int part = part_asked_for(item);
  if (const Value* d = item.find("direction"))
    throw InputError(d->at, fmt::format("output '{}': 'direction' is one of a joint, and '{}' is a force", item.name, f.name));
  if (part == By::all) {
    Output out = power_output<ForcePower>(item, work);
    out.index = {f.group, f.element};
    out.index.insert(out.index.end(), f.more.begin(), f.more.end());
    return b.add_output(out);
  }
  const bool has_law = f.has_coordinate && f.kind != "bouc_wen";
  if (!has_law || (part != By::spring && part != By::damper))
    nothing_acts(item, f.name, part, has_law ? std::vector<std::string>{"spring", "damper"} : std::vector<std::string>{});
  Output out = power_output<JointPower>(item, work);
  FreeDirection along{"", f.coordinate};
  along.law[0] = f.group, along.law[1] = f.element;
  add_direction(along, {}, part, b, out);
  b.add_output(out);
}

// Of everything in a joint, or one part of it, in all its directions together: with its drives by their rows where some cannot be measured.
Output power_of_whole_joint(const Item& item, const JointRecord& j, int part, bool work, const Builder& b) {
  const bool by_rows = part == By::motion ? prescribed_motions(j, b.topology()) > 0 : part == By::all && drives_unmeasured(j, b);
  Output out = by_rows ? power_output<WholePower>(item, work) : power_output<JointPower>(item, work);
  if (by_rows) out.index = {j.row, j.rows}, out.joint = int(&j - b.topology().joints.data());
  if (by_rows && part == By::motion) return out;
  for (const FreeDirection& f : j.free)
    if (!f.acting.empty() && acts(f, part)) add_direction(f, j, part, b, out, !by_rows);
  if (out.index.empty()) nothing_acts(item, j.name, part, acting_in(j, b));
  return out;
}

void build_power_of_joint(const Item& item, const JointRecord& j, bool work, Builder& b) {
  const int part = part_asked_for(item);
  const Value* d = item.find("direction");
  if (!d) return b.add_output(power_of_whole_joint(item, j, part, work, b));
  const FreeDirection& f = pick_direction(j, d->word, d->at, "direction");
  if (!acts(f, part)) nothing_acts(item, j.name, part, f.acting);
  Output out = power_output<JointPower>(item, work);
  add_direction(f, j, part, b, out);
  b.add_output(out);
}

void build_power_or_work(const Item& item, bool work, Builder& b) {
  const auto named = [&](const auto& r) { return r.name == item.subject.word; };
  const auto& forces = b.topology().forces;
  const auto& joints = b.topology().joints;
  const auto f = std::find_if(forces.begin(), forces.end(), named);
  const auto j = std::find_if(joints.begin(), joints.end(), named);
  if (f != forces.end() && j != joints.end())
    throw InputError(item.subject.at, fmt::format("output '{}': a force and a joint are both named '{}'; rename one", item.name,
                                                  item.subject.word));
  if (f != forces.end()) return build_power_of_force(item, *f, work, b);
  if (j != joints.end()) return build_power_of_joint(item, *j, work, b);
  std::vector<std::string> known;
  for (const auto& r : forces) known.push_back(r.name);
  for (const auto& r : joints) known.push_back(r.name);
  throw InputError(item.subject.at,
                   fmt::format("output '{}': {} must be {}the name of a force or joint, not '{}'{}", item.name, item.kind,
                               work ? "'all' or " : "", item.subject.word, input::suggestion(item.subject.word, known)));
}
void build_power(const Item& item, Builder& b) { build_power_or_work(item, false, b); }

void build_length_rate(const Item& item, Builder& b) {
  const ForceRecord& f = b.force(item.subject.word);
  if (!f.has_coordinate)
    throw InputError(item.at, fmt::format("output '{}': '{}' is a {}, which has no length{}", item.name, f.name, f.kind,
                                          f.kind == "bushing" ? "; use deformation_rate" : ""));
  Output out = new_output<LengthRate>(item, f.coordinate.kind == Coordinate::angle ? "rad/s" : "m/s");
  out.channels = {""};
  out.index = integers_of(f.coordinate);
  b.add_output(out);
}

template <bool of_rate>
void build_deformation(const Item& item, Builder& b) {
  const std::vector<std::string> names = {"x", "y", "z", "rx", "ry", "rz"};
  const ForceRecord& f = b.force(item.subject.word);
  if (f.kind != "bushing")
    throw InputError(
        item.at, fmt::format("output '{}': '{}' is a {}, and only bushings have six deformations{}", item.name, f.name, f.kind,
                             f.has_coordinate ? of_rate ? "; use length_rate" : "; use length" : ""));
  Output out = new_output<Deformation<of_rate>>(item, of_rate ? "m/s or rad/s" : "m or rad");
  const GroupData& g = b.topology().groups[size_t(f.group)];
  MarkerPair m;
  g.kernel->marker_pairs(g.topology.data() + f.element * g.kernel->topology_size, &m);
  out.index = {m.a, m.b};
  out.channels = names;
  if (const Value* c = item.find("component")) {
    out.component = int(std::find(names.begin(), names.end(), c->word) - names.begin());
    out.channels = {""};
    out.unit = out.component < 3 ? (of_rate ? "m/s" : "m") : (of_rate ? "rad/s" : "rad");
  }
  b.add_output(out);
}

}  // namespace

void build_work_of_one(const Item& item, Builder& b) { build_power_or_work(item, true, b); }

std::vector<Field> work_fields() {
  return {{.key = "of",
           .type = FieldType::word,
           .doc = "What acts: in a joint one of these, in a spring-damper or torsion spring `spring` or `damper`.",
           .fallback = "all",
           .words = {part_names.begin(), part_names.end()}},
          {.key = "direction",
           .type = FieldType::word,
           .doc = "Free direction of a joint.",
           .fallback = "all of them",
           .words = {"x", "y", "z", "rx", "ry", "rz", "along", "about"}}};
}

std::vector<ElementType> acting_outputs() {
  const Field joint = {.key = "", .type = FieldType::joint, .doc = "The joint."};
  const Field force = {.key = "", .type = FieldType::force, .doc = "The entry of forces."};
  const Field either = {.key = "", .type = FieldType::text, .doc = "A force or joint."};
  const Field component = {.key = "component",
                           .type = FieldType::word,
                           .doc = "One of the six.",
                           .fallback = "all six",
                           .words = {"x", "y", "z", "rx", "ry", "rz"}};
  std::vector<Field> of_joint = work_fields();
  of_joint[0].doc = "What acts: one of these, or their sum.";
  of_joint[1].fallback = "the only one";
  return {
      {{"joint_force",
        "Force or torque in a free direction of a joint, on the second body and positive in the direction of its coordinate: of "
        "its "
        "spring, damper, stops, friction, hysteresis, actuator or prescribed motion (the force or torque of the drive), or all "
        "of "
        "them. Of a `distance` joint: the force of the rod, positive if it pushes its ends apart.",
        joint, of_joint},
       build_joint_force,
       "{joint_force: turn_a}"},
      {{"length_rate", "Rate of `length`: positive if it grows.", force, {}}, build_length_rate, "{length_rate: spring}"},
      {{"deformation",
        "Displacements of the second side of a bushing against the first, and the rotation vector between them, in the axes of "
        "the "
        "bushing on the first body.",
        force,
        {component}},
       build_deformation<false>,
       "{deformation: rubber}"},
      {{"deformation_rate",
        "Velocities and angular velocities of a bushing's second side against its first, in the same axes.",
        force,
        {component}},
       build_deformation<true>,
       "{deformation_rate: rubber, component: rz}"},
      {{"power",
        "Power of a force or joint on the bodies it acts on: positive if they gain energy. Of a joint: of everything that acts "
        "in its "
        "free directions.",
        either, work_fields()},
       build_power,
       "{power: strut}"},
  };
}

}  // namespace aleator::core
