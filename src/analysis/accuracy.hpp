// How well the statistics of an output are known: standard errors integrated over time,
//   mean  ∫ s_μ dt / ∫ √(μ² + σ²) dt,    std  ∫ s_σ dt / ∫ σ dt,    band  ∫ (s_lower + s_upper)/2 dt / ∫ (upper − lower) dt.
// The mean is measured against the size of the response, not against itself: it may well be zero.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "results/study.hpp"

namespace aleator::core::analysis {

// NaN where the errors are not known (a single realization) or what they are compared with is zero.
results::Accuracy accuracy_of(std::span<const double> times, const results::ChannelStatistics& channel);

// Round-off is no scatter, nor is what time stepping leaves: Newton's iterations and adapted steps of everything end elsewhere where one part varies, and
// others follow by up to 4e-10 (positions, velocities) and 1.4e-9 (reactions) of their size. An output whose standard deviation is never
// above this part of the largest value among outputs of its unit does not vary.
constexpr double round_off = 5e-9;
// [channels] the largest of those of the same unit; no units: each its own.
std::vector<double> sizes_by_unit(std::vector<double> own, std::span<const std::string> units);

// Which outputs vary; the accuracies of those that do; no Sobol indices of the others.
void settle(std::span<const double> times, std::span<const std::string> units, results::StudyStatistics& statistics);

}  // namespace aleator::core::analysis
