// How much a chain of dependent draws is worth.
#pragma once

#include <span>

namespace aleator::core::inference {

// Values are [steps][walkers]. τ = 2 ∫ ρ(t) dt up to M (trapezoidal rule), M the smallest with M ≥ 5 τ (Sokal), where ρ is that of all walkers about their
// common mean: a walker that stays apart from the others makes τ long. Infinite when M would be more than a tenth of the steps: that
// chain is too short to tell. 0 when nothing moves.
double autocorrelation_time(std::span<const double> values, int walkers);

// R̂ of the halves in time of each walker: ((n−1)/n + variance of the means / mean of the variances)^½.
double split_r_hat(std::span<const double> values, int walkers);

}  // namespace aleator::core::inference
