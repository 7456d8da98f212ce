// Polynomial chaos: responses as sums of orthonormal polynomials of the random variables,
//   y_j(z) ≈ Σ_k C_kj Ψ_k(z),
// for many outputs j at once: all channels at all times, in the order [times][channels]. Whatever is done to one output is a
// matrix product for all.
#pragma once

#include <Eigen/Core>
#include <span>
#include <string>
#include <vector>

#include "analysis/chaos_basis.hpp"

namespace aleator::core::analysis {

using RowMatrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
using Responses = Eigen::Ref<const RowMatrix>;  // [n][outputs], all finite: a row for each point

struct Expansion {
  ChaosBasis basis;               // term 0 is the constant
  RowMatrix coefficients;         // [terms][outputs]
  std::vector<double> loo;        // [outputs] leave-one-out mean square error, as a share of the sample's variance; NaN where
                                  // nothing scatters, and of a projection
  std::vector<double> scattered;  // [outputs] the sample's variance; NaN of a projection
  long points = 0;                // it rests on
  double condition = 1;           // of Ψ, in the 2-norm; NaN of a sparse fit, where each component has a Ψ of its own
  std::string how;
  RowMatrix
      left_out;  // [n][outputs] y_i less what the fit without point i says there, with the correction for small samples; nothing
                 // of a projection
};

// C = Ψᵀ W Y: the coefficients E{y Ψ_k} by a quadrature.
Expansion project(const ChaosBasis& basis, std::span<const double> points, std::span<const double> weights, const Responses& y);

// min ‖Ψ C − Y‖ by one QR decomposition for all outputs. With the residuals e and the leverages h (the diagonal of Ψ Ψ⁺), the
// error at a point that is left out is e_i/(1 − h_i); its mean square, times the correction for small samples
//   n/(n − P) (1 + tr (ΨᵀΨ)⁻¹)                           (Chapelle, Vapnik & Bengio 2002; Blatman & Sudret 2011),
// is the leave-one-out error.
Expansion least_squares(const ChaosBasis& basis, std::span<const double> points, const Responses& y);

// The same with few of many candidate terms, of which there may be more than points. Each channel is reduced to its principal
// components over time, all but a share of 1e-10 of its variance; least angle regression chooses the terms of each component,
// and as many as have the smallest leave-one-out error. Errors are as of least squares with the terms chosen: the choice itself
// saw all points, which makes them too small, often by a factor of two. The basis that comes back has the terms that any component uses.
Expansion sparse_least_squares(const ChaosBasis& candidates, std::span<const double> points, const Responses& y, int channels);

// [n][outputs] at points [n][d] in z.
RowMatrix evaluate(const Expansion& expansion, std::span<const double> points);

}  // namespace aleator::core::analysis
