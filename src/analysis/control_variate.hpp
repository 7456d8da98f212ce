// Statistics of an expansion, corrected by realizations of the model that it has not seen. The expansion is a control variate:
//   T ≈ T(G) + (1/n) Σ (ψ(f_i) − ψ(g_i)),
// with the statistic T(G) of many evaluations, n realizations f_i, the expansion g_i at the same points, and what one realization
// adds to T: ψ(x) = x for a mean, (x − μ)²/2σ for a standard deviation, [x > limit] for a probability and [x ≤ q] for the probability
// below a quantile. The standard error is that of the mean of the n differences, beside that of T(G).
#pragma once

#include <span>
#include <vector>

#include "numerics/series.hpp"
#include "results/study.hpp"

namespace aleator::core::analysis {

// Realizations of the model, and what an expansion that has not seen them says.
struct Judges {
  long n = 0;
  std::vector<double> model, expansion;       // [n][times x channels]
  std::vector<double> limits;                 // [n][limits] where these are random, else empty
  std::vector<ReductionSettings> reductions;  // [n][scalars] likewise
};

// How model and expansion differ about x ≤ level.
struct Disagreement {
  double shift = 0;              // mean of [f ≤ level] − [g ≤ level]
  double chance = 0;             // that they differ
  double error(double n) const;  // of the shift
};
// Of n realizations few may differ, or none: the chance is at least the density of the expansion at the level times the mean |f − g|.
Disagreement disagreement(std::span<const double> model, std::span<const double> expansion, double level, double density);
double mean_distance(std::span<const double> model, std::span<const double> expansion);  // of those that are finite

// A probability of exceeding; within [0, 1].
results::Estimate corrected_probability(const results::Estimate& of_expansion, const Disagreement& below, double n);
// Values may be infinite or NaN where a realization has none: `share` of the expansion's have one.
results::Estimate corrected_mean(const results::Estimate& of_expansion, std::span<const double> model,
                                 std::span<const double> expansion, double share);
results::Estimate corrected_std(const results::Estimate& of_expansion, double mean, std::span<const double> model,
                                std::span<const double> expansion, double share);

}  // namespace aleator::core::analysis
