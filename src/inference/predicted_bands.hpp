// Where the model predicts what is measured, noise included, at the times of the model.
#pragma once

#include <vector>

#include "inference/responses.hpp"
#include "results/identification.hpp"

namespace aleator::core::inference {

// Per channel: the mean, and the quantiles (1 ∓ confidence)/2. noise: [channels] standard deviations.
std::vector<results::PredictedBand> predicted_bands(const Responses& responses, const std::vector<double>& noise,
                                                    double confidence);

}  // namespace aleator::core::inference
