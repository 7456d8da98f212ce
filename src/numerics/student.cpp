#include "numerics/student.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace aleator::core {
namespace {

// The continued fraction of the incomplete beta function (Abramowitz & Stegun 26.5.8), by Lentz's method.
double beta_fraction(double a, double b, double x) {
  constexpr double tiny = 1e-300;
  const auto kept = [](double v) { return std::abs(v) < tiny ? tiny : v; };
  double c = 1, d = 1 / kept(1 - (a + b) * x / (a + 1)), value = d;
  for (int m = 1; m < 10000; ++m) {
    const double even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m));
    d = 1 / kept(1 + even * d);
    c = kept(1 + even / c);
    value *= c * d;
    const double odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1));
    d = 1 / kept(1 + odd * d);
    c = kept(1 + odd / c);
    value *= c * d;
    if (std::abs(c * d - 1) < 1e-15) break;
  }
  return value;
}

// I_x(a, b), regularised.
double incomplete_beta(double a, double b, double x) {
  if (x <= 0) return 0;
  if (x >= 1) return 1;
  const double front = std::exp(std::lgamma(a + b) - std::lgamma(a) - std::lgamma(b) + a * std::log(x) + b * std::log1p(-x));
  // the fraction converges fast on this side of the mean
  return x < (a + 1) / (a + b + 2) ? front * beta_fraction(a, b, x) / a : 1 - front * beta_fraction(b, a, 1 - x) / b;
}

double student_density(double t, double freedom) {
  return std::exp(std::lgamma((freedom + 1) / 2) - std::lgamma(freedom / 2) - (freedom + 1) / 2 * std::log1p(t * t / freedom)) /
         std::sqrt(freedom * std::numbers::pi);
}

}  // namespace

double student_tails(double x, double freedom) { return incomplete_beta(freedom / 2, 0.5, freedom / (freedom + x * x)); }

// The logarithm of both tails is a concave, falling function of log t: Newton's method cannot miss.
double student_quantile(double p, double freedom) {
  if (p == 0.5) return 0;
  const double tails = 2 * std::min(p, 1 - p);
  double t = 1;
  for (int k = 0; k < 200; ++k) {
    const double now = student_tails(t, freedom);
    const double change = now * std::log(now / tails) / (2 * student_density(t, freedom) * t);
    t *= std::exp(change);
    if (std::abs(change) < 1e-15) break;
  }
  return p < 0.5 ? -t : t;
}

}  // namespace aleator::core
