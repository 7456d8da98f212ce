// Probabilities from a weighted sample, and how far they can be trusted.
#pragma once

#include <vector>

#include "reliability/harvest.hpp"
#include "results/reliability.hpp"

namespace aleator::core::reliability {

constexpr int event = -1;  // the union of all limits

// By how much a response passes a limit, or the event.
double excess_of(const std::vector<double>& excess, int limit);

// P = Σ wᵢ [excessᵢ > 0], of n members with wᵢ = likelihood ratio / n.
struct WeightedEstimate {
  double probability = 0, cov = 0;  // cov: NaN, where nothing failed
  double effective = 0;             // number of equal weights that say as much: (Σw)²/Σw² of the failing ones
  double largest = 0;               // share of the heaviest failing member in P
  long failing = 0;
};
WeightedEstimate estimate(const Harvest& harvest, int limit);

// With a 95 % interval, that of a normal ln P. cov NaN: no interval.
results::Reliability::Probability probability_of(double probability, double cov);

// The sample in parts that share nothing, and how probable it is that equal ones differ so much.
void compare_parts(const Harvest& harvest, int parts, results::Reliability& found);

// p-value of the hypothesis that estimates with these relative errors have one mean.
double agreement_of(const std::vector<double>& estimates, const std::vector<double>& errors);

}  // namespace aleator::core::reliability
