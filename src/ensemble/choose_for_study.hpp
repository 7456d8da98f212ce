// How time is stepped in a study, when its model leaves that open: one integrator and one step for all realizations.
#pragma once

#include "design/plan.hpp"
#include "dynamics/choose.hpp"
#include "uncertainty/random_model.hpp"

namespace aleator::core {

// Found on the nominal model and on those of the first realizations in which a random quantity is smallest or largest; verified on
// realizations from all over the plan.
Choice choose_for_study(const Model& model, const RandomModel& random, const Plan& plan, std::uint64_t seed, Isa isa);

}  // namespace aleator::core
