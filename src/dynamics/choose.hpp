// How time is stepped when the model leaves it open: `integrator: auto` and `accuracy:` instead of `step:`.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "model/model.hpp"
#include "numerics/program.hpp"

namespace aleator::core {

struct Choice {
  Settings settings;                 // with an integrator and a step
  std::vector<std::string> reasons;  // one line each
  std::vector<std::string> remarks;  // outputs that were not looked at, and why
};

// `integrator: auto`
bool integrator_is_open(const Settings& settings);
// Integrator, step or both are to be chosen.
bool is_open(const Settings& settings);

// The fastest rate (rad/s, damping included) at which the motion can change about the start of a realization: an estimate of the largest
// eigenvalue of the equations of motion, by power iteration on the index-1 form.
double fastest_rate(const Model& model, const Parameters& numbers);

// For a realization whose adapted steps become too many: the implicit method instead of an explicit one. None: there is nothing else to try.
std::optional<Settings> instead(const Settings& settings);

// One integrator and one step for all realizations. The step is found on the nominal model and on `samples`, by comparing steps of h and
// h/2, and verified on `others`. Throws SimulationError.
Choice choose(const Model& model, std::span<const Parameters> samples, std::span<const Parameters> others, Isa isa);

}  // namespace aleator::core
