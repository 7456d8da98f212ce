#include "numerics/chi_squared.hpp"

#include <cassert>
#include <cmath>
#include <limits>

namespace aleator::core {
namespace {

constexpr double epsilon = std::numeric_limits<double>::epsilon();
constexpr int most_terms = 1000000;  // the series and the fraction need some √a of them

// P(a, x) = xᵃ e⁻ˣ / Γ(a+1) · (1 + x/(a+1) + x²/((a+1)(a+2)) + …), good for x < a + 1 (Abramowitz & Stegun 6.5.29).
double lower_by_series(double a, double x) {
  double term = 1, sum = 1;
  for (int n = 1; term > epsilon * sum && n < most_terms; ++n) sum += term *= x / (a + n);
  return sum * std::exp(a * std::log(x) - x - std::lgamma(a + 1));
}

// Q(a, x) = 1 − P(a, x) as a continued fraction (6.5.31), by Lentz's method; good for x > a + 1.
double upper_by_fraction(double a, double x) {
  double b = x + 1 - a, c = std::numeric_limits<double>::max(), d = 1 / b, fraction = d, factor = 0;
  for (int n = 1; std::abs(factor - 1) > epsilon && n < most_terms; ++n) {
    const double numerator = -n * (n - a);
    b += 2;
    d = 1 / (numerator * d + b);
    c = b + numerator / c;
    fraction *= factor = c * d;
  }
  return fraction * std::exp(a * std::log(x) - x - std::lgamma(a));
}

bool in_lower_part(double x, double freedom) { return x / 2 < freedom / 2 + 1; }

}  // namespace

double chi_squared_probability(double x, double freedom) {
  if (!(x > 0)) return 0;
  return in_lower_part(x, freedom) ? lower_by_series(freedom / 2, x / 2) : 1 - upper_by_fraction(freedom / 2, x / 2);
}

double chi_squared_tail(double x, double freedom) {
  if (!(x > 0)) return 1;
  return in_lower_part(x, freedom) ? 1 - lower_by_series(freedom / 2, x / 2) : upper_by_fraction(freedom / 2, x / 2);
}

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
