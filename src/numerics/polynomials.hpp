// Polynomials of one variable that are orthonormal under a law, by their recurrence:
//   p₀ = 1,   pₙ₊₁(z) = (aₙ z + bₙ) pₙ(z) + cₙ pₙ₋₁(z),   z = (x − center)/scale.
#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace aleator::core {

struct PolynomialFamily {
  std::string name;                               // "Hermite", "Legendre", "Laguerre", "Jacobi", "Stieltjes"
  double center = 0, scale = 1;                   // of x, the variable the law is about
  std::vector<std::array<double, 3>> recurrence;  // [highest degree] aₙ, bₙ, cₙ

  double standard(double x) const { return (x - center) / scale; }
  double variable(double z) const { return center + scale * z; }

  // p₀(z) … into `out`, as many as it holds: at most recurrence.size() + 1.
  void evaluate(double z, std::span<double> out) const {
    double before = 0, now = 1;
    for (std::size_t n = 0; n < out.size(); ++n) {
      out[n] = now;
      if (n == recurrence.size()) break;
      const auto& [a, b, c] = recurrence[n];
      const double next = (a * z + b) * now + c * before;
      before = now;
      now = next;
    }
  }
};

// Σ w f(z) is the mean of f under the law, exact for polynomials of degree 2n − 1.
struct GaussQuadrature {
  std::vector<double> nodes, weights;  // [n], of z
};

}  // namespace aleator::core
