#include "model/initial_motions.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace aleator::core {

using input::FieldType;
using input::InputError;
using input::Item;
using input::Value;

namespace {

struct InitialMotion {
  Vec3<double> velocity, spin, at;
  Vec3<double> of_point(const Vec3<double>& p) const { return velocity + cross(spin, p - at); }
};

InitialMotion initial_motion_of(const Item& item, const Builder& b) {
  const InitialMotion m{b.vector(item, "velocity", {}), b.vector(item, "angular_velocity", {}), b.vector(item, "at", {})};
  const auto refuse = [&](const char* key, const char* what) {
    throw InputError(item.find(key)->at, fmt::format("initial motion '{}': in a planar model {}", item.name, what));
  };
  if (const int n = b.normal(); n >= 0) {
    if (m.velocity[n] != 0) refuse("velocity", "bodies move in the plane");
    for (int i = 0; i < 3; ++i)
      if (i != n && m.spin[i] != 0) refuse("angular_velocity", "bodies rotate only about the normal");
  }
  return m;
}

void add_motion(const InitialMotion& m, const Topology& t, int carrier, Parameters& numbers) {
  const double* q = &numbers.positions[7 * size_t(carrier)];
  double* v = &numbers.velocities[6 * size_t(carrier)];
  const Vec3<double> first{q[0], q[1], q[2]}, second{q[3], q[4], q[5]};
  const bool rigid = carrier < t.rigid;
  const Vec3<double> a = t.carriers[carrier].is_place ? m.of_point(first) : cross(m.spin, first);
  const Vec3<double> b =  // of a rigid body the spin, in its own axes; of a node its second vector, which turns
      rigid ? transposed_times(rotation_matrix(RigidBody::orientation(q)), m.spin) : cross(m.spin, second);
  for (int i = 0; i < 3; ++i) v[i] += a[i];
  if (rigid || t.carriers[carrier].vectors == 2)
    for (int i = 0; i < 3; ++i) v[3 + i] += b[i];
}

std::vector<char> bodies_in_motion(const Item& item, const Topology& t) {
  const Value* names = item.find("bodies");
  std::vector<char> chosen(t.body_names.size(), names == nullptr);
  if (!names) return chosen;
  for (const std::string& name : names->words) {
    const auto found = std::find(t.body_names.begin(), t.body_names.end(), name);
    bool is_instance = false;  // then all bodies of it
    for (size_t b = 0; b < t.body_names.size(); ++b)
      if (t.body_names[b].starts_with(name + ".")) is_instance = true, chosen[b] = 1;
    if (is_instance) continue;
    if (found == t.body_names.end())
      throw InputError(names->at, fmt::format("initial motion '{}': unknown body '{}'{}", item.name, name,
                                              input::suggestion(name, t.body_names)));
    chosen[size_t(found - t.body_names.begin())] = 1;
  }
  return chosen;
}

}  // namespace

input::Section initial_motions_section() {
  return {"initial_motions",
          "initial motion",
          "Velocities at t = 0 that several bodies have together, as if they were one rigid body: a mechanism that rotates about "
          "an axis, a vehicle that "
          "drives. They are added to the velocities of the bodies' own.",
          {{.key = "bodies",
            .type = FieldType::words,
            .doc = "Rigid bodies, beams and cables that take part; the name of an instance stands for all bodies of it.",
            .fallback = "all bodies"},
           {.key = "velocity", .type = FieldType::vector, .unit = "m/s", .doc = "Velocity of the point `at`.", .fallback = "0"},
           {.key = "angular_velocity",
            .type = FieldType::spin,
            .unit = "rad/s",
            .doc = "Angular velocity about an axis through `at`.",
            .fallback = "0"},
           {.key = "at", .type = FieldType::point, .unit = "m", .doc = "A point of the axis.", .fallback = "the origin"}}};
}

void add_initial_motion(const Item& item, const Builder& b, Blueprint& blueprint) {
  const Topology& t = blueprint.topology;
  const InitialMotion m = initial_motion_of(item, b);
  const std::vector<char> chosen = bodies_in_motion(item, t);
  for (int c = 0; c < int(t.carriers.size()); ++c)
    if (chosen[size_t(t.carriers[c].body)]) add_motion(m, t, c, blueprint.numbers);
}

}  // namespace aleator::core
