#include "dynamics/soft_joints.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "dynamics/named_place.hpp"
#include "dynamics/violation.hpp"

namespace aleator::core {

namespace {
constexpr double index1_regularization = 1e-11;
}

MassRange masses_at(const Model& m, const std::vector<std::string>& joints) {
  MassRange r;
  const std::vector<std::string>& names = m.topology.body_names;
  for (size_t b = 0; b < names.size(); ++b) {
    const double mass = m.bodies[b].mass;
    if (!(mass > 0)) continue;
    const bool held = std::any_of(m.topology.joints.begin(), m.topology.joints.end(), [&](const JointRecord& j) {
      return (j.first == names[b] || j.second == names[b]) && std::find(joints.begin(), joints.end(), j.name) != joints.end();
    });
    if (mass > r.heavy_mass) r.heavy = names[b], r.heavy_mass = mass;
    if (held && (r.light.empty() || mass < r.light_mass)) r.light = names[b], r.light_mass = mass;
  }
  return r;
}

std::string too_different(const Model& model, const MassRange& masses) {
  return fmt::format(
      "The mass of {} is {:.3g} kg, that of {} {:.3g} kg: they differ too much for the digits of a number; give the light body "
      "more "
      "mass, or leave it out",
      named_body(model, masses.light), masses.light_mass, named_body(model, masses.heavy), masses.heavy_mass);
}

std::string SoftJoints::message(const Model& model, double t) const {
  return fmt::format("joint '{}' gives way by {:.1g} of the accelerations at t = {:.9g} s. {}", joint, part, t,
                     too_different(model, masses_at(model, {joint})));
}

SoftJoints::SoftJoints(const Model& model) : size_(size_as_drawn(model)) {
  double light = HUGE_VAL, heavy = 0;
  for (const BodyProperties& b : model.bodies)
    if (b.mass > 0) light = std::min(light, b.mass), heavy = std::max(heavy, b.mass);
  possible_ = heavy * index1_regularization > 0.1 * noticed * light;
}

// Compared with the largest acceleration, gravity included; angles with that on an arm of the mechanism's size.
void SoftJoints::look(const Assembly<double>& a, const State<double>& s) {
  if (!possible_) return;
  const Topology& t = a.model().topology;
  double linear = norm(a.gravity()), angular = 0;
  for (size_t i = 0; i < s.accelerations.size(); ++i) {
    const Carrier& c = t.carriers[i / 6];
    if (i % 6 < 3 && c.is_place) linear = std::max(linear, std::abs(s.accelerations[i]));
    if (i % 6 >= 3 && c.vectors == 0 && c.states == 0) angular = std::max(angular, std::abs(s.accelerations[i]));
  }
  angular = std::max(angular, linear / size_);
  for (int r = 0; r < a.rows(); ++r) {
    const double open = index1_regularization * a.weights()[r] * std::abs(s.lambda[r]) / (t.rows[r].is_angle ? angular : linear);
    if (!a.model().structure.row_active[r] || !(open > std::max(noticed, part))) continue;
    joint = t.joints[t.rows[r].joint].name, part = open;
  }
}

}  // namespace aleator::core
