#include "numerics/chi_squared.hpp"

#include <cassert>
#include <cmath>

#include "numerics/incomplete_gamma.hpp"

namespace aleator::core {

double chi_squared_probability(double x, double freedom) { return incomplete_gamma(freedom / 2, x / 2).lower; }

double chi_squared_tail(double x, double freedom) { return incomplete_gamma(freedom / 2, x / 2).upper; }

// ψ(x) = ψ(x + 1) − 1/x up to where its asymptotic series (Abramowitz & Stegun 6.3.18) is exact to round-off.
double chi_squared_mean_log(double freedom) {
  double x = freedom / 2, psi = 0;
  for (; x < 12; ++x) psi -= 1 / x;
  const double y = 1 / (x * x);
  psi += std::log(x) - 1 / (2 * x) - y * (1.0 / 12 - y * (1.0 / 120 - y * (1.0 / 252 - y * (1.0 / 240 - y / 132))));
  return std::log(2.0) + psi;
}

double chi_squared_quantile(double p, double freedom) {
  assert(p >= 0 && p < 1 && freedom > 0);
  double below = 0, above = freedom + 1;
  while (chi_squared_probability(above, freedom) < p) above *= 2;
  while (true) {
    const double middle = below + (above - below) / 2;
    if (middle <= below || middle >= above) return middle;
    (chi_squared_probability(middle, freedom) < p ? below : above) = middle;
  }
}

}  // namespace aleator::core
