// Forces between two bodies: spring-damper between points, torsion spring-damper, bushing.
#include "elements/forces_between.hpp"

#include <fmt/format.h>

#include "elements/bushing.hpp"
#include "elements/coordinate_force.hpp"
#include "elements/hysteresis.hpp"

namespace aleator::core {

using input::Bound;
using input::Field;
using input::FieldType;
using input::InputError;
using input::Item;
using input::Value;

namespace {

const Field bodies = {.key = "", .type = FieldType::body_pair, .doc = "First and second body."};

// stiffness, damping, preload, one_sided and the tabulated characteristics: the same for springs along and about.
void build_law(const Item& item, const Coordinate& c, double rest, Builder& b) {
  CoordinateForce::Topology t{};
  CoordinateForce::Parameters<double> p{};
  t.coordinate = c;
  t.signal = -1;
  if (const Value* side = item.find("one_sided"))
    t.side = side->word == "tension" ? CoordinateForce::tension : CoordinateForce::compression;
  const HingeTable spring = hinge_table(item.find("characteristic"), b),
                   damper = hinge_table(item.find("damping_characteristic"), b);
  t.spring_table = spring.offset, t.spring_size = spring.hinges;
  t.damper_table = damper.offset, t.damper_size = damper.hinges;
  p.stiffness = b.number(item, "stiffness", 0);
  p.damping = b.number(item, "damping", 0);
  p.preload = b.number(item, "preload", 0);
  p.rest = rest;
  p.friction_velocity = 1;
  p.lower = -1e300, p.upper = 1e300;
  const Builder::Place place = b.add<CoordinateForce>(coordinate_force_kernel, t, p);
  b.add_force({item.name, item.kind, place.group, place.element, c, true});
}

void build_spring_damper(const Item& item, Builder& b) {
  const Value& points = *item.find("points");
  const Vec3<double> pa = b.vector(points, 0), pb = b.vector(points, 3);
  const int a = b.marker(b.body(item.subject.words[0]), pa), m = b.marker(b.body(item.subject.words[1]), pb);
  const double drawn = norm(pb - pa);
  if (!(drawn > 0))
    throw InputError(
        points.at,
        fmt::format("force '{}': the two points of the spring coincide, so it has no direction; use a bushing", item.name));
  build_law(item, {Coordinate::distance, a, m, 0, {}, {}, -1}, b.number(item, "length", drawn), b);
}

void build_torsion_spring(const Item& item, Builder& b) {
  const int normal = b.normal();
  Vec3<double> axis;
  const Value* given = item.find("axis");
  if (given)
    axis = b.direction(*given);
  else if (normal >= 0)
    axis[normal] = 1;
  else
    throw InputError(item.at, fmt::format("force '{}': 'axis' is missing (x, y, z or a vector)", item.name));
  Vec3<double> helper;
  helper[std::abs(axis.x) < 0.6 ? 0 : 1] = 1;
  Vec3<double> x = cross(helper, axis);
  x = (1 / norm(x)) * x;
  const Mat3<double> axes = transpose(Mat3<double>{{x, cross(axis, x), axis}});
  const int first = b.body(item.subject.words[0]), second = b.body(item.subject.words[1]);
  const Value* at = item.find("at");
  const auto on_beam = [&](int body) { return b.sections(body) != nullptr; };
  Coordinate c{Coordinate::angle,
               b.marker(first, at && on_beam(first) ? b.vector(*at) : b.body_origin(first), axes),
               b.marker(second, at && on_beam(second) ? b.vector(*at) : b.body_origin(second), axes),
               0,
               {1, 0},
               {0, 0},
               -1};
  for (const int m : {c.a, c.b}) b.require_axes(m, item.at);
  c.turn = b.turn(c);
  build_law(item, c, b.number(item, "angle", 0), b);
}

Vec3<double> three(const Item& item, std::string_view key, Builder& b) {
  const Value* v = item.find(key);
  if (!v) return {};
  const Vec3<double> d = b.vector(*v);
  for (int i = 0; i < 3; ++i)
    if (d[i] < 0)
      throw InputError(v->at, fmt::format("force '{}': '{}' must not be negative, but one entry is {:g}", item.name, key, d[i]));
  return d;
}

// Along axes of the first body: their elements, as group, element, …
std::vector<int> hysteresis_of_bushing(const Item& item, const Bushing::Topology& t, Builder& b) {
  std::vector<int> elements;
  const Value* field = item.find("hysteresis");
  if (!field) return elements;
  const std::string owner = fmt::format("force '{}'", item.name);
  for (const auto& [direction, v] : field->by_direction) {
    if (direction != "x" && direction != "y" && direction != "z")
      throw InputError(v.at,
                       fmt::format("{}: 'hysteresis' must name axes of the bushing, as in {{x: …, y: …}} (x, y, z)", owner));
    const Coordinate c{Coordinate::translation, t.a, t.b, direction[0] - 'x', {}, {}, -1};
    const int first = b.body(item.subject.words[0]), second = b.body(item.subject.words[1]);
    const std::string name = field->by_direction.size() == 1 ? "" : direction;
    const Builder::Place place = add_hysteresis(bouc_wen_of(v.items.at(0), owner, b), {item.name, name, first, second, c}, b);
    elements.insert(elements.end(), {place.group, place.element});
  }
  return elements;
}

void build_bushing(const Item& item, Builder& b) {
  const int first = b.body(item.subject.words[0]), second = b.body(item.subject.words[1]);
  const Vec3<double> at = b.vector(*item.find("at"));
  const Value* o = item.find("orientation");
  const Mat3<double> axes = o ? b.rotation(*o) : Mat3<double>::identity();
  const Bushing::Topology t = {b.marker(first, at, axes), b.marker(second, at, axes)};
  b.require_axes(t.a, item.at);
  if (item.find("rotational_stiffness") || item.find("rotational_damping")) b.require_axes(t.b, item.at);
  const Builder::Place place = b.add<Bushing>(bushing_kernel, t,
                                              {three(item, "stiffness", b), three(item, "damping", b),
                                               three(item, "rotational_stiffness", b), three(item, "rotational_damping", b)});
  b.add_force({item.name, item.kind, place.group, place.element, {}, false, hysteresis_of_bushing(item, t, b)});
}

}  // namespace

std::vector<ElementType> forces_between() {
  const Field stiffness = {.key = "stiffness", .unit = "N/m", .doc = "Stiffness.", .fallback = "0", .bound = Bound::not_negative};
  const Field damping = {
      .key = "damping", .unit = "N s/m", .doc = "Viscous damping.", .fallback = "0", .bound = Bound::not_negative};
  const Field preload = {.key = "preload", .unit = "N", .doc = "Tension at the rest length.", .fallback = "0"};
  const Field one_sided = {.key = "one_sided",
                           .type = FieldType::word,
                           .doc = "Acts only when longer (tension) or shorter (compression) than at rest.",
                           .fallback = "both",
                           .words = {"tension", "compression"}};
  const Field spring_table = {.key = "characteristic",
                              .type = FieldType::table,
                              .unit = "m → N",
                              .doc = "Tension against elongation, piecewise linear, in addition to the stiffness."};
  const Field damper_table = {.key = "damping_characteristic",
                              .type = FieldType::table,
                              .unit = "m/s → N",
                              .doc = "Tension against rate of elongation, piecewise linear, in addition to the damping."};
  const auto torsional = [](Field f, std::string_view unit, std::string_view doc) {
    f.unit = unit, f.doc = doc;
    return f;
  };
  const Field three_stiffness = {
      .key = "stiffness", .type = FieldType::vector, .unit = "N/m", .doc = "Stiffness along the three axes.", .fallback = "0"};
  return {
      {{"spring_damper",
        "Spring and damper between two points.",
        bodies,
        {{.key = "points",
          .type = FieldType::point_pair,
          .unit = "m",
          .doc = "The point on the first body and the one on the second.",
          .required = true},
         stiffness,
         damping,
         {.key = "length",
          .unit = "m",
          .doc = "Length at rest.",
          .fallback = "the distance as drawn",
          .bound = Bound::not_negative},
         preload,
         one_sided,
         spring_table,
         damper_table}},
       build_spring_damper,
       "{spring_damper: [a, b], points: [[0.1, 0.2, 0.3], [0.5, -0.3, 0.7]], stiffness: 300, damping: 4, length: 0.5, preload: "
       "2}"},
      {{"torsion_spring",
        "Torsion spring and damper about an axis of the first body. Its angle is that of a line of the second body, normal to "
        "the axis "
        "as drawn, seen along the axis. It is meant for bodies that keep the axis in common: if the second body tilts by θ "
        "against it, "
        "the angle depends on where it tilts to, by up to θ²/4; use a `bushing` then.",
        bodies,
        {{.key = "axis",
          .type = FieldType::direction,
          .doc = "The axis, fixed to the first body.",
          .fallback = "the normal in a planar model"},
         {.key = "at",
          .type = FieldType::point,
          .unit = "m",
          .doc = "For beams: the cross-section it acts on.",
          .fallback = "the start of the beam"},
         torsional(stiffness, "N m/rad", "Torsional stiffness."),
         torsional(damping, "N m s/rad", "Torsional damping."),
         {.key = "angle",
          .unit = "rad",
          .doc = "Angle of the second body relative to the first, measured from the drawing, at rest.",
          .fallback = "0"},
         torsional(preload, "N m", "Torque at rest."),
         one_sided,
         torsional(spring_table, "rad → N m", "Torque against angle, piecewise linear, in addition to the stiffness."),
         torsional(damper_table, "rad/s → N m",
                   "Torque against angular velocity, piecewise linear, in addition to the damping.")}},
       build_torsion_spring,
       "{torsion_spring: [a, b], axis: [0.3, -0.2, 0.9], stiffness: 50, damping: 0.4, angle: 0.2}"},
      {{"bushing",
        "Six-dimensional spring-damper at a point, along and about axes fixed to the first body.",
        bodies,
        {{.key = "at", .type = FieldType::point, .unit = "m", .doc = "Position of the bushing.", .required = true},
         {.key = "orientation", .type = FieldType::orientation, .doc = "Its axes.", .fallback = "inertial axes"},
         three_stiffness,
         {.key = "damping", .type = FieldType::vector, .unit = "N s/m", .doc = "Damping along the three axes.", .fallback = "0"},
         {.key = "rotational_stiffness",
          .type = FieldType::vector,
          .unit = "N m/rad",
          .doc = "Stiffness about the three axes, applied to the rotation vector.",
          .fallback = "0"},
         {.key = "rotational_damping",
          .type = FieldType::vector,
          .unit = "N m s/rad",
          .doc = "Damping about the three axes, applied to the relative angular velocity.",
          .fallback = "0"},
         {.key = "hysteresis",
          .type = FieldType::group,
          .doc = "Bouc–Wen hysteresis along its axes, each by itself and in addition to the stiffness: α k x + (1 − α) k z.",
          .fields = hysteresis_fields(),
          .per_direction = true}}},
       build_bushing,
       "{bushing: [a, b], at: [0.1, 0.2, 0.3], stiffness: [900, 800, 300], damping: [3, 2, 1], rotational_stiffness: [30, 50, "
       "20], rotational_damping: [0.3, 0.2, 0.1]}"},
  };
}

}  // namespace aleator::core
