// A mixture of normal densities: where importance sampling draws from.
#pragma once

#include <cstdint>
#include <vector>

#include "numerics/dense.hpp"
#include "reliability/procedure.hpp"

namespace aleator::core::reliability {

struct NormalMixture {
  struct Component {
    double weight = 1;
    std::vector<double> mean;
    dense::MatrixXd factor;      // L of the covariance L Lᵀ; empty: the unit matrix
    double log_determinant = 0;  // of L
  };
  std::vector<Component> components;  // weights sum to 1

  // Number k of a sample.
  std::vector<double> draw(std::uint64_t seed, std::uint64_t k, std::uint64_t purpose) const;
  // ln of (density of the standard normal law / density of the mixture): the likelihood ratio.
  double log_ratio(const std::vector<double>& u) const;
};

// Unit normals about the centres, in proportion to the shares, and `defensive` of the law itself: no likelihood ratio exceeds 1/defensive, and a
// failure far from all centres shows.
NormalMixture about(const std::vector<std::vector<double>>& centres, const std::vector<double>& shares, std::size_t dimension,
                    double defensive);

// Fitted to weighted points by expectation–maximisation, begun at the centres; covariances are shrunk towards the unit matrix as the points are few.
NormalMixture fitted(const std::vector<std::vector<double>>& points, const std::vector<double>& weights,
                     std::vector<std::vector<double>> centres, double defensive);

// Centres of up to k groups of the points: the heaviest, then those farthest from the others (k-means++ without chance), moved to the means of their groups.
std::vector<std::vector<double>> group_centres(const std::vector<std::vector<double>>& points, const std::vector<double>& weights,
                                               std::size_t k);

}  // namespace aleator::core::reliability
