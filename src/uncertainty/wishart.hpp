// Wishart-type matrices: density proportional to det(W)^(a−2) exp(−tr W) over symmetric positive definite 3 × 3 matrices.
#pragma once

#include <Eigen/Core>
#include <cmath>
#include <numbers>

#include "uncertainty/stream.hpp"

namespace aleator::core {

// W = L Lᵀ, L lower triangular with l_ii² ~ Gamma(a − (i−1)/2) and l_ij ~ N(0, ½), all independent (Bartlett). a > 1.
inline Eigen::Matrix3d draw_wishart_factor(double a, Stream& stream) {
  Eigen::Matrix3d l = Eigen::Matrix3d::Zero();
  for (int i = 0; i < 3; ++i) {
    l(i, i) = std::sqrt(stream.gamma(a - 0.5 * i));
    for (int j = 0; j < i; ++j) l(i, j) = std::numbers::sqrt2 / 2 * stream.normal();
  }
  return l;
}

// log of ∫ det(W)^(a−2) exp(−tr W) dW = π^(3/2) Γ(a) Γ(a − ½) Γ(a − 1)
inline double log_multivariate_gamma(double a) {
  return 1.5 * std::log(std::numbers::pi) + std::lgamma(a) + std::lgamma(a - 0.5) + std::lgamma(a - 1);
}

}  // namespace aleator::core
