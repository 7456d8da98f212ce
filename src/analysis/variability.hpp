// Dynamic variability and mean response functions of a random field along a beam (Papadopoulos & Kokkinos, Computational Methods in
// Stochastic Dynamics 2, chapter 2), by "fast Monte Carlo": for each wave number κ realizations whose field is one wave
// f = √2 σ cos(κ s + φ), with phases φ at equal distances, and of their responses u(t)
//   DVRF(t, κ) = Var_φ u(t) / σ²,   DMRF(t, κ) = E_φ u(t) / σ².
// For a field with the two-sided spectrum S, ∫ S dκ = σ²,
//   Var u(t) ≈ ∫ DVRF(t, κ) S(κ) dκ ≤ σ² max_κ DVRF(t, κ),   E u(t) ≈ ∫ DMRF(t, κ) S(κ) dκ.
// The first is exact where the response is linear in f: statically determinate structures.
#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <vector>

#include "results/study.hpp"

namespace aleator::core::analysis {

// [times][channels] of a realization; those of a wave number follow each other, one for each phase.
using ResponseOfRow = std::function<std::vector<double>(long row)>;
// Fills dvrf, dmrf and bound: sigma, phases and wave numbers are known.
void add_response_functions(const ResponseOfRow& response, std::size_t times, std::size_t channels, results::Variability& v);

// Mean and standard deviation over time for a spectrum with these weights of the wave numbers (uncertainty/spectrum.hpp).
struct Predicted {
  std::vector<double> mean, std;  // [times]
};
Predicted predicted(const results::Variability::OfChannel& of, double sigma, std::span<const double> weights);

// As statistics of a study: the band is that of a normal distribution. Standard errors are NaN: the error is that of the theory.
results::StudyStatistics variability_statistics(const results::Variability& v, std::span<const double> nominal, std::size_t times,
                                                double confidence, double normal_quantile);

}  // namespace aleator::core::analysis
