#include "inference/student_and_chi_squared.hpp"

#include <cmath>
#include <numbers>

#include "analysis/two_sample.hpp"

namespace aleator::inference {
namespace {

constexpr int most_terms = 1000000;  // the series and the fraction need some √a of them

double student_density(double t, double freedom) {
  return std::exp(std::lgamma((freedom + 1) / 2) - std::lgamma(freedom / 2) - (freedom + 1) / 2 * std::log1p(t * t / freedom)) /
         std::sqrt(freedom * std::numbers::pi);
}

// Σ_k x^k / ((a+1) … (a+k)): the lower incomplete gamma function but for a factor (Abramowitz & Stegun 6.5.29).
double lower_series(double a, double x) {
  double term = 1, sum = 1;
  for (int k = 1; k < most_terms && term > 1e-17 * sum; ++k) {
    term *= x / (a + k);
    sum += term;
  }
  return sum;
}

// The continued fraction of the upper one (6.5.31), by Lentz's method; all its denominators are positive where x > a.
double upper_fraction(double a, double x) {
  double b = x + 1 - a, c = 1e300, d = 1 / b, value = d;
  for (int k = 1; k < most_terms; ++k) {
    const double numerator = -k * (k - a);
    b += 2;
    d = 1 / (numerator * d + b);
    c = b + numerator / c;
    value *= c * d;
    if (std::abs(c * d - 1) < 1e-15) break;
  }
  return value;
}

}  // namespace

// The logarithm of both tails is a concave, falling function of log t: Newton's method cannot miss.
double student_quantile(double p, double freedom) {
  if (p == 0.5) return 0;
  const double tails = 2 * std::min(p, 1 - p);
  double t = 1;
  for (int k = 0; k < 200; ++k) {
    const double now = analysis::student_tails(t, freedom);
    const double change = now * std::log(now / tails) / (2 * student_density(t, freedom) * t);
    t *= std::exp(change);
    if (std::abs(change) < 1e-15) break;
  }
  return p < 0.5 ? -t : t;
}

double chi_squared_tail(double x, double freedom) {
  if (!(x > 0)) return 1;
  const double a = freedom / 2, z = x / 2;
  const double front = std::exp(a * std::log(z) - z - std::lgamma(a));
  return z < a + 1 ? 1 - front / a * lower_series(a, z) : front * upper_fraction(a, z);
}

}  // namespace aleator::inference
