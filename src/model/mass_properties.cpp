#include "model/mass_properties.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "model/mass_changes.hpp"
#include "model/shapes.hpp"
#include "numerics/dense.hpp"

namespace aleator::core {

using input::InputError;
using input::Item;
using input::Value;

namespace {

Mat3<double> inertia_of(double mass, const Mat3<double>& Z) {  // J = m (tr Z I − Z)
  return mass * (trace(Z) * Mat3<double>::identity() - Z);
}

// Several shapes: masses add, second moments are shifted to the common centre.
void from_shapes(const Item& item, const std::vector<const Item*>& shapes, const Builder& b, BodyProperties& p) {
  const Value* body_mass = item.find("mass");
  const Value* body_density = item.find("density");
  if (body_mass && body_density)
    throw InputError(body_density->at, fmt::format("body '{}': give either 'mass' or 'density', not both", item.name));
  if (body_mass && item.find("center_of_mass") && item.find("inertia")) {  // the shapes are drawn, and nothing else
    for (const Item* s : shapes) p.shapes.push_back(shape_properties(*s, b, p.origin, p.orientation).drawn);
    p.mass = b.number(body_mass->number);
    return;
  }
  std::vector<ShapeProperties> parts;
  std::vector<double> masses;
  double total = 0;
  for (const Item* s : shapes) {
    parts.push_back(shape_properties(*s, b, p.origin, p.orientation));
    if (const std::string& why = parts.back().defect; !why.empty())
      throw InputError(s->subject.at,
                       fmt::format("body '{}': the mesh '{}' has no mass of its own, for {}; close it, or give 'mass', "
                                   "'center_of_mass' and 'inertia' of the body",
                                   item.name, s->subject.word, why));
    const Value* m = s->find("mass");
    const Value* d = s->find("density");
    if (m && d)
      throw InputError(d->at, fmt::format("body '{}': give either 'mass' or 'density' of a shape, not both", item.name));
    double mass;
    if (m)
      mass = b.number(m->number);
    else if (d || body_density)
      mass = b.number((d ? d : body_density)->number) * parts.back().volume;
    else if (body_mass)
      mass = parts.back().volume;  // shares of the mass, by volume
    else
      throw InputError(item.at, fmt::format("body '{}': 'mass' or 'density' is missing", item.name));
    masses.push_back(mass);
    total += mass;
  }
  const double scale = body_mass ? b.number(body_mass->number) / total : 1;
  for (size_t i = 0; i < parts.size(); ++i) {
    p.center_of_mass += (masses[i] / total) * parts[i].center;
    p.shapes.push_back(parts[i].drawn);
  }
  Mat3<double> Z;
  for (size_t i = 0; i < parts.size(); ++i) {
    const Vec3<double> d = parts[i].center - p.center_of_mass;
    Z += (masses[i] / total) * (parts[i].second_moment + outer(d, d));
  }
  p.mass = scale * total;
  p.inertia = inertia_of(p.mass, Z);
}

// J of a mass m at a distance d from the centre:  m (d·d I − d dᵀ)
Mat3<double> inertia_of_point(double mass, const Vec3<double>& d) {
  return mass * (dot(d, d) * Mat3<double>::identity() - outer(d, d));
}

// Point masses move the centre of mass, and count in the inertia about the new one.
void add_point_masses(const Item& item, const Builder& b, BodyProperties& p) {
  const Value* points = item.find("point_masses");
  if (!points) return;
  double total = p.mass;
  Vec3<double> moment = p.mass * p.center_of_mass;
  for (const input::Entry& e : points->by_direction) {
    const double m = b.number(e.value.items[0].find("mass")->number);
    total += m;
    moment += m * b.vector(*e.value.items[0].find("at"));
  }
  const Vec3<double> center = (1 / total) * moment;
  p.inertia += inertia_of_point(p.mass, p.center_of_mass - center);
  for (const input::Entry& e : points->by_direction)
    p.inertia +=
        inertia_of_point(b.number(e.value.items[0].find("mass")->number), b.vector(*e.value.items[0].find("at")) - center);
  p.mass = total;
  p.center_of_mass = center;
}

// J belongs to a real body exactly when Z = (½ tr J I − J)/m has no negative eigenvalue: no principal moment exceeds the sum
// of the other two. (In the plane there is one moment, which must not be negative.) Of an impossible one: what to say.
std::string impossible(const BodyProperties& p, const std::string& name, int normal) {
  if (normal >= 0) {
    if (!(p.inertia[normal][normal] < 0)) return {};
    return fmt::format("body '{}': the moment of inertia must not be negative, found {:g}", name, p.inertia[normal][normal]);
  }
  if (surely_possible(p.inertia)) return {};
  Eigen::Matrix3d J;
  for (int i = 0; i < 9; ++i) J(i / 3, i % 3) = p.inertia[i / 3][i % 3];
  const Eigen::Vector3d e = dense::symmetric_eigen3(J).values;
  const double round_off = 1e-9 * std::abs(e[2]);
  if (!(e[0] < -round_off || e[0] + e[1] < e[2] - round_off)) return {};
  return fmt::format(
      "body '{}': no physical body has this inertia: its principal moments are {:.6g}, {:.6g} and "
      "{:.6g}, and the largest exceeds the "
      "sum of the other two (or one is negative)",
      name, e[0], e[1], e[2]);
}

bool apply(std::span<const MassChange> changes, std::span<const double> values, BodyProperties& p) {
  MassProperties<double> m{p.mass, p.center_of_mass, p.inertia};
  const bool positive = apply(changes, values.data(), p.mass > 0, m);
  p.mass = m.mass, p.center_of_mass = m.center_of_mass, p.inertia = m.inertia;
  return positive;
}

// The motion at t = 0 is that of the body as drawn, wherever its centre of mass turns out to be.
void follow_center(const Vec3<double>& nominal_center, BodyProperties& p) {
  p.velocity += cross(p.angular_velocity, p.center_of_mass - nominal_center);
}

void replace_masses(const Item& item, int normal, std::span<const Override> overrides, BodyProperties& p) {
  const Vec3<double> nominal_center = p.center_of_mass;
  std::vector<double> values;
  for (const Override& o : overrides) values.push_back(o.value);
  const std::vector<MassChange> changes = mass_changes(overrides, item);
  for (const MassChange& c : changes)
    if (const Override& o = overrides[size_t(c.number)]; c.kind == MassChange::mass && !(o.value > 0))
      throw InputError({}, fmt::format("'{}' must be positive, not {:g}", o.name, o.value));
  apply(changes, values, p);
  if (const std::string why = impossible(p, item.name, normal); !why.empty())
    throw InputError(item.find("inertia") ? item.find("inertia")->at : item.at, why);
  follow_center(nominal_center, p);
}

}  // namespace

BodyProperties body_properties(const Item& item, const Builder& b, std::span<const Override> overrides) {
  BodyProperties p;
  const Value* at = item.find("at");
  const Value* com = item.find("center_of_mass");
  p.orientation = Mat3<double>::identity();
  if (const Value* o = item.find("orientation")) p.orientation = b.rotation(*o);
  p.origin = at ? b.vector(*at) : com ? b.vector(*com) : Vec3<double>{};

  std::vector<const Item*> shapes;
  if (const Value* s = item.find("shape")) shapes.push_back(&s->items[0]);
  if (const Value* s = item.find("shapes")) {
    if (!shapes.empty()) throw InputError(s->at, fmt::format("body '{}': give either 'shape' or 'shapes', not both", item.name));
    for (const Item& i : s->items) shapes.push_back(&i);
  }
  if (!shapes.empty()) {
    from_shapes(item, shapes, b, p);
  } else {
    const Value* m = item.find("mass");
    const bool massless = m && b.number(m->number) == 0;
    if (!m || (!item.find("inertia") && !massless))
      throw InputError(
          item.at, fmt::format("body '{}': without a shape it needs {}", item.name, m ? "'inertia'" : "'mass' and 'inertia'"));
    if (const Value* d = item.find("density"))
      throw InputError(d->at, fmt::format("body '{}': 'density' needs a shape", item.name));
    p.mass = b.number(m->number);
    p.center_of_mass = p.origin;
  }
  if (com) p.center_of_mass = b.vector(*com);
  if (const Value* J = item.find("inertia")) {
    const std::vector<double> n = b.numbers(*J);
    p.inertia = {{{n[0], n[3], n[4]}, {n[3], n[1], n[5]}, {n[4], n[5], n[2]}}};
    const Value* axes = item.find("inertia_axes");
    if (axes && axes->word == "body") p.inertia = p.orientation * (p.inertia * transpose(p.orientation));
  }
  if (!(p.mass >= 0))
    throw InputError(item.at, fmt::format("body '{}': the mass must not be negative, found {:g}", item.name, p.mass));
  if (p.mass == 0 && trace(p.inertia) > 0)
    throw InputError(
        item.find("inertia")->at,
        fmt::format("body '{}': without a mass it has no inertia; use 'armature' of its joint for a rotor", item.name));
  add_point_masses(item, b, p);

  read_motion(item, b, p);
  replace_masses(item, b.normal(), overrides, p);
  return p;
}

std::vector<MassChange> mass_changes(std::span<const Override> overrides, const Item& item) {
  static const char* const entries[] = {"xx", "yy", "zz", "xy", "xz", "yz"};
  static const int row[] = {0, 1, 2, 0, 0, 1}, column[] = {0, 1, 2, 1, 2, 2};
  std::vector<MassChange> out;
  for (size_t i = 0; i < overrides.size(); ++i) {
    const Override& o = overrides[i];
    if (!override_names(o.name, item)) continue;
    const std::string_view what = std::string_view(o.name).substr(item.name.size() + 1);
    if (what == "mass") {
      out.push_back({MassChange::mass, 0, 0, int(i)});
    } else if (what.size() == 16 && what.rfind("center_of_mass.", 0) == 0 && what[15] >= 'x' && what[15] <= 'z') {
      out.push_back({MassChange::center_of_mass, what[15] - 'x', 0, int(i)});
    } else if (what.rfind("inertia.", 0) == 0) {
      const auto e = std::find(std::begin(entries), std::end(entries), what.substr(8)) - std::begin(entries);
      if (e == std::ssize(entries))
        throw InputError({}, fmt::format("'{}': an inertia has the entries xx, yy, zz, xy, xz, yz", o.name));
      out.push_back({MassChange::inertia, row[e], column[e], int(i)});
    } else {
      throw InputError(
          {}, fmt::format("'{}': mass, center_of_mass.x|y|z and inertia.xx|yy|zz|xy|xz|yz of a body can be set", o.name));
    }
  }
  return out;
}

bool with_masses(const BodyProperties& nominal, int normal, std::span<const MassChange> changes, std::span<const double> values,
                 BodyProperties& p) {
  p.origin = nominal.origin, p.orientation = nominal.orientation;
  p.mass = nominal.mass, p.center_of_mass = nominal.center_of_mass, p.inertia = nominal.inertia;
  p.velocity = nominal.velocity, p.angular_velocity = nominal.angular_velocity;
  if (!apply(changes, values, p) || !impossible(p, "", normal).empty()) return false;
  follow_center(nominal.center_of_mass, p);
  return true;
}

void read_motion(const Item& item, const Builder& b, BodyProperties& p) {
  p.velocity = b.vector(item, "velocity", {});
  p.angular_velocity = b.vector(item, "angular_velocity", {});
  if (const int n = b.normal(); n >= 0) {
    for (int i = 0; i < 3; ++i)
      if (i != n && p.angular_velocity[i] != 0)
        throw InputError(item.find("angular_velocity")->at,
                         fmt::format("body '{}': in a planar model bodies rotate only about the normal", item.name));
    if (p.velocity[n] != 0)
      throw InputError(item.find("velocity")->at,
                       fmt::format("body '{}': in a planar model bodies move in the plane", item.name));
  }
}

}  // namespace aleator::core
