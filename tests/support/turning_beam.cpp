#include "support/turning_beam.hpp"

namespace aleator::core::test {
namespace {

// The coefficients of w = Σ aₖ xᵏ follow from a₂ and a₃ (method of Frobenius):
//   (k+4)(k+3)(k+2)(k+1) aₖ₊₄ = ½ η² ((k+2)(k+1) aₖ₊₂ − k(k−1) aₖ) − η² k aₖ + μ² aₖ,
// and μ is where the two solutions have no moment and shear force at the tip: a determinant changes its sign.
double at_the_tip(double eta, double mu) {
  double tip[2][2] = {};  // [solution][w'', w''']
  for (const int begins : {2, 3}) {
    std::vector<double> a(200, 0.0);
    a[std::size_t(begins)] = 1;
    for (std::size_t i = 0; i + 4 < a.size(); ++i) {
      const double k = double(i);
      a[i + 4] = (0.5 * eta * eta * ((k + 2) * (k + 1) * a[i + 2] - k * (k - 1) * a[i]) + (mu * mu - eta * eta * k) * a[i]) /
                 ((k + 4) * (k + 3) * (k + 2) * (k + 1));
      tip[begins - 2][0] += k * (k - 1) * a[i];
      tip[begins - 2][1] += k * (k - 1) * (k - 2) * a[i];
    }
  }
  return tip[0][0] * tip[1][1] - tip[0][1] * tip[1][0];
}

}  // namespace

std::vector<double> flap_frequencies(double eta, std::size_t count) {
  std::vector<double> out;
  for (double low = 0.5; out.size() < count; low += 0.5) {
    double a = low, b = low + 0.5;
    if ((at_the_tip(eta, a) > 0) == (at_the_tip(eta, b) > 0)) continue;
    for (int i = 0; i < 60; ++i) {
      const double c = 0.5 * (a + b);
      ((at_the_tip(eta, a) > 0) == (at_the_tip(eta, c) > 0) ? a : b) = c;
    }
    out.push_back(a);
  }
  return out;
}

}  // namespace aleator::core::test
