// For tests of statics and vibrations: a model with everything that is needed to look at one of its states.
#pragma once

#include <algorithm>
#include <stdexcept>

#include "dynamics/equilibrium.hpp"
#include "dynamics/modes.hpp"
#include "support/run.hpp"

namespace aleator::core::test {

struct Mechanism {
  Model model;
  Realization<double> realization;
  Assembly<double> assembly;
  State<double> start;  // as assembled

  explicit Mechanism(const std::string& yaml, const CompileOptions& options = {})
      : model(model_from(yaml, options)),
        realization(make_realization<double>(model, std::span(&model.nominal, 1))),
        assembly(model, realization),
        start(assemble(assembly)) {}
  Mechanism(const Mechanism&) = delete;

  int body(const std::string& name) const {
    const auto& names = model.topology.body_names;
    const auto at = std::find(names.begin(), names.end(), name);
    if (at == names.end()) throw std::out_of_range("no body '" + name + "'");
    return int(at - names.begin());
  }

  // A channel of the outputs at a state.
  double output(const State<double>& s, const std::string& name) {
    assembly.kinematics(s.t, Side::right, s.positions.data(), s.velocities.data(), s.turns.data());
    assembly.constrain();
    assembly.forces();
    std::vector<double> values(assembly.channels());
    assembly.observe(s.accelerations.data(), s.lambda.data(), values.data());
    const std::vector<std::string> names = channel_names(model);
    const auto at = std::find(names.begin(), names.end(), name);
    if (at == names.end()) throw std::out_of_range("no channel '" + name + "'");
    return values[at - names.begin()];
  }
};

}  // namespace aleator::core::test
