// Points and weights in several independent variables, made of Gauss rules of one:  Σ w f(z) ≈ E{f(Z)}.
//
// Tensor, n points per variable: exact for polynomials of degree at most 2n − 1 in each variable; nᵈ points.
//
// Smolyak, by the combination of tensor rules with lᵢ + 1 points in variable i,
//   A = Σ (−1)^(L−|l|) C(d−1, L−|l|) ⊗ᵢ Q(lᵢ+1),   L−d+1 ≤ |l| ≤ L,
// exact for sums of monomials z^k with Σ ⌊kᵢ/2⌋ ≤ L, among them all of total degree at most 2L + 1: what the projection on
// polynomials of total degree L asks for. Some weights are negative.
#pragma once

#include <functional>
#include <vector>

#include "numerics/polynomials.hpp"

namespace aleator::core {

// The Gauss rule of a variable with n points.
using GaussRule = std::function<const GaussQuadrature&(int variable, int n)>;

struct Quadrature {
  int dimension = 0;
  std::vector<double> points;   // [n][dimension], of z
  std::vector<double> weights;  // [n]
  long size() const { return long(weights.size()); }
};

Quadrature tensor_quadrature(int dimension, int n, const GaussRule& rule);
Quadrature smolyak_quadrature(int dimension, int level, const GaussRule& rule);

// How many points these have: a real number, which does not overflow. Of Smolyak at most so many: nodes that rules have in common,
// as the centre of those with an odd number, count once in the end.
double tensor_quadrature_size(int dimension, int n);
double smolyak_quadrature_size(int dimension, int level);

}  // namespace aleator::core
