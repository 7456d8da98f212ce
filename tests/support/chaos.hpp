// What tests of quadratures and expansions need: polynomials by their known recurrences, Gauss rules, random points.
#pragma once

#include <cmath>
#include <functional>
#include <map>
#include <span>
#include <utility>
#include <vector>

#include "analysis/chaos.hpp"
#include "design/quadrature.hpp"
#include "numerics/dense.hpp"
#include "numerics/polynomials.hpp"
#include "uncertainty/stream.hpp"

namespace aleator::core::test {

// Orthonormal under the uniform law on [−1, 1].
inline PolynomialFamily legendre(int degree = 40) {
  PolynomialFamily f{"Legendre", 0, 1, {}};
  for (int i = 0; i < degree; ++i) {
    const double n = i;
    f.recurrence.push_back(
        {std::sqrt((2 * n + 1) * (2 * n + 3)) / (n + 1), 0, i == 0 ? 0 : -n / (n + 1) * std::sqrt((2 * n + 3) / (2 * n - 1))});
  }
  return f;
}

// Orthonormal under the standard normal law.
inline PolynomialFamily hermite(int degree = 40) {
  PolynomialFamily f{"Hermite", 0, 1, {}};
  for (int i = 0; i < degree; ++i) f.recurrence.push_back({1 / std::sqrt(i + 1.0), 0, -std::sqrt(i / (i + 1.0))});
  return f;
}

// Golub and Welsch (1969): nodes are the eigenvalues of the Jacobi matrix, weights the squares of the first components.
inline GaussQuadrature gauss_rule(const PolynomialFamily& f, int n) {
  Eigen::MatrixXd jacobi = Eigen::MatrixXd::Zero(n, n);
  for (int i = 0; i < n; ++i) {
    const auto& [a, b, c] = f.recurrence[std::size_t(i)];
    jacobi(i, i) = -b / a;
    if (i + 1 < n) jacobi(i, i + 1) = jacobi(i + 1, i) = 1 / a;
  }
  const dense::SymmetricEigen eigen = dense::symmetric_eigen(jacobi);
  GaussQuadrature g;
  for (int i = 0; i < n; ++i) {
    g.nodes.push_back(eigen.values[i]);
    g.weights.push_back(eigen.vectors(0, i) * eigen.vectors(0, i));
  }
  return g;
}

class GaussRules {
 public:
  explicit GaussRules(std::vector<PolynomialFamily> families) : families_(std::move(families)) {}
  GaussRule provider() {
    return [this](int variable, int n) -> const GaussQuadrature& {
      GaussQuadrature& g = made_[{variable, n}];
      if (g.nodes.empty()) g = gauss_rule(families_[std::size_t(variable)], n);
      return g;
    };
  }

 private:
  std::vector<PolynomialFamily> families_;
  std::map<std::pair<int, int>, GaussQuadrature> made_;
};

// [n][d] independent random points under the laws of the families.
inline std::vector<double> random_points(const std::vector<PolynomialFamily>& families, int n, std::uint64_t seed) {
  std::vector<double> z;
  for (int k = 0; k < n; ++k)
    for (std::size_t j = 0; j < families.size(); ++j) {
      Stream s(seed, std::uint64_t(k), j);
      z.push_back(families[j].name == "Hermite" ? s.normal() : 2 * s.uniform() - 1);
    }
  return z;
}

// f at all points: [n][outputs].
using Function = std::function<std::vector<double>(std::span<const double> z)>;
inline analysis::RowMatrix responses(const Function& f, std::span<const double> points, std::size_t dimension) {
  analysis::RowMatrix y;
  for (std::size_t i = 0; i < points.size() / dimension; ++i) {
    const std::vector<double> v = f(points.subspan(i * dimension, dimension));
    if (i == 0) y.resize(Eigen::Index(points.size() / dimension), Eigen::Index(v.size()));
    for (std::size_t j = 0; j < v.size(); ++j) y(Eigen::Index(i), Eigen::Index(j)) = v[j];
  }
  return y;
}

// Polynomials Σ c ∏ z_j^{k_j} with random coefficients in ]−1, 1[, as monomials: not by the recurrences.
inline Function random_polynomials(const std::vector<int>& degrees, std::size_t dimension, int outputs, std::uint64_t seed) {
  return [=](std::span<const double> z) {
    std::vector<double> sum(std::size_t(outputs), 0.0);
    for (std::size_t k = 0; k < degrees.size() / dimension; ++k) {
      double monomial = 1;
      for (std::size_t j = 0; j < dimension; ++j) monomial *= std::pow(z[j], degrees[k * dimension + j]);
      for (std::size_t i = 0; i < sum.size(); ++i) sum[i] += (2 * Stream(seed, k, i).uniform() - 1) * monomial;
    }
    return sum;
  };
}

}  // namespace aleator::core::test
