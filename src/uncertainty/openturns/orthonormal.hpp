// Polynomials orthonormal under a density, and Gauss rules from a recurrence. Without OpenTURNS: its own procedure ends laws
// at a probability of 1e-14, which a law with an exponential tail feels from the tenth moment on.
#pragma once

#include <functional>
#include <vector>

#include "numerics/polynomials.hpp"

namespace aleator::core {

// A law of one number by its density. `breaks` are in ascending order, from the lower to the upper end of the support, either
// of which may be infinite; between them the density is smooth and has one maximum at most, or rises or falls to an end.
struct Density {
  std::function<double(double)> pdf;
  std::vector<double> breaks;  // [panels + 1], at least one of them finite
  double mean, standard_deviation;
};

// By Stieltjes' procedure, in z = (x − mean)/standard deviation. Throws std::invalid_argument when the density does not integrate
// to one.
PolynomialFamily stieltjes(const Density& density, int degree);

// The n nodes are the zeros of p_n (Golub & Welsch); the family must reach degree n.
GaussQuadrature gauss_rule(const PolynomialFamily& family, int n);

}  // namespace aleator::core
