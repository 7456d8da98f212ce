// Products of orthonormal polynomials of independent variables:  Ψ_i(z) = ∏_j p_{i_j}(z_j),  E{Ψ_i Ψ_k} = δ_ik.
#pragma once

#include <Eigen/Core>
#include <limits>
#include <span>
#include <vector>

#include "numerics/polynomials.hpp"

namespace aleator::core::analysis {

// Which products: |i|_q = (Σ i_j^q)^(1/q) ≤ degree. Total degree with q = 1; hyperbolic with q < 1, which prefers few variables at
// a time; the full tensor max i_j ≤ degree with q = ∞.
struct Truncation {
  static constexpr double tensor = std::numeric_limits<double>::infinity();
  int degree = 1;
  double q = 1;
};

// Terms ordered by total degree, then with the higher degrees in the first variables first: term 0 is the constant, 1 … d linear.
struct ChaosBasis {
  std::vector<PolynomialFamily> families;  // [d]
  int terms = 0;
  std::vector<int> degrees;  // [terms][d]

  int dimension() const { return int(families.size()); }
  std::span<const int> degrees_of(int term) const {
    return std::span(degrees).subspan(families.size() * std::size_t(term), families.size());
  }
  int total_degree(int term) const;
};

ChaosBasis make_basis(std::vector<PolynomialFamily> families, const Truncation& truncation);

// How many terms it would have: a real number, which does not overflow.
double count_terms(int dimension, const Truncation& truncation);

// These terms of a basis, in the order given.
ChaosBasis selected(const ChaosBasis& basis, std::span<const int> terms);

// Ψ, [n][terms], at points [n][d] in z.
Eigen::MatrixXd values(const ChaosBasis& basis, std::span<const double> points);

}  // namespace aleator::core::analysis
