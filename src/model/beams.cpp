#include "model/beams.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>

#include "elements/beam_kernels.hpp"
#include "input/limits.hpp"
#include "model/centreline.hpp"
#include "model/drawn_beam.hpp"

namespace aleator::core {

namespace limits = input::limits;
using input::InputError;
using input::Item;
using input::Value;

namespace {

// --- reading ------------------------------------------------------------------------------------------------------------------

struct Material {
  double young, poisson, density;
};

// E, ν, ρ at room temperature; handbook values, rounded.
const std::pair<std::string_view, Material> known_materials[] = {{"steel", {210e9, 0.3, 7850}},
                                                                 {"aluminium", {70e9, 0.33, 2700}},
                                                                 {"titanium", {114e9, 0.33, 4430}},
                                                                 {"copper", {120e9, 0.34, 8960}}};

// What is said about a beam, as numbers.
struct BeamReader {
  const input::Description& description;
  const Item& item;
  std::span<const Override> overrides;
  const Builder& b;

  const Override* find_override(std::string_view property) const {
    for (const Override& o : overrides)
      if (o.name.size() == item.name.size() + 1 + property.size() && o.name.starts_with(item.name + ".") &&
          o.name.ends_with(property))
        return &o;
    return nullptr;
  }

  void refuse_other_overrides() const {
    for (const Override& o : overrides) {
      if (!o.name.starts_with(item.name + ".")) continue;
      const std::string what = o.name.substr(item.name.size() + 1);
      if (std::find(std::begin(beam_properties), std::end(beam_properties), what) == std::end(beam_properties))
        throw InputError({}, fmt::format("'{}': E, nu, density and height of a beam can be set", o.name));
    }
  }

  // The nominal value of E, nu or density: given here, or by the material.
  double material_value(std::string_view key, double Material::*member) const {
    if (const Value* v = item.find(key)) return b.number(v->number);
    const Value* name = item.find("material");
    if (!name)
      throw InputError(item.at,
                       fmt::format("'{}' is missing; give it, or a 'material' that has it (as in material: steel)", key));
    std::vector<std::string> known;
    for (const Item& m : description.section("materials")) {
      if (m.name == name->word) {
        if (const Value* v = m.find(key)) return b.number(v->number);
        throw InputError(name->at, fmt::format("material '{}' has no '{}'", name->word, key));
      }
      known.push_back(m.name);
    }
    for (const auto& [n, m] : known_materials) {
      if (n == name->word) return m.*member;
      known.emplace_back(n);
    }
    throw InputError(name->at, fmt::format("unknown material '{}'{}", name->word, input::suggestion(name->word, known)));
  }

  // A property at all stations, checked: one number, or a table along the beam; or what it is replaced by.
  std::vector<double> along(std::string_view key, const std::function<double()>& nominal, int elements, double length,
                            double lower, double upper) const {
    const int stations = ancf::points * elements;
    const Value* tables = item.find("along");
    const Value* table = tables ? tables->items[0].find(key) : nullptr;
    std::vector<double> values(stations);
    for (int i = 0; i < stations; ++i) {
      const int element = i / ancf::points;
      const double s = (element + ancf::gauss_xi[i % ancf::points]) * length / elements;
      values[i] = table ? interpolated(*table, s) : i == 0 ? nominal() : values[0];
    }
    if (const Override* o = find_override(key)) {
      if (!o->along.empty() && int(o->along.size()) != stations)
        throw std::logic_error("a field along a beam must have a value at each station");
      values = o->along.empty() ? std::vector<double>(stations, o->value) : o->along;
    }
    for (const double x : values)
      if (!(x > lower && x < upper)) {
        const Value* v = table ? table : item.find(key);
        throw InputError(v ? v->at : item.at,
                         fmt::format("'{}' must {}, found {:g}", key,
                                     upper > 1e300 ? "be positive" : fmt::format("lie between {:g} and {:g}", lower, upper), x));
      }
    return values;
  }

  // Linear between the points of a table, constant beyond.
  double interpolated(const Value& table, double x) const {
    const std::vector<double> xy = b.numbers(table);
    size_t i = 2;
    while (i + 2 < xy.size() && x > xy[i]) i += 2;
    if (xy.size() < 4) return xy.at(1);
    const double part = std::clamp((x - xy[i - 2]) / (xy[i] - xy[i - 2]), 0.0, 1.0);
    return xy[i - 1] + part * (xy[i + 1] - xy[i - 1]);
  }

  double nominal_height() const {
    const Item& s = item.find("section")->items[0];
    if (s.kind == "rectangle") return b.number(s, "height", 0);
    if (s.kind == "values") return 0;
    return 2 * b.number(s, "radius", 0);
  }

