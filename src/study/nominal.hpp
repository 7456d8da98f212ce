// The nominal simulation and what is recorded of it, for simulations and studies.
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "dynamics/choose.hpp"
#include "dynamics/simulate.hpp"
#include "results/run.hpp"
#include "study/loaded_model.hpp"

namespace aleator::core {

using Note = std::function<void(std::string_view)>;  // may be empty

results::Run as_run(const Model& model, const Trajectory& trajectory);

// Everything that is needed to compute it again; and what a user should know about its outputs.
results::Provenance provenance_of(const Model& model, const std::vector<Override>& settings, const std::string& command_line,
                                  const Note& note);

// The model with the integrator and the step that were found for it. Tells which, and why.
std::shared_ptr<const Model> with_choice(const Model& model, const Choice& choice, const Note& note);
// As it is to be simulated: with a choice where it leaves that open, which may take long: throws Cancelled when it is stopped. The original is
// referred to, not owned.
std::shared_ptr<const Model> to_simulate(const Model& model, const Note& note, const std::atomic<bool>* stop = nullptr);

// Of the nominal model, with poses and its energy balance, until it is stopped.
Trajectory simulate_nominal(const Model& model, const std::atomic<bool>* stop, const Note& note,
                            const std::function<void(double time)>& progress = {});
// Its energy balance in words.
std::string energy_profile(const Trajectory& trajectory);

void tell(const Note& note, std::string_view text);  // nobody listens: nothing happens

}  // namespace aleator::core
