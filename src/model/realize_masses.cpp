#include "model/realize_masses.hpp"

#include <algorithm>

#include "elements/rigid_body.hpp"

namespace aleator::core {

using input::Item;

namespace {

// Its number among the rigid bodies whose mass properties can be replaced; -1: something else is meant.
int body_of(const Model& model, const std::vector<Item>& items, std::string_view name) {
  for (size_t i = 0; i < items.size(); ++i)
    if (override_names(name, items[i])) return model.topology.first_carrier[i] < model.topology.rigid ? int(i) : -1;
  return -1;
}

void replace_body(const Model& model, const BodyProperties& p, int carrier, Parameters& to) {
  const Mat3<double>& R = p.orientation;
  to.bodies[size_t(carrier)] = {p.mass, transposed_times(R, p.inertia * R)};
  double* const x = &to.positions[7 * size_t(carrier)];
  double* const v = &to.velocities[6 * size_t(carrier)];
  for (int i = 0; i < 3; ++i) x[i] = p.center_of_mass[i], v[i] = p.velocity[i];
  const BodyFrame<double> f = RigidBody::frame(x, v);
  const Topology& t = model.topology;
  for (size_t m = 0; m < t.marker_carrier.size(); ++m)
    if (t.marker_carrier[m] == carrier) to.markers[m] = marker_on(f, model.drawn_markers[m]);
}

}  // namespace

bool realize_masses(const Model& model, std::span<const Override> overrides, Parameters& to) {
  const input::Description& d = model.description;
  const std::vector<Item>& items = d.section("bodies");
  // What was set when the model was made, and motions given for several bodies, would have to be taken into account.
  if (!model.set.empty() || !d.section("initial_motions").empty()) return false;
  for (const Override& o : overrides)
    if (!o.along.empty() || body_of(model, items, o.name) < 0) return false;
  to = model.nominal;
  for (size_t i = 0; i < items.size(); ++i) {
    if (std::none_of(overrides.begin(), overrides.end(), [&](const Override& o) { return override_names(o.name, items[i]); }))
      continue;
    try {
      replace_body(model, with_masses(model.bodies[i], items[i], model.topology.normal, overrides),
                   model.topology.first_carrier[i], to);
    } catch (const input::InputError&) {
      return false;
    }
  }
  return true;
}

}  // namespace aleator::core
