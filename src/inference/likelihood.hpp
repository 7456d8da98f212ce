// How likely measured responses are, were they specimens of the simulated kind. Of N reduced simulations η_i with mean m and
// covariance C, and noise of covariance S:
//   kernel    p(η) = (1/N) Σ_i N(η; m + (ŝ/s)(η_i − m), ŝ² C + S),   s = (4/(N(q+2)))^(1/(q+4)),   ŝ = s/√(s² + (N−1)/N)
//   moments   p(η) = N(η; m, C + S)
// The kernel is Soize's: unlike Silverman's, of the same width, it keeps mean and covariance. The noise is convolved exactly.
#pragma once

#include <Eigen/Dense>
#include <vector>

#include "inference/reduction.hpp"

namespace aleator::inference {

enum class Density { kernel, moments };

// log p of each row of `observed`, [any][q], from simulations [N][q]. Always finite. Throws std::invalid_argument if N < q + 2.
std::vector<double> log_densities(const Eigen::MatrixXd& simulated, const Eigen::MatrixXd& noise, const Eigen::MatrixXd& observed,
                                  Density density);

// … of each measured specimen, and their sum.
std::vector<double> log_densities(const Reduction& reduction, const Reduced& simulated, Density density);
double log_likelihood(const Reduction& reduction, const Reduced& simulated, Density density);

}  // namespace aleator::inference
