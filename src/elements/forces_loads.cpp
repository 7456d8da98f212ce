// Forces and torques given as functions of time, fixed in space or following the body.
#include "elements/forces_loads.hpp"

#include <fmt/format.h>

#include "elements/point_load.hpp"

namespace aleator::core {

using input::Field;
using input::FieldType;
using input::InputError;
using input::Item;
using input::Value;

namespace {

void build_load(const Item& item, Builder& b) {
  const int body = b.body(item.subject.word);
  const Value* at = item.find("at");
  const Value* follows = item.find("follows");
  PointLoad::Topology t{};
  t.torque = item.kind == "torque";
  t.b = b.marker(body, at ? b.vector(*at) : b.body_origin(body));
  const bool turns = follows && follows->flag;
  if (turns || t.torque != 0) b.require_axes(t.b, item.at);
  t.axes = turns ? t.b : b.marker(b.ground(), {});
  const Value& value = *item.find("value");
  const bool single = value.items.size() == 1;  // about the normal of the plane
  if (b.normal() >= 0 && single != (t.torque != 0))
    throw InputError(value.at, fmt::format("force '{}': in a planar model {}", item.name,
                                           t.torque != 0 ? "a torque is one function, about the normal"
                                                         : "a force has two components, [fx, fy]"));
  for (int i = 0; i < 3; ++i) {
    t.signal[i] = !single ? b.signal(value.items[i]) : i == b.normal() ? b.signal(value.items[0]) : b.constant_signal(0);
  }
  const Builder::Place place = b.add<PointLoad>(point_load_kernel, t, {});
  b.add_force({item.name, item.kind, place.group, place.element, {}, false});
}

}  // namespace

std::vector<ElementType> forces_loads() {
  const Field body = {.key = "", .type = FieldType::body, .doc = "The body it acts on."};
  const Field follows = {.key = "follows", .type = FieldType::flag, .doc = "Rotates with the body.", .fallback = "false"};
  return {
      {{"force",
        "Force at a point of a body.",
        body,
        {{.key = "at",
          .type = FieldType::point,
          .unit = "m",
          .doc = "The point it acts at.",
          .fallback = "the position of the body"},
         {.key = "value",
          .type = FieldType::functions,
          .unit = "N",
          .doc = "Its components as functions of time, in inertial axes at t = 0.",
          .required = true},
         follows}},
       build_load,
       "{force: b, at: [0.1, 0.2, 0.3], value: [3, -2*t, 1], follows: true}"},
      {{"torque",
        "Torque on a body.",
        body,
        {{.key = "at",
          .type = FieldType::point,
          .unit = "m",
          .doc = "For a beam: the cross-section it acts on; irrelevant for a rigid body.",
          .fallback = "the position of the body"},
         {.key = "value",
          .type = FieldType::functions,
          .unit = "N m",
          .doc = "Its components as functions of time, in inertial axes at t = 0 (in a planar model one function: about the "
                 "normal).",
          .required = true},
         follows}},
       build_load,
       "{torque: b, value: [3, -2, 1]}"},
  };
}

}  // namespace aleator::core
