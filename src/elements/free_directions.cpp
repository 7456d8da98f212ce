// What may act in the free directions of a joint besides a prescribed motion: springs, dampers, stops, friction, hysteresis, actuators,
// armature.
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "elements/builder.hpp"
#include "elements/coordinate_force.hpp"
#include "elements/coordinate_inertia.hpp"
#include "elements/hysteresis.hpp"

namespace aleator::core {

using input::Bound;
using input::Field;
using input::FieldType;
using input::InputError;
using input::Item;
using input::Value;

std::vector<Field> free_direction_fields() {
  const auto per_direction = [](Field f) {
    f.per_direction = true;
    return f;
  };
  return {
      per_direction({.key = "motion",
                     .type = FieldType::function,
                     .unit = "m or rad",
                     .doc = "Prescribed displacement or angle in a free direction, measured from the configuration as drawn."}),
      per_direction(
          {.key = "spring",
           .type = FieldType::group,
           .doc = "Spring in a free direction.",
           .fields =
               {{.key = "stiffness",
                 .unit = "N/m or N m/rad",
                 .doc = "Stiffness.",
                 .fallback = "0",
                 .bound = Bound::not_negative},
                {.key = "rest", .unit = "m or rad", .doc = "Displacement or angle at which it is relaxed.", .fallback = "0"},
                {.key = "preload", .unit = "N or N m", .doc = "Restoring force at rest.", .fallback = "0"},
                {.key = "characteristic",
                 .type = FieldType::table,
                 .unit = "m → N or rad → N m",
                 .doc = "Restoring force against the deformation, piecewise linear."}}}),
      per_direction({.key = "damper",
                     .unit = "N s/m or N m s/rad",
                     .doc = "Viscous damping in a free direction.",
                     .bound = Bound::not_negative}),
      per_direction({.key = "stops",
                     .type = FieldType::group,
                     .doc = "Elastic stops that limit a free direction.",
                     .fields = {{.key = "lower", .unit = "m or rad", .doc = "Lower limit.", .fallback = "none"},
                                {.key = "upper", .unit = "m or rad", .doc = "Upper limit.", .fallback = "none"},
                                {.key = "stiffness",
                                 .unit = "N/m or N m/rad",
                                 .doc = "Stiffness of the stop.",
                                 .required = true,
                                 .bound = Bound::positive},
                                {.key = "damping",
                                 .unit = "s/m or s/rad",
                                 .doc = "Damping: the force is k d (1 + damping ḋ) at depth d, never negative.",
                                 .fallback = "0",
                                 .bound = Bound::not_negative}}}),
      per_direction({.key = "friction",
                     .type = FieldType::group,
                     .doc = "Regularised Coulomb friction, −force · tanh(rate / velocity).",
                     .fields = {{.key = "force",
                                 .unit = "N or N m",
                                 .doc = "Friction force or torque while sliding.",
                                 .required = true,
                                 .bound = Bound::not_negative},
                                {.key = "velocity",
                                 .unit = "m/s or rad/s",
                                 .doc = "Velocity of regularisation: 76 % of the force is reached there.",
                                 .fallback = "1e-3",
                                 .bound = Bound::positive}}}),
      per_direction({.key = "hysteresis",
                     .type = FieldType::group,
                     .doc = "Bouc–Wen hysteresis: the restoring force α k x + (1 − α) k z.",
                     .fields = hysteresis_fields()}),
      per_direction({.key = "armature",
                     .unit = "kg or kg m²",
                     .doc =
                         "Inertia that moves with a free direction alone, such as a rotor seen through its gears: kinetic energy "
                         "½ armature · rate².",
                     .bound = Bound::not_negative}),
      per_direction({.key = "actuator",
                     .type = FieldType::function,
                     .unit = "N or N m",
                     .doc = "Force or torque in a free direction, on the second body, as a function of time."}),
  };
}

const FreeDirection& pick_direction(const JointRecord& joint, const std::string& name, input::Position at,
                                    std::string_view field) {
  std::vector<std::string> names;
  for (const auto& f : joint.free) names.push_back(f.name);
  const auto is = [&](const FreeDirection& f, bool rotation) { return (f.coordinate.kind == Coordinate::angle) == rotation; };
  const FreeDirection* found = nullptr;
  int matches = 0;
  for (const auto& f : joint.free) {
    const bool match = name.empty() || f.name == name || (name == "along" && is(f, false)) || (name == "about" && is(f, true));
    if (match) found = &f, ++matches;
  }
  if (matches == 1) return *found;
  std::string known;
  for (const auto& n : names) known += (known.empty() ? "" : ", ") + n;
  if (matches > 1)
    throw InputError(at, fmt::format("joint '{}': '{}' must name a free direction, as in {{{}: …}} (free: {})", joint.name, field,
                                     names[0], known));
  if (names.empty())
    throw InputError(at, fmt::format("joint '{}': '{}' needs a free direction that can be measured, and this joint has none",
                                     joint.name, field));
  throw InputError(
      at, fmt::format("joint '{}': '{}' names the direction '{}', which is not free (free: {})", joint.name, field, name, known));
}

namespace {

struct LawBuilder {
  CoordinateForce::Topology topology{};
  CoordinateForce::Parameters<double> parameters{};
};

LawBuilder new_law(const Coordinate& c) {
  LawBuilder l;
  l.topology.coordinate = c;
  l.topology.side = CoordinateForce::both;
  l.topology.signal = -1;
  l.topology.spring_size = l.topology.damper_size = -1;
  l.parameters.friction_velocity = 1;
  l.parameters.lower = -1e300;
  l.parameters.upper = 1e300;
  return l;
}

FreeDirection& direction_of(JointRecord& joint, const std::string& name) {
  return *std::find_if(joint.free.begin(), joint.free.end(), [&](const FreeDirection& f) { return f.name == name; });
}

void build_hysteresis(const Item& item, JointRecord& joint, Builder& b) {
  const Value* field = item.find("hysteresis");
  if (!field) return;
  for (const auto& [direction, v] : field->by_direction) {
    const FreeDirection& f = pick_direction(joint, direction, v.at, "hysteresis");
    const BoucWen law = bouc_wen_of(v.items.at(0), fmt::format("joint '{}'", joint.name), b);
    const bool only = field->by_direction.size() == 1;
    const Builder::Place place = add_hysteresis(law,
                                                {.name = joint.name,
                                                 .direction = only ? "" : f.name,
                                                 .first = b.body(joint.first),
                                                 .second = b.body(joint.second),
                                                 .coordinate = f.coordinate,
                                                 .of_joint = true},
                                                b);
    FreeDirection& acted = direction_of(joint, f.name);
    acted.hysteresis[0] = place.group, acted.hysteresis[1] = place.element;
    acted.acting.push_back("hysteresis");
  }
}

void build_armature(const Item& item, const JointRecord& joint, Builder& b) {
  const Value* field = item.find("armature");
  if (!field) return;
  for (const auto& [direction, v] : field->by_direction) {
    const FreeDirection& f = pick_direction(joint, direction, v.at, "armature");
    for (const auto& [marker, body] : {std::pair(f.coordinate.a, joint.first), {f.coordinate.b, joint.second}})
      if (b.topology().marker_nodal[size_t(marker)] >= 0)
        throw InputError(v.at,
                         fmt::format("joint '{}': 'armature' needs rigid bodies, which '{}' is not; put the joint on a rigid "
                                     "hub that is fixed to '{}'",
                                     joint.name, body, body));
    const auto driven = [](const FreeDirection& d) {
      return std::find(d.acting.begin(), d.acting.end(), "motion") != d.acting.end();
    };
    const auto before = std::count_if(joint.free.data(), &f, [&](const FreeDirection& d) { return !driven(d); });
    b.add<CoordinateInertia>(coordinate_inertia_kernel, {f.coordinate, {joint.row, driven(f) ? -1 : int(before)}},
                             {b.number(v.number)});
  }
}

}  // namespace

void build_free_direction_forces(const Item& item, JointRecord& joint, Builder& builder) {
  std::map<std::string, LawBuilder> laws;  // by direction
  const auto law_for = [&](std::string_view field, const std::string& direction, const Value& v) -> LawBuilder& {
    const FreeDirection& f = pick_direction(joint, direction, v.at, field);
    direction_of(joint, f.name).acting.emplace_back(field);
    return laws.try_emplace(f.name, new_law(f.coordinate)).first->second;
  };
  for (std::string_view key : {"spring", "damper", "stops", "friction", "actuator"}) {
    const Value* field = item.find(key);
    if (!field) continue;
    for (const auto& [direction, v] : field->by_direction) {
      LawBuilder& l = law_for(key, direction, v);
      auto& p = l.parameters;
      if (key == "damper") p.damping = builder.number(v.number);
      if (key == "actuator") l.topology.signal = builder.signal(v.items.at(0));
      if (key == "damper" || key == "actuator") continue;
      const Item& g = v.items.at(0);
      if (key == "spring") {
        p.stiffness = builder.number(g, "stiffness", 0);
        p.rest = builder.number(g, "rest", 0);
        p.preload = builder.number(g, "preload", 0);
        const HingeTable t = hinge_table(g.find("characteristic"), builder);
        l.topology.spring_table = t.offset, l.topology.spring_size = t.hinges;
      } else if (key == "stops") {
        l.topology.stops = 1;
        p.lower = builder.number(g, "lower", p.lower);
        p.upper = builder.number(g, "upper", p.upper);
        p.stop_stiffness = builder.number(g, "stiffness", 0);
        p.stop_damping = builder.number(g, "damping", 0);
        if (!(p.lower < p.upper))
          throw InputError(g.at, fmt::format("joint '{}': the lower stop ({:g}) is not below the upper one ({:g})", joint.name,
                                             p.lower, p.upper));
      } else {
        p.friction_force = builder.number(g, "force", 0);
        p.friction_velocity = builder.number(g, "velocity", 1e-3);
      }
    }
  }
  build_hysteresis(item, joint, builder);
  build_armature(item, joint, builder);
  for (const auto& [direction, l] : laws) {
    const Builder::Place place = builder.add<CoordinateForce>(coordinate_force_kernel, l.topology, l.parameters);
    FreeDirection& acted = direction_of(joint, direction);
    acted.law[0] = place.group, acted.law[1] = place.element;
  }
}

}  // namespace aleator::core
