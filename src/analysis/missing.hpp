// What realizations that failed could do to statistics, had they not: between which numbers these would lie. k realizations are
// there, m are missing.
#pragma once

#include <cmath>

#include "results/study.hpp"

namespace aleator::core::analysis {

// Whatever the missing ones are, the p-quantile of all k + m lies between two quantiles of those there are: with all missing ones at
// −∞ its rank p (k + m − 1) falls m places lower among these, with all at +∞ it stays. As probabilities of quantile(); −∞ or +∞
// where the rank falls on a missing one, so that there is no bound.
results::Range quantile_places(double p, double there, double missing);

// Whatever they are: either none or all of them are beyond the limit.
results::Range probability_with_missing(double probability, double there, double missing);

// Without an assumption there is no bound on these: if the missing ones lie between the smallest and the largest that is there.
results::Range mean_with_missing(double mean, double minimum, double maximum, double there, double missing);
results::Range std_with_missing(double mean, double std, double minimum, double maximum, double there, double missing);

// The quantile at such a place, by a function that has quantiles of probabilities from 0 to 1.
template <class Quantile>
results::Range quantiles_at(const results::Range& places, Quantile&& quantile) {
  const auto at = [&](double p) { return std::isfinite(p) ? quantile(p) : p; };
  return {at(places.low), at(places.high)};
}

// Of all times: mean and std of a channel that has its other statistics.
void bound_moments(results::ChannelStatistics& channel, double there, double missing);
// Of a limit that has its probabilities.
void bound_probabilities(results::LimitStatistics& limit, double there, double missing);

}  // namespace aleator::core::analysis
