// How likely measured responses are, were they specimens of the simulated kind. Of N reduced simulations η_i with mean m and
// covariance C, and noise of covariance S:
//   kernel    p(η) = (1/N) Σ_i N(η; m + a (η_i − m), (a s λ_i)² C + S),   s = (4/(N(q+2)))^(1/(q+4)),
//             a = 1/√((N−1)/N + s² mean λ²)
//   moments   p(η) = N(η; m, C + S)
// With λ = 1 the kernel is Soize's: unlike Silverman's, of the same width, it keeps mean and covariance. Where simulations are
// sparse, one width for all makes the density of an outlying specimen a matter of chance, by many units of its logarithm; so with two
// or more components kernels are wider there (Abramson 1982), λ_i ∝ p̃(η_i)^(−1/q) with a first estimate p̃; with one, λ is that of Silverman for heavy tails. The noise is convolved exactly.
//
// One factor a for all draws the crowded middle a little too close: with normal simulations (N = 2000, q = 3) the most likely scale is
// 4 % too large. A factor for each kernel mends that and is worse where tails are heavy: the scale of the five bodies 6 % too small.
#pragma once

#include <Eigen/Core>
#include <vector>

#include "inference/reduction.hpp"

namespace aleator::core::inference {

enum class Density { kernel, moments };

// The λ_i of simulations [N][q].
Eigen::ArrayXd kernel_widths(const Eigen::MatrixXd& simulated);

// log p of each row of `observed`, [any][q], from simulations [N][q]. Always finite. Throws std::invalid_argument if N < q + 2.
// `widths`: [N] of the kernel; empty: they are found.
std::vector<double> log_densities(const Eigen::MatrixXd& simulated, const Eigen::MatrixXd& noise, const Eigen::MatrixXd& observed,
                                  Density density, const Eigen::ArrayXd& widths = {});

// … of each measured specimen, and their sum.
std::vector<double> log_densities(const Reduction& reduction, const Reduced& simulated, Density density);
double log_likelihood(const Reduction& reduction, const Reduced& simulated, Density density);

}  // namespace aleator::core::inference
