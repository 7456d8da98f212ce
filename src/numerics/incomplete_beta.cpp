#include "numerics/incomplete_beta.hpp"

#include <cmath>

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

}  // namespace

double incomplete_beta(double a, double b, double x) {
  if (x <= 0) return 0;
  if (x >= 1) return 1;
  const double front = std::exp(std::lgamma(a + b) - std::lgamma(a) - std::lgamma(b) + a * std::log(x) + b * std::log1p(-x));
  // the fraction converges fast on this side of the mean
  return x < (a + 1) / (a + b + 2) ? front * beta_fraction(a, b, x) / a : 1 - front * beta_fraction(b, a, 1 - x) / b;
}

double incomplete_beta_inverse(double a, double b, double p) {
  double below = 0, above = 1;
  while (true) {
    const double middle = below + (above - below) / 2;
    if (middle <= below || middle >= above) return middle;
    (incomplete_beta(a, b, middle) < p ? below : above) = middle;
  }
}

CountInterval clopper_pearson(double count, double trials, double confidence) {
  const double outside = (1 - confidence) / 2;
  return {count <= 0 ? 0 : incomplete_beta_inverse(count, trials - count + 1, outside),
          count >= trials ? 1 : incomplete_beta_inverse(count + 1, trials - count, 1 - outside)};
}

}  // namespace aleator::core
