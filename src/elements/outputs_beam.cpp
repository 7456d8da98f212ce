// Outputs at a cross-section of a beam: strains, and the force and moment it carries.
#include "elements/outputs_beam.hpp"

#include "elements/observe.hpp"

namespace aleator::core {

using input::Field;
using input::FieldType;
using input::InputError;
using input::Item;
using input::Value;

namespace {

// index: group, element (and of a strain: which)
template <class T>
SectionState<T> section_of(const Output& o, const Observation<T>& s) {
  SectionState<T> state;
  const Group& g = s.groups[o.index[0]];
  g.kernel->functions<T>().section(g, o.index[1], o.place, *s.evaluation, s.acceleration, state);
  return state;
}
struct SectionForce {
  template <class T>
  static void observe(const Output& o, const Observation<T>& s, T* out) {
    put_vector(o, s, section_of(o, s).force, out);
  }
};
struct SectionMoment {
  template <class T>
  static void observe(const Output& o, const Observation<T>& s, T* out) {
    put_vector(o, s, section_of(o, s).moment, out);
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

// In the axes of the cross-section: x along the beam, y along the height, z along the width.
template <class F>
void build_section(const Item& item, Builder& b, const char* unit) {
  Output out = new_output<F>(item, unit);
  const Vec3<double> point = set_place(item, b, out);
  b.vector_output(item, out);
  const int body = b.body(item.subject.word);
  // A cable in space has no axes of its own: its forces are given in inertial ones.
  if (!item.find("in") && b.has_axes(b.marker(body, point))) out.frame = b.axes_marker(body, point, item.at);
  b.add_output(out);
}
void build_force(const Item& i, Builder& b) { build_section<SectionForce>(i, b, "N"); }
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
       build_force,
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
