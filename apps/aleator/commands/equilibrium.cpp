// aleator equilibrium MODEL: the static position, and how far it is from the drawing.
#include "dynamics/equilibrium.hpp"

#include <fmt/format.h>

#include "base/words.hpp"
#include "cli/arguments.hpp"
#include "study/loaded_model.hpp"

namespace aleator::app {
namespace {

using namespace core;

int equilibrium_command(const ModelArguments& arguments) {
  const aleator::Model loaded = arguments.load();
  const core::Model& m = loaded.compiled().model;
  const Realization<double> r = make_realization<double>(m, std::span(&m.nominal, 1));
  Assembly<double> a(m, r);
  const State<double> drawn = assemble(a);
  const Equilibrium e = equilibrium(a, drawn);
  const std::string how =
      e.load_steps > 0 ? fmt::format("{} load step{}", e.load_steps, e.load_steps == 1 ? "" : "s") : "following the forces";
  fmt::print("{} equilibrium, found in {} iterations ({}); unbalanced force {} N\n", e.stable ? "stable" : "UNSTABLE",
             e.iterations, how, number(e.residual));
  fmt::print("\n{:<14} {:>39}   {:>33}\n", "body", "centre of mass, node (m)", "moved (m)  turned (rad)");
  for (int b = 0; b < a.carriers().count; ++b) {
    const Carrier& carrier = m.topology.carriers[b];
    if (!carrier.is_place) continue;
    const double *p = &e.state.positions[7 * b], *q = &drawn.positions[7 * b];
    const double moved = norm(Vec3<double>{p[0] - q[0], p[1] - q[1], p[2] - q[2]});
    fmt::print("{:<14} {:>12.6g} {:>12.6g} {:>12.6g}   {:>16.6g}", m.topology.carrier_name(b), p[0], p[1], p[2], moved);
    if (carrier.vectors == 0) {
      const Mat3<double> turn =
          transposed_times(rotation_matrix(RigidBody::orientation(q)), rotation_matrix(RigidBody::orientation(p)));
      fmt::print(" {:>13.6g}", norm(rotation_vector(turn)));
    }
    fmt::print("\n");
  }
  if (m.topology.outputs.empty()) return exit_code::done;
  a.kinematics(0, Side::right, e.state.positions.data(), e.state.velocities.data(), e.state.turns.data());
  a.constrain();
  a.forces();
  std::vector<double> values(a.channels());
  a.observe(e.state.accelerations.data(), e.state.lambda.data(), values.data());
  fmt::print("\n{:<24} {:>16}\n", "output", "value");
  int k = 0;
  for (const Output& o : m.topology.outputs)
    for (const std::string& c : o.channels)
      fmt::print("{:<24} {:>16.9g}  {}\n", c.empty() ? o.name : o.name + "." + c, values[k++], o.unit);
  return exit_code::done;
}

}  // namespace

void add_equilibrium(Command& c) {
  auto o = std::make_shared<ModelArguments>();
  o->add_to(c);
  c.run([o] { return equilibrium_command(*o); });
}

}  // namespace aleator::app