  // The section, its height scaled.
  BeamSection section(double factor) const {
    const Value& value = *item.find("section");
    const Item& s = value.items[0];
    if (s.kind == "rectangle") return rectangle_section(factor * b.number(s, "height", 0), b.number(s, "width", 0));
    if (s.kind == "circle") return circle_section(factor * b.number(s, "radius", 0));
    if (s.kind == "tube") {
      const double outer = b.number(s, "radius", 0), inner = b.number(s, "inner_radius", 0);
      if (!(inner < outer))
        throw InputError(value.at, fmt::format("'section.tube': the inner radius must be smaller than the outer, {:g}", outer));
      return tube_section(factor * outer, factor * inner);
    }
    const double first = b.number(s, "second_moment", 0), second = b.number(s, "second_moment_across", first);
    const double k = b.number(s, "shear_factor", 5.0 / 6);
    return general_section(b.number(s, "area", 0), first, second, b.number(s, "torsion", first + second), k, k);
  }

  // As it is drawn in the frames of the nodes: height along y, width along z.
  DrawnShape drawn_section() const {
    const Item& s = item.find("section")->items[0];
    const auto size = [&](std::string_view key) { return b.number(s, key, 0); };
    if (s.kind == "rectangle") return {"rectangle-section", {size("height"), size("width")}, {}, Mat3<double>::identity()};
    if (s.kind == "circle") return {"circle-section", {size("radius")}, {}, Mat3<double>::identity()};
    if (s.kind == "tube") return {"tube-section", {size("radius"), size("inner_radius")}, {}, Mat3<double>::identity()};
    const BeamSection whole = section(1);
    return {"rectangle-section",
            {std::sqrt(12 * whole.second[0] / whole.area), std::sqrt(12 * whole.second[1] / whole.area)},
            {},
            Mat3<double>::identity()};
  }

  std::vector<ancf::Station> stations(int elements, double length, std::vector<double>& height) const {
    const auto material = [&](std::string_view key, double Material::*member, double lower, double upper) {
      return along(
          key, [&] { return material_value(key, member); }, elements, length, lower, upper);
    };
    const std::vector<double> E = material("E", &Material::young, 0, HUGE_VAL), nu = material("nu", &Material::poisson, -1, 0.5),
                              density = material("density", &Material::density, 0, HUGE_VAL);
    const double nominal = nominal_height();
    const Value* tables = item.find("along");
    if (nominal == 0 && (find_override("height") || (tables && tables->items[0].find("height"))))
      throw InputError(item.find("section")->at, "a section given by its values has no 'height' that could vary");
    height = along(
        "height", [&] { return nominal == 0 ? 1 : nominal; }, elements, length, 0, HUGE_VAL);
    std::vector<ancf::Station> out;
    for (size_t i = 0; i < E.size(); ++i)
      out.push_back({section(nominal == 0 ? 1 : height[i] / nominal), E[i], nu[i], density[i]});
    return out;
  }

