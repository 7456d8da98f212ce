// Wishart-type matrices: density proportional to det(W)^(a−2) exp(−tr W) over symmetric positive definite 3 × 3 matrices.
#pragma once

#include <array>
#include <cmath>
#include <numbers>

#include "numerics/vec3.hpp"
#include "uncertainty/stream.hpp"

namespace aleator::core {

// W = L Lᵀ, L lower triangular with l_ii² ~ Gamma(a − (i−1)/2) and l_ij ~ N(0, ½), all independent (Bartlett). a > 1. By rows: l11; l21, l22; l31, l32, l33.
template <class T>
using WishartFactor = std::array<T, 6>;
constexpr int diagonal_of_factor[] = {0, 2, 5};

inline WishartFactor<double> draw_wishart_factor(double a, Stream& stream) {
  WishartFactor<double> l;
  for (int i = 0, at = 0; i < 3; ++i, ++at) {
    const double diagonal = std::sqrt(stream.gamma(a - 0.5 * i));
    for (int j = 0; j < i; ++j) l[std::size_t(at++)] = std::numbers::sqrt2 / 2 * stream.normal();
    l[std::size_t(at)] = diagonal;
  }
  return l;
}

// S L Lᵀ S, S diagonal.
template <class T>
Mat3<T> wishart_matrix(const WishartFactor<T>& l, const Vec3<double>& scale) {
  std::array<T, 6> s;
  for (std::size_t i = 0, at = 0; i < 3; ++i)
    for (std::size_t j = 0; j <= i; ++j, ++at) s[at] = T(scale[int(i)]) * l[at];
  const T xx = s[0] * s[0], xy = s[1] * s[0], xz = s[3] * s[0], yy = s[1] * s[1] + s[2] * s[2], yz = s[3] * s[1] + s[4] * s[2],
          zz = s[3] * s[3] + s[4] * s[4] + s[5] * s[5];
  return {{{xx, xy, xz}, {xy, yy, yz}, {xz, yz, zz}}};
}

// log of ∫ det(W)^(a−2) exp(−tr W) dW = π^(3/2) Γ(a) Γ(a − ½) Γ(a − 1)
inline double log_multivariate_gamma(double a) {
  return 1.5 * std::log(std::numbers::pi) + std::lgamma(a) + std::lgamma(a - 0.5) + std::lgamma(a - 1);
}

}  // namespace aleator::core
