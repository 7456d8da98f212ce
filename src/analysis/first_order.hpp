// First-order second-moment propagation: the response is taken as linear in the random numbers x around their mean m,
//   y ≈ y(m) + Σ_j g_j (x_j − m_j),   g_j ≈ (y(m + δ_j) − y(m − δ_j)) / 2δ_j,
//   mean y(m),   variance gᵀ C g,
// with C the covariance of x. Cheap, and right for small scatter: what curvature does to mean and spread is not seen, only its
// size is: the second difference b_j = (y(m + δ_j) − 2 y(m) + y(m − δ_j)) / 2δ_j² shifts the mean by about Σ_j b_j C_jj.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "results/study.hpp"

namespace aleator::core::analysis {

struct Linearisation {
  std::vector<double> center;               // y(m), [times x channels]
  std::vector<std::vector<double>> slopes;  // [numbers][times x channels]
  std::vector<double> shift;                // of the mean by curvature, [times x channels]
};

// Responses at m, then at m + δ_j and m − δ_j of each number in turn. `variance` of each number.
Linearisation linearise(std::span<const double> responses, std::span<const double> steps, std::span<const double> variance);

// Mean, standard deviation, and the band of a normal law; shares of the variance by groups of numbers, which must be independent
// of each other. Standard errors are NaN: the error is that of the linearisation.
results::StudyStatistics first_order_statistics(const Linearisation& linear, std::span<const double> covariance,
                                                std::span<const int> group_of, std::vector<std::string> groups,
                                                std::span<const double> times, std::span<const double> nominal, int channels,
                                                double confidence, double normal_quantile);

}  // namespace aleator::core::analysis
