// Outputs at a cross-section of a beam: strains, and the force and moment it carries.
#include "elements/outputs_beam.hpp"

#include <algorithm>

#include "elements/observe.hpp"

namespace aleator::core {

using input::Field;
using input::FieldType;
using input::InputError;
using input::Item;
using input::Value;

namespace {

// index: group, element, then of a strain: which; of forces and moments: what acts within the element, four numbers each (find_loads)
template <class T>
SectionState<T> section_of(const Output& o, const Observation<T>& s) {
  SectionState<T> state;
  const Group& g = s.groups[o.index[0]];
  g.kernel->functions<T>().section(g, o.index[1], o.place, *s.evaluation, s.acceleration, state);
  return state;
}

// A force or joint that acts between the nodes of the element.
struct LoadWithin {
  enum { on_first, on_second, reaction };  // by a force on its first or second marker, or by a row of a joint
  int marker, kind;
  int group_or_row, element_or_gradient;
};
template <class T>
Wrench<T> wrench_of(const LoadWithin& load, const Observation<T>& s) {
  if (load.kind == LoadWithin::reaction) {  // −Gᵀλ
    const Wrench<T>& g = s.evaluation->gradient[load.element_or_gradient];
    const T l = -s.lambda[load.group_or_row];
    return {l * g.F, l * g.M};
  }
  const Group& g = s.groups[load.group_or_row];
  const PairWrench<T> w = g.kernel->functions<T>().wrench(g, load.element_or_gradient, *s.evaluation);
  return load.kind == LoadWithin::on_first ? w.a : w.b;
}

// With a load (F, M) at the point p of the element, its second node has
//   Q_r = s_r F,   Q_k = s_k F + (c_k B_u + d_k B_w)ᵀ M           (nodal_marker.hpp)
// of it, which the kernel took for what the rest of the beam exerts. That goes; if the load is beyond the cross-section c,
//   F  and  (p − c) × F + M
// take its place. It is beyond if s_r = 3ξ² − 2ξ³ is larger than that of the cross-section, or equal, as at a node.
template <class T>
SectionState<T> section_with_loads(const Output& o, const Observation<T>& s) {
  SectionState<T> state = section_of(o, s);
  const Evaluation<T>& e = *s.evaluation;
  const double xi = o.place, share = xi * xi * (3 - 2 * xi);
  for (size_t i = 2; i < o.index.size(); i += 4) {
    const LoadWithin load = {o.index[i], o.index[i + 1], o.index[i + 2], o.index[i + 3]};
    const Wrench<T> w = wrench_of(load, s);
    const int n = e.marker_nodal[load.marker], carriers = e.nodal[n].count, second = carriers / 2;
    for (int k = second; k < carriers; ++k) {
      const T* q = e.position + 7 * e.nodal[n].carrier[k];
      const Wrench<T> part = e.on_carrier(n, k, w);
      const Vec3<T> vector = {q[0], q[1], q[2]};
      if (k == second) state.force -= part.F;
      state.moment -= cross(k == second ? vector - state.place : vector, part.F) + cross(Vec3<T>{q[3], q[4], q[5]}, part.M);
    }
    const T beyond = select(e.nodal_parameters[n].s[2 * second] < T(share - 1e-9), T(0), T(1));
    state.force += beyond * w.F;
    state.moment += beyond * (cross(e.marker[load.marker].p - state.place, w.F) + w.M);
  }
  return state;
}
struct SectionForce {
  template <class T>
  static void observe(const Output& o, const Observation<T>& s, T* out) {
    put_vector(o, s, section_with_loads(o, s).force, out);
  }
};
struct SectionMoment {
  template <class T>
  static void observe(const Output& o, const Observation<T>& s, T* out) {
    put_vector(o, s, section_with_loads(o, s).moment, out);
  }
};
struct Strain {
  template <class T>
  static void observe(const Output& o, const Observation<T>& s, T* out) {
    const SectionState<T> state = section_of(o, s);
    for (size_t k = 2; k < o.index.size(); ++k) out[k - 2] = state.strain[o.index[k]];
  }
};

Vec3<double> set_place(const Item& item, Builder& b, Output& out) {
  const int body = b.body(item.subject.word);
  const Builder::FindSection* find = b.sections(body);
  if (!find)
    throw InputError(item.subject.at, fmt::format("output '{}': '{}' is not a beam or cable, and has no cross-sections",
                                                  item.name, item.subject.word));
  const Value* at = item.find("at");
  const Vec3<double> point = at ? b.vector(*at) : b.body_origin(body);
  const Builder::SectionPlace place = (*find)(point);
  const std::vector<int> elements = b.inertia_of(body);  // group, first element, number
  out.index = {elements[0], elements[1] + place.element};
  out.place = place.xi;
  return point;
}

// Markers between the nodes of the element have the carriers of both. Joints and forces are all there when outputs are built.
void find_loads(const Topology& t, Output& out) {
  const GroupData& beam = t.groups[size_t(out.index[0])];
  const std::vector<int> carriers = beam.kernel->carriers(beam.topology.data() + out.index[1] * beam.kernel->topology_size);
  const auto within = [&](int marker) {
    const int n = t.marker_nodal[size_t(marker)];
    return n >= 0 && t.nodal[n].count == int(carriers.size()) && std::equal(carriers.begin(), carriers.end(), t.nodal[n].carrier);
  };
  const auto add = [&](const LoadWithin& l) {
    if (within(l.marker)) out.index.insert(out.index.end(), {l.marker, l.kind, l.group_or_row, l.element_or_gradient});
  };
  for (int g = 0; g < int(t.groups.size()); ++g) {
    const Kernel& kernel = *t.groups[g].kernel;
    for (int i = 0; i < t.groups[g].count && kernel.scalar.wrench; ++i) {
      MarkerPair pair;
      kernel.marker_pairs(t.groups[g].topology.data() + i * kernel.topology_size, &pair);
      add({pair.a, LoadWithin::on_first, g, i});
      add({pair.b, LoadWithin::on_second, g, i});
    }
  }
  for (int k = 0; k < int(t.gradient_marker.size()); ++k) add({t.gradient_marker[k], LoadWithin::reaction, t.gradient_row[k], k});
}

// In the axes of the cross-section: x along the beam, y along the height, z along the width.
template <class F>
void build_section(const Item& item, Builder& b, const char* unit) {
  Output out = new_output<F>(item, unit);
  const Vec3<double> point = set_place(item, b, out);
  find_loads(b.topology(), out);
  b.vector_output(item, out);
  const int body = b.body(item.subject.word);
  // A cable in space has no axes of its own: its forces are given in inertial ones.
  if (!item.find("in") && b.has_axes(b.marker(body, point))) out.frame = b.axes_marker(body, point, item.at);
  b.add_output(out);
}
void build_section_force(const Item& i, Builder& b) { build_section<SectionForce>(i, b, "N"); }
void build_moment(const Item& i, Builder& b) { build_section<SectionMoment>(i, b, "N m"); }

const std::pair<std::string_view, const char*> strain_names[] = {{"axial", "-"},   {"bending_y", "1/m"}, {"bending_z", "1/m"},
                                                                 {"shear_y", "-"}, {"shear_z", "-"},     {"twist", "1/m"}};

void build_strain(const Item& item, Builder& b) {
  Output out = new_output<Strain>(item, "-, 1/m");
  set_place(item, b, out);
  const Value* component = item.find("component");
  for (int k = 0; k < int(std::size(strain_names)); ++k) {
    const auto& [name, unit] = strain_names[k];
    if (component ? component->word != name : b.normal() >= 0 && (k == 2 || k > 3)) continue;
    out.index.push_back(k);
    out.channels.emplace_back(component ? "" : name);
    if (component) out.unit = unit;
  }
  b.add_output(out);
}

}  // namespace

std::vector<ElementType> beam_outputs() {
  const Field beam = {.key = "", .type = FieldType::body, .doc = "The beam or cable."};
  const Field at = {.key = "at",
                    .type = FieldType::point,
                    .unit = "m",
                    .doc = "Position of the cross-section at t = 0.",
                    .fallback = "its start"};
  std::vector<Field> vector = vector_fields();
  vector[1].fallback = "the cross-section: x along the beam, y its height, z its width; inertial axes for a cable in space";
  vector.insert(vector.begin(), at);
  return {
      {{"section_force",
        "Force that the part of a beam beyond a cross-section exerts on the part before it: x is the normal force.", beam,
        vector},
       build_section_force,
       "{section_force: beam, component: x}"},
      {{"section_moment", "Moment of the same: x is the torque, y and z are bending moments.", beam, vector},
       build_moment,
       "{section_moment: beam}"},
      {{"strain",
        "Strains of a beam at a cross-section, relative to its initial shape: of the axis, its change along height and width per "
        "metre "
        "(bending), shear angles and twist per metre. The shear angle is that of the element (see theory).",
        beam,
        {at,
         {.key = "component",
          .type = FieldType::word,
          .doc = "One of them.",
          .fallback = "all",
          .words = {"axial", "bending_y", "bending_z", "shear_y", "shear_z", "twist"}}}},
       build_strain,
       "{strain: beam, component: axial}"}};
}

}  // namespace aleator::core
