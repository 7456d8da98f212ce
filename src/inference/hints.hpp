// What may be wrong with measurements that do not fit: units, signs, the zero of time. They are compared with responses
// simulated all over the admissible range of the parameters, so that no choice of them is an excuse.
#pragma once

#include <string>
#include <vector>

#include "inference/responses.hpp"
#include "results/measurements.hpp"

namespace aleator::core::inference {

std::vector<std::string> hints(const Responses& reference, const results::Measurements& measured);

// Why data and model cannot belong together, whatever the parameters: an output is all zero, or 30 times larger or smaller
// than in any simulation. Empty: they may.
std::string absurd(const Responses& reference, const results::Measurements& measured);

}  // namespace aleator::core::inference
