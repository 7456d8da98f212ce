#include "api/statics.hpp"

#include "api/model_check.hpp"
#include "dynamics/equilibrium.hpp"
#include "study/loaded_model.hpp"

namespace aleator::core {
namespace {

Statics::Place place_of(const Carrier& carrier, const std::string& name, const double* p, const double* drawn) {
  Statics::Place place{name, {p[0], p[1], p[2]}, norm(Vec3<double>{p[0] - drawn[0], p[1] - drawn[1], p[2] - drawn[2]})};
  if (carrier.vectors > 0) return place;
  const Mat3<double> turn =
      transposed_times(rotation_matrix(RigidBody::orientation(drawn)), rotation_matrix(RigidBody::orientation(p)));
  place.turned = norm(rotation_vector(turn));
  return place;
}

}  // namespace

Statics statics(const aleator::Model& model) {
  const Model& m = model.compiled().model;
  const Realization<double> r = make_realization<double>(m, std::span(&m.nominal, 1));
  Assembly<double> a(m, r);
  const State<double> drawn = assemble(a);
  const Equilibrium e = equilibrium(a, drawn);
  Statics out{e.stable, e.iterations, e.load_steps, e.residual, {}, {}, {}};
  for (int b = 0; b < a.carriers().count; ++b)
    if (m.topology.carriers[b].is_place)
      out.places.push_back(
          place_of(m.topology.carriers[b], m.topology.carrier_name(b), &e.state.positions[7 * b], &drawn.positions[7 * b]));
  for (const Output& o : m.topology.outputs)
    for (const std::string& name : channel_names(o)) out.outputs.push_back({name, o.unit});
  if (out.outputs.empty()) return out;
  a.kinematics(0, Side::right, e.state.positions.data(), e.state.velocities.data(), e.state.turns.data());
  a.constrain();
  a.forces();
  out.values.resize(std::size_t(a.channels()));
  a.observe(e.state.accelerations.data(), e.state.lambda.data(), out.values.data());
  return out;
}

}  // namespace aleator::core
