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

void replace_body(const Model& model, const BodyProperties& p, int carrier, std::span<const int> markers, Parameters& to) {
  const Mat3<double>& R = p.orientation;
  to.bodies[size_t(carrier)] = {p.mass, transposed_times(R, p.inertia * R)};
  double* const x = &to.positions[7 * size_t(carrier)];
  double* const v = &to.velocities[6 * size_t(carrier)];
  for (int i = 0; i < 3; ++i) x[i] = p.center_of_mass[i], v[i] = p.velocity[i];
  const BodyFrame<double> f = RigidBody::frame(x, v);
  for (const int m : markers) to.markers[size_t(m)] = marker_on(f, model.drawn_markers[size_t(m)]);
}

}  // namespace

MassRealizer::MassRealizer(const Model& model, std::span<const Override> overrides) : model_(&model) {
  const input::Description& d = model.description;
  const std::vector<Item>& items = d.section("bodies");
  // What was set when the model was made, and motions given for several bodies, would have to be taken into account.
  if (!model.set.empty() || !d.section("initial_motions").empty()) return;
  for (const Override& o : overrides)
    if (!o.along.empty() || body_of(model, items, o.name) < 0) return;
  const Topology& t = model.topology;
  for (size_t i = 0; i < items.size(); ++i) {
    Body body{int(i), {}, {}};
    try {
      body.changes = mass_changes(overrides, items[i]);
    } catch (const input::InputError&) {
      return;
    }
    if (body.changes.empty()) continue;
    for (size_t m = 0; m < t.marker_carrier.size(); ++m)
      if (t.marker_carrier[m] == t.first_carrier[i]) body.markers.push_back(int(m));
    bodies_.push_back(std::move(body));
  }
  usable_ = true;
}

bool MassRealizer::operator()(std::span<const double> values, Parameters& to) const {
  to = model_->nominal;
  BodyProperties p;
  for (const Body& b : bodies_) {
    if (!with_masses(model_->bodies[size_t(b.body)], model_->topology.normal, b.changes, values, p)) return false;
    replace_body(*model_, p, model_->topology.first_carrier[size_t(b.body)], b.markers, to);
  }
  return true;
}

bool realize_masses(const Model& model, std::span<const Override> overrides, Parameters& to) {
  const MassRealizer realizer(model, overrides);
  if (!realizer.usable()) return false;
  std::vector<double> values;
  for (const Override& o : overrides) values.push_back(o.value);
  return realizer(values, to);
}

}  // namespace aleator::core
