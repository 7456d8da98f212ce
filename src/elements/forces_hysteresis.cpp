// Bouc–Wen hysteresis between two points: along the line between them, or along an axis of the first body.
#include "elements/forces_hysteresis.hpp"

#include <fmt/format.h>

#include "elements/hysteresis.hpp"

namespace aleator::core {

using input::Bound;
using input::Field;
using input::FieldType;
using input::InputError;
using input::Item;
using input::Value;

namespace {

// Right-angled axes, the first along `x`.
Mat3<double> axes_along(const Vec3<double>& x) {
  Vec3<double> helper;
  helper[std::abs(x.x) < 0.6 ? 0 : 1] = 1;
  Vec3<double> y = cross(x, helper);
  y = (1 / norm(y)) * y;
  return transpose(Mat3<double>{{x, y, cross(x, y)}});
}

void build_bouc_wen(const Item& item, Builder& b) {
  const std::string owner = fmt::format("force '{}'", item.name);
  const int first = b.body(item.subject.words[0]), second = b.body(item.subject.words[1]);
  const Value& points = *item.find("points");
  const Vec3<double> pa = b.vector(points, 0), pb = b.vector(points, 3);
  Coordinate c{Coordinate::distance, -1, -1, 0, {}, {}, -1};
  HysteresisPlace place{item.name, "", first, second, c, 0, b.number(item, "damping", 0)};
  if (const Value* axis = item.find("axis")) {
    if (const Value* length = item.find("length"))
      throw InputError(length->at, fmt::format("{}: 'length' is that of a line between the points; with 'axis', displacements "
                                               "are measured from the drawing; leave one of them out",
                                               owner));
    const Vec3<double> along = b.direction(*axis);
    c.kind = Coordinate::translation;
    c.a = b.marker(first, pa, axes_along(along));
    b.require_axes(c.a, axis->at);
    place.rest = dot(along, pb - pa);
  } else {
    const double drawn = norm(pb - pa);
    if (!(drawn > 0))
      throw InputError(points.at, fmt::format("{}: the two points coincide, so it has no direction; give an 'axis'", owner));
    c.a = b.marker(first, pa);
    place.rest = b.number(item, "length", drawn);
  }
  c.b = b.marker(second, pb);
  place.coordinate = c;
  const Builder::Place added = add_hysteresis(bouc_wen_of(item, owner, b), place, b);
  b.add_force({item.name, item.kind, added.group, added.element, c, true});
}

}  // namespace

std::vector<ElementType> forces_hysteresis() {
  std::vector<Field> fields = {
      {.key = "points",
       .type = FieldType::point_pair,
       .unit = "m",
       .doc = "The point on the first body and the one on the second.",
       .required = true},
      {.key = "axis",
       .type = FieldType::direction,
       .doc = "Direction, fixed to the first body, along which the second point moves; for isolators.",
       .fallback = "the line between the points"},
  };
  for (Field& f : hysteresis_fields()) fields.push_back(std::move(f));
  fields.push_back({.key = "damping",
                    .unit = "N s/m",
                    .doc = "Viscous damping beside the hysteresis.",
                    .fallback = "0",
                    .bound = Bound::not_negative});
  fields.push_back({.key = "length",
                    .unit = "m",
                    .doc = "Length at rest; without `axis`.",
                    .fallback = "the distance as drawn",
                    .bound = Bound::not_negative});
  return {
      {{"bouc_wen",
        "Hysteretic force between two points (Bouc–Wen): α k x + (1 − α) k z, where z follows x until it yields. For isolators, "
        "braces, wire-rope mounts.",
        {.key = "", .type = FieldType::body_pair, .doc = "First and second body."},
        fields},
       build_bouc_wen,
       "{bouc_wen: [a, b], points: [[0.1, 0.2, 0.3], [0.5, -0.3, 0.7]], stiffness: 300, post_yield_ratio: 0.1, yield_force: 90, "
       "exponent: 2, beta: 7, damping: 4, length: 0.5}"}};
}

}  // namespace aleator::core
