// Which likelihood a study uses, and of how many principal components: as asked for, or refused with a reason.
#pragma once

#include <string>
#include <vector>

#include "identification/free_model.hpp"
#include "inference/reduction.hpp"
#include "results/measurements.hpp"

namespace aleator::core {

// integral, kernel or moments. Throws InputError.
inference::IdentificationStudy::Likelihood chosen_likelihood(const inference::IdentificationStudy& study, const FreeModel& free,
                                                             const results::Measurements& measured);

// How many components there are to be. Throws InputError.
inference::ReductionSettings chosen_components(const inference::IdentificationStudy& study, const FreeModel& free,
                                               const results::Measurements& measured);

// What to be wary of with a kernel of these components; `captured`: their share of the energy.
std::vector<std::string> doubts_of_components(const FreeModel& free, const results::Measurements& measured, int components,
                                              double captured);

}  // namespace aleator::core
