// How well the statistics of an output are known: standard errors integrated over time,
//   mean  ∫ s_μ dt / ∫ √(μ² + σ²) dt,    std  ∫ s_σ dt / ∫ σ dt,    band  ∫ (s_lower + s_upper)/2 dt / ∫ (upper − lower) dt.
// The mean is measured against the size of the response, not against itself: it may well be zero.
#pragma once

#include <span>

#include "results/study.hpp"

namespace aleator::core::analysis {

// NaN where the errors are not known (a single realization) or what they are compared with is zero.
results::Accuracy accuracy_of(std::span<const double> times, const results::ChannelStatistics& channel);

}  // namespace aleator::core::analysis
