// Joints that relate coordinates: the rigid rod (distance) and the coupling of two joints (gear, rack). Kernel:
// CoordinateConstraint.
#include "elements/joint_relations.hpp"

#include <fmt/format.h>

#include <cmath>

#include "elements/coordinate_constraint.hpp"
#include "elements/joint_lower_pairs.hpp"
#include "elements/locked_directions.hpp"

namespace aleator::core {

using input::Bound;
using input::Field;
using input::FieldType;
using input::InputError;
using input::Item;
using input::Value;

namespace {

void add_relation(const Item& item, JointRecord j, const std::string& what, const Coordinate& first, const Coordinate& second,
                  double ratio, double offset, const Value* motion, Builder& b) {
  j.name = item.name, j.kind = item.kind, j.at = item.at;
  const JointRecord& joint = b.add_joint(j);
  CoordinateConstraint::Topology t{};
  t.first = first, t.second = second;
  t.row = b.row(what, first.kind == Coordinate::angle);
  t.gradient = joint.gradient;
  for (int m : {first.a, first.b, second.a, second.b}) b.gradient(t.row, m);
  t.signal = motion ? b.signal(motion->items.at(0), true) : -1;
  b.add<CoordinateConstraint>(coordinate_constraint_kernel, t, {ratio, offset});
}

void build_distance(const Item& item, Builder& b) {
  const Value& points = *item.find("points");
  const Vec3<double> pa = b.vector(points, 0), pb = b.vector(points, 3);
  JointRecord j;
  j.first = item.subject.words[0], j.second = item.subject.words[1];
  j.marker_a = b.marker(b.body(j.first), pa);
  j.marker_b = b.marker(b.body(j.second), pb);
  const Coordinate c{Coordinate::distance, j.marker_a, j.marker_b, 0, {}, {}, -1};
  j.free = {};
  const double length = b.number(item, "length", norm(pb - pa));
  if (!(length > 0))
    throw InputError(
        item.at,
        fmt::format("joint '{}': the length of a rod must be positive, but its two points coincide; use a spherical joint",
                    item.name));
  add_relation(item, j, "length", c, c, 0, length, item.find("motion"), b);
}

void build_gear(const Item& item, Builder& b) {
  const JointRecord& first = b.joint(item.subject.words[0]);
  const JointRecord& second = b.joint(item.subject.words[1]);
  const auto direction = [&](std::string_view key, const JointRecord& j) {
    const Value* v = item.find(key);
    return pick_direction(j, v ? v->word : "", v ? v->at : item.at, key).coordinate;
  };
  const Coordinate q1 = direction("first_direction", first), q2 = direction("second_direction", second);
  JointRecord j;
  j.first = second.first, j.second = second.second;
  j.marker_a = q2.a, j.marker_b = q2.b;
  // ratio q1 = q2, written as q2 − ratio q1 = 0
  add_relation(item, j, "coupling", q2, q1, b.number(item, "ratio", 1), 0, nullptr, b);
}

// A cylindrical joint whose displacement z and angle φ are coupled by the thread:  z − (p / 2π) φ = 0. Right-handed for p > 0.
void build_screw(const Item& item, Builder& b) {
  build_cylindrical(item, b);
  const JointRecord cylinder = b.joint(item.name);
  const double pitch = b.number(item, "pitch", 0);
  if (pitch == 0)
    throw InputError(item.find("pitch")->at, "'pitch' of a screw must not be zero; a revolute joint does not advance");
  const Coordinate along = pick_direction(cylinder, "along", item.at, "pitch").coordinate;
  const Coordinate about = pick_direction(cylinder, "about", item.at, "pitch").coordinate;
  CoordinateConstraint::Topology t{};
  t.first = along, t.second = about;
  t.row = b.row("advance along its thread", false);  // of the same joint: its reaction has the force of the thread
  t.gradient = int(b.topology().gradient_row.size());
  for (int m : {along.a, along.b, about.a, about.b}) b.gradient(t.row, m);
  t.signal = -1;
  b.add<CoordinateConstraint>(coordinate_constraint_kernel, t, {pitch / (2 * std::acos(-1.0)), 0});
}

// Elements of a kernel whose rows are among those of a joint.
template <class Element, class F>
void for_elements(const Kernel& kernel, const JointRecord& j, const Topology& t, F&& f) {
  for (const GroupData& g : t.groups) {
    if (g.kernel != &kernel) continue;
    for (int i = 0; i < g.count; ++i)
      if (const auto& e = reinterpret_cast<const typename Element::Topology*>(g.topology.data())[i];
          e.row >= j.row && e.row < j.row + j.rows)
        f(e);
  }
}

}  // namespace

int thread_row(const JointRecord& j) { return j.kind == "screw" ? j.row + j.rows - 1 : -1; }

int prescribed_motions(const JointRecord& j, const Topology& t) {
  int motions = 0;
  for_elements<LockedDirections>(locked_directions_kernel, j, t, [&](const LockedDirections::Topology& e) {
    for (int k = 0; k < e.translations; ++k) motions += e.signal[k] >= 0;
    motions += e.turns_a + e.turns_b;
  });
  for_elements<CoordinateConstraint>(coordinate_constraint_kernel, j, t,
                                     [&](const CoordinateConstraint::Topology& e) { motions += e.signal >= 0; });
  return motions;
}

std::vector<ElementType> relation_joints() {
  const Field directions = {
      .key = "", .type = FieldType::word, .doc = "", .words = {"x", "y", "z", "rx", "ry", "rz", "along", "about"}};
  Field first = directions, second = directions;
  first.key = "first_direction", first.doc = "Free direction of the first joint.", first.fallback = "the only one";
  second.key = "second_direction", second.doc = "Free direction of the second joint.", second.fallback = "the only one";
  return {
      {{"distance",
        "Massless rigid rod: two points keep their distance.",
        {.key = "", .type = FieldType::body_pair, .doc = "First and second body."},
        {{.key = "points",
          .type = FieldType::point_pair,
          .unit = "m",
          .doc = "The point on the first body and the one on the second.",
          .required = true},
         {.key = "length",
          .unit = "m",
          .doc = "Length of the rod; assembly moves the bodies if it differs from the drawing.",
          .fallback = "the distance as drawn",
          .bound = Bound::positive},
         {.key = "motion", .type = FieldType::function, .unit = "m", .doc = "Prescribed change of the length."}}},
       build_distance,
       "{distance: [a, b], points: [[0.1, 0.2, 0.3], [0.5, -0.3, 0.7]]}"},
      {{"gear",
        "Couples two joints: the second coordinate is `ratio` times the first (gears, racks, screws).",
        {.key = "", .type = FieldType::joint_pair, .doc = "First and second joint."},
        {{.key = "ratio",
          .unit = "-",
          .doc = "Displacement or angle of the second joint per unit of the first.",
          .required = true},
         first,
         second}},
       build_gear,
       "{gear: [turn_a, turn_b], ratio: -2}",
       true},
      {screw_kind(), build_screw, "{screw: [a, b], axis: z, at: [0.1, 0.2, 0.3], pitch: 0.4}"},
  };
}

}  // namespace aleator::core