  Centreline centreline() const {
    std::vector<Vec3<double>> points;
    for (size_t i = 0; i + 2 < item.subject.numbers.size(); i += 3) {
      points.push_back(b.vector(item.subject, int(i)));
      if (const int n = b.normal(); n >= 0 && points.back()[n] != 0)
        throw InputError(item.subject.at, "in a planar model a beam lies in the plane");
    }
    const Value* curve = item.find("curve");
    try {
      return {std::move(points), curve && curve->word == "arc" ? Centreline::Kind::arc : Centreline::Kind::spline};
    } catch (const std::invalid_argument& e) {
      throw InputError(item.subject.at, e.what());
    }
  }
};

// --- geometry -----------------------------------------------------------------------------------------------------------------

// Directions of height and width across a tangent.
void set_directors(const Vec3<double>& up, input::Position at, std::array<Vec3<double>, 4>& node, int normal) {
  const Vec3<double>& t = node[1];
  if (normal >= 0) {
    node[3] = {};
    node[3][normal] = 1;
    node[2] = cross(node[3], t);
    return;
  }
  const Vec3<double> across = up - dot(up, t) * t;
  if (!(norm(across) > 1e-6))
    throw InputError(at,
                     "'height_along' is the direction of the beam itself somewhere; the height of the section lies across it");
  node[2] = (1 / norm(across)) * across;
  node[3] = cross(t, node[2]);
}

// The first of z, x and y that the beam never runs along.
Vec3<double> default_height(const Centreline& line, int elements) {
  for (const Vec3<double>& up : {Vec3<double>{0, 0, 1}, Vec3<double>{1, 0, 0}, Vec3<double>{0, 1, 0}}) {
    double closest = 0;
    for (int i = 0; i <= elements; ++i)
      closest = std::max(closest, std::abs(dot(up, line.at(line.length() * i / elements).tangent)));
    if (closest < 0.999) return up;
  }
  return {0, 0, 1};
}

DrawnBeam draw(const BeamReader& r, const Centreline& line, int elements) {
  DrawnBeam beam;
  beam.cable = r.item.kind == "cable";
  beam.normal = r.b.normal();
  beam.straight = line.straight();
  beam.element_length = line.length() / elements;
  const Value* given = r.item.find("height_along");
  if (given && beam.normal >= 0) throw InputError(given->at, "'height_along' has no meaning in a planar model");
  const Vec3<double> up = given ? r.b.direction(*given) : default_height(line, elements);
  for (int i = 0; i <= elements; ++i) {
    const LinePoint p = line.at(i * beam.element_length);
    std::array<Vec3<double>, 4> node = {p.place, p.tangent, {}, {}};
    if (!beam.cable || beam.normal >= 0) set_directors(up, given ? given->at : r.item.at, node, beam.normal);
    beam.nodes.push_back(node);
  }
  const BeamSection s = r.section(1);
  beam.reach = std::sqrt(12 * (s.second[0] + s.second[1]) / s.area);
  return beam;
}

// --- elements -----------------------------------------------------------------------------------------------------------------

template <class E>
void fill_reference(const DrawnBeam& beam, int element, Vec<double, E::dimension> (&out)[E::vectors]) {
  for (int k = 0; k < E::vectors; ++k)
    for (int j = 0; j < E::dimension; ++j) {
      Vec3<double> v = beam.nodes[element + k / E::node_vectors][k % E::node_vectors];
      // of a straight one from the first node on: no round-off of where it is
      if (beam.straight && k % E::node_vectors == 0) v = (k == 0 ? 0 : beam.element_length) * beam.nodes[element][1];
      out[k][j] = E::dimension == 3 ? v[j] : v[(beam.normal + 1 + j) % 3];
    }
}

struct Damping {
  double mass, stiffness;
};

// An element as the builder takes it.
template <class E>
struct Element {
  using Topology = BeamElementTopology;
  template <class T>
  using Parameters = typename E::template Parameters<T>;
};

template <class E>
Builder::Place add_beam_element(const Kernel& kernel, const DrawnBeam& beam, int element, const BeamElementTopology& t,
                                ancf::Elasticity elasticity, const ancf::Station (&stations)[ancf::points],
                                const Damping& damping, Builder& b) {
  Vec<double, E::dimension> reference[E::vectors];
  fill_reference<E>(beam, element, reference);
  return b.add<Element<E>>(kernel, t,
                           E::parameters(elasticity, beam.element_length, stations, reference, damping.mass, damping.stiffness));
}

template <class E>
Builder::Place add_cable_element(const Kernel& kernel, const DrawnBeam& beam, const BeamElementTopology& t,
                                 const ancf::Station (&stations)[ancf::points], const Damping& damping, Builder& b) {
  return b.add<Element<E>>(kernel, t, E::parameters(beam.element_length, stations, damping.mass, damping.stiffness));
}

void add_elements(const BeamReader& r, const DrawnBeam& beam, const std::vector<ancf::Station>& stations, int body, Builder& b) {
  const Value* word = r.item.find("elasticity");
  const auto elasticity = word && word->word == "continuum" ? ancf::Elasticity::continuum : ancf::Elasticity::enhanced;
  Damping damping{0, 0};
  if (const Value* v = r.item.find("damping"))
    damping = {b.number(v->items[0], "mass", 0), b.number(v->items[0], "stiffness", 0)};
  const int per_node = beam.cable ? 1 : 2, first = b.topology().first_carrier[body];
  Builder::Place place{};
  for (int e = 0; e < beam.elements(); ++e) {
    BeamElementTopology t{{}, beam.normal, r.item.find("damping") ? 1 : 0};
    for (int c = 0; c < 2 * per_node; ++c) t.carrier[c] = first + per_node * e + c;
    ancf::Station at[ancf::points];
    std::copy_n(stations.begin() + ancf::points * e, ancf::points, at);
    Builder::Place added{};
    if (beam.cable)
      added = beam.normal >= 0 ? add_cable_element<AncfCable<2>>(planar_cable_kernel, beam, t, at, damping, b)
                               : add_cable_element<AncfCable<3>>(spatial_cable_kernel, beam, t, at, damping, b);
    else
      added = beam.normal >= 0 ? add_beam_element<PlanarBeam>(planar_beam_kernel, beam, e, t, elasticity, at, damping, b)
                               : add_beam_element<SpatialBeam>(spatial_beam_kernel, beam, e, t, elasticity, at, damping, b);
    if (e == 0) place = added;
  }
  b.add_beam_record({body, place.group, place.element, beam.elements()});
}

// --- rigid properties ---------------------------------------------------------------------------------------------------------

BodyProperties rigid_properties(const DrawnBeam& beam, const Centreline& line, const std::vector<ancf::Station>& stations) {
  BodyProperties p;
  constexpr int steps = 200;
  for (int i = 0; i <= steps; ++i) p.axis.push_back(line.at(line.length() * i / steps).place);
  for (const ancf::Station& s : stations) p.E.push_back(s.young), p.nu.push_back(s.poisson), p.density.push_back(s.density);
  p.origin = beam.nodes[0][0];
  p.orientation = Mat3<double>::identity();
  p.length = beam.element_length * beam.elements();
  std::vector<double> mass;
  for (size_t i = 0; i < stations.size(); ++i) {
    const int e = int(i) / ancf::points, g = int(i) % ancf::points;
    p.stations.push_back(beam.axis(e, ancf::gauss_xi[g]));
    mass.push_back(ancf::gauss_weight[g] * beam.element_length * stations[i].density * stations[i].section.area);
    p.mass += mass.back();
    p.center_of_mass += mass.back() * p.stations.back();
  }
  p.center_of_mass = (1 / p.mass) * p.center_of_mass;
  Mat3<double> Z;
  for (size_t i = 0; i < stations.size(); ++i) {
    const int e = int(i) / ancf::points, g = int(i) % ancf::points;
    const Vec3<double> d = p.stations[i] - p.center_of_mass;
    Z += mass[i] * outer(d, d);
    if (beam.cable) continue;
    for (int k = 0; k < 2; ++k) {
      const Vec3<double> director = beam.director(e, ancf::gauss_xi[g], 2 + k);
      Z += (mass[i] * stations[i].section.second[k] / stations[i].section.area) * outer(director, director);
    }
  }
  p.inertia = trace(Z) * Mat3<double>::identity() - Z;
  return p;
}

void add_nodes(const DrawnBeam& beam, const BodyProperties& p, int body, Builder& b) {
  for (const auto& node : beam.nodes) {
    std::array<Vec3<double>, 4> rate;
    for (int k = 0; k < 4; ++k) rate[k] = cross(p.angular_velocity, k == 0 ? node[0] - p.center_of_mass : node[k]);
    rate[0] += p.velocity;
    b.add_carrier(body, std::span(node).first(2), std::span(rate).first(2), true, false);
    if (!beam.cable)
      b.add_carrier(body, std::span(node).subspan(2, beam.normal >= 0 ? 1 : 2),
                    std::span(rate).subspan(2, beam.normal >= 0 ? 1 : 2), false, true);
  }
}

}  // namespace

const std::vector<double>& BodyProperties::profile(std::string_view property) const {
  return property == "E" ? E : property == "nu" ? nu : property == "density" ? density : height;
}

std::vector<Vec3<double>> BodyProperties::axis_points(int count) const {
  std::vector<Vec3<double>> out;
  for (int i = 0; i < count; ++i) {
    const double s = double(i) / (count - 1) * double(axis.size() - 1);
    const size_t k = std::min(size_t(s), axis.size() - 2);
    out.push_back(axis[k] + (s - double(k)) * (axis[k + 1] - axis[k]));
  }
  return out;
}

BodyProperties add_beam(const input::Description& d, const Item& item, int body, std::span<const Override> overrides,
                        Builder& b) {
  const BeamReader r{d, item, overrides, b};
  r.refuse_other_overrides();
  const Value* count = item.find("elements");
  const long elements = count ? b.whole(count->number, "'elements'") : 4;
  if (elements > limits::beam_elements)
    throw InputError(count->at, fmt::format("'elements' must be at most {}, found {}", limits::beam_elements, elements));
  long all = elements;
  for (const BeamRecord& other : b.topology().beams) all += other.elements;
  if (all > limits::all_beam_elements)
    throw input::LastError(
        count ? count->at : item.at,
        fmt::format("the beams of a model have at most {} elements together, with this one {}", limits::all_beam_elements, all));
  const Centreline line = r.centreline();
  const DrawnBeam beam = draw(r, line, int(elements));
  std::vector<double> heights;
  const std::vector<ancf::Station> stations = r.stations(beam.elements(), line.length(), heights);
  BodyProperties p = rigid_properties(beam, line, stations);
  if (r.nominal_height() > 0) p.height = std::move(heights);
  p.shapes.push_back(r.drawn_section());
  read_motion(item, b, p);
  add_nodes(beam, p, body, b);
  add_elements(r, beam, stations, body, b);
  const int first = b.topology().first_carrier[body];
  b.set_markers(body, [beam, first, name = item.name](const Vec3<double>& point) {
    return nodal_place(beam, find_on(beam, point, name), first);
  });
  b.set_sections(body, [beam, name = item.name](const Vec3<double>& point) {
    const PlaceOnBeam at = find_on(beam, point, name);
    return Builder::SectionPlace{at.element, at.xi};
  });
  return p;
}

}  // namespace aleator::core
