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

bool MassRealizer::replace(std::span<const double> values, const Places& to) const {
  BodyProperties p;
  for (const Body& b : bodies_) {
    if (!with_masses(model_->bodies[size_t(b.body)], model_->topology.normal, b.changes, values, p)) return false;
    const size_t carrier = size_t(model_->topology.first_carrier[size_t(b.body)]);
    const Mat3<double>& R = p.orientation;
    to.bodies[carrier] = {p.mass, transposed_times(R, p.inertia * R)};
    double *const x = to.positions + 7 * carrier, *const v = to.velocities + 6 * carrier;
    for (int i = 0; i < 3; ++i) x[i] = p.center_of_mass[i], v[i] = p.velocity[i];
    const BodyFrame<double> f = RigidBody::frame(x, v);
    for (const int m : b.markers) to.markers[m] = marker_on(f, model_->drawn_markers[size_t(m)]);
  }
  return true;
}

bool MassRealizer::operator()(std::span<const double> values, Parameters& to) const {
  to = model_->nominal;
  return replace(values, {to.bodies.data(), to.markers.data(), to.positions.data(), to.velocities.data()});
}

bool MassRealizer::operator()(std::span<const double> values, Realization<double>& to) const {
  const Layout& l = model_->structure.layout;
  return replace(values, {reinterpret_cast<RigidBody::Parameters<double>*>(to.numbers.data() + l.bodies),
                          reinterpret_cast<MarkerParameters<double>*>(to.numbers.data() + l.markers), to.positions.data(),
                          to.velocities.data()});
}

bool realize_masses(const Model& model, std::span<const Override> overrides, Parameters& to) {
  const MassRealizer realizer(model, overrides);
  if (!realizer.usable()) return false;
  std::vector<double> values;
  for (const Override& o : overrides) values.push_back(o.value);
  return realizer(values, to);
}

}  // namespace aleator::core
