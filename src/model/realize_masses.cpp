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

// Of a body with these mass properties: its own numbers, and where it begins.
template <class T, class Places>
static void put_body(const Model& model, size_t carrier, const std::vector<int>& markers, const Mat3<T>& orientation,
                     const MassProperties<T>& p, const Vec3<T>& velocity, const Places& to) {
  to.bodies[carrier] = {p.mass, transposed_times(orientation, p.inertia * orientation)};
  T *const x = to.positions + 7 * carrier, *const v = to.velocities + 6 * carrier;
  for (int i = 0; i < 3; ++i) x[i] = p.center_of_mass[i], v[i] = velocity[i];
  const BodyFrame<T> f = RigidBody::frame(x, v);
  for (const int m : markers) to.markers[m] = marker_on(f, model.drawn_markers[size_t(m)]);
}

bool MassRealizer::replace(std::span<const double> values, const Places<double>& to) const {
  BodyProperties p;
  for (const Body& b : bodies_) {
    if (!with_masses(model_->bodies[size_t(b.body)], model_->topology.normal, b.changes, values, p)) return false;
    const MassProperties<double> masses{p.mass, p.center_of_mass, p.inertia};
    put_body(*model_, size_t(model_->topology.first_carrier[size_t(b.body)]), b.markers, p.orientation, masses, p.velocity, to);
  }
  return true;
}

TracedMask MassRealizer::record(const std::vector<Traced>& values, const Put& put) const {
  const Topology& t = model_->topology;
  const Parameters& nominal = model_->nominal;
  std::vector<Traced> positions(nominal.positions.begin(), nominal.positions.end()),
      velocities(nominal.velocities.begin(), nominal.velocities.end());
  std::vector<RigidBody::Parameters<Traced>> bodies(nominal.bodies.size());
  std::vector<MarkerParameters<Traced>> markers(nominal.markers.size());
  TracedMask possible = true;
  for (const Body& b : bodies_) {
    const BodyProperties& n = model_->bodies[size_t(b.body)];
    MassProperties<Traced> p{Traced(n.mass), known<Traced>(n.center_of_mass), known<Traced>(n.inertia)};
    possible = possible & apply(b.changes, values.data(), n.mass > 0, p);
    // Scaled by its mass, a body stays one.
    if (std::ranges::any_of(b.changes, [](const MassChange& c) { return c.kind == MassChange::inertia; }))
      possible = possible & (t.normal < 0 ? surely_possible(p.inertia) : Traced(0) <= p.inertia[t.normal][t.normal]);
    const Vec3<Traced> center = known<Traced>(n.center_of_mass), omega = known<Traced>(n.angular_velocity);
    const Vec3<Traced> velocity = known<Traced>(n.velocity) + cross(omega, p.center_of_mass - center);
    const size_t carrier = size_t(t.first_carrier[size_t(b.body)]);
    put_body(*model_, carrier, b.markers, known<Traced>(n.orientation), p, velocity,
             Places<Traced>{bodies.data(), markers.data(), positions.data(), velocities.data()});

    const auto numbers = [&](int first, const auto& group) {
      const auto* const x = reinterpret_cast<const Traced*>(&group);
      for (size_t i = 0; i < sizeof(group) / sizeof(Traced); ++i) put(Where::numbers, first + int(i), x[i]);
    };
    const Layout& l = model_->structure.layout;
    numbers(l.bodies + int(carrier * sizeof(RigidBody::Parameters<double>) / sizeof(double)), bodies[carrier]);
    for (const int m : b.markers)
      numbers(l.markers + m * int(sizeof(MarkerParameters<double>) / sizeof(double)), markers[size_t(m)]);
    for (int i = 0; i < 3; ++i) {
      put(Where::positions, 7 * int(carrier) + i, positions[7 * carrier + size_t(i)]);
      put(Where::velocities, 6 * int(carrier) + i, velocities[6 * carrier + size_t(i)]);
    }
  }
  return possible;
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
