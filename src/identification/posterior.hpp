// What is believed of the parameters after the data: draws from likelihood times prior.
#pragma once

#include "identification/identify.hpp"
#include "inference/ensemble_sampler.hpp"
#include "inference/profile.hpp"

namespace aleator::core {

// The most probable values become the estimate. `hill`: the log-likelihood; `profiles`: of all parameters.
inference::EnsembleSample draw_posterior(IdentifyTask& task, const inference::LogLikelihood& hill,
                                         const std::vector<inference::Profile>& profiles);

}  // namespace aleator::core
