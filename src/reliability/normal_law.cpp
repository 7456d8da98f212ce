#include "reliability/normal_law.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

namespace aleator::core::reliability {

double normal_density(double x) { return std::exp(-0.5 * x * x) / std::sqrt(2 * std::numbers::pi); }
double normal_probability(double x) { return 0.5 * std::erfc(-x / std::numbers::sqrt2); }
double normal_tail(double x) { return 0.5 * std::erfc(x / std::numbers::sqrt2); }

double tail_quantile(double p) {
  if (!(p > 0)) return std::numeric_limits<double>::infinity();
  if (p >= 1) return -std::numeric_limits<double>::infinity();
  if (p > 0.5) return -tail_quantile(1 - p);
  // Abramowitz & Stegun 26.2.23, then Newton's method on ln Φ(−x), which is concave and nearly quadratic.
  const double t = std::sqrt(-2 * std::log(p));
  double x = t - (2.515517 + t * (0.802853 + t * 0.010328)) / (1 + t * (1.432788 + t * (0.189269 + t * 0.001308)));
  for (int i = 0; i < 4; ++i) {
    const double tail = normal_tail(x);
    if (tail <= 0) break;
    x += (std::log(tail) - std::log(p)) * tail / normal_density(x);
  }
  return x;
}

double normal_quantile(double p) { return -tail_quantile(p); }

double beyond(double from, double p) {
  const double tail = normal_tail(from) * p;
  if (tail > 1e-300) return std::max(from, tail_quantile(tail));
  return std::sqrt(from * from - 2 * std::log(p));  // Φ(−x) ~ exp(−x²/2)/x
}

}  // namespace aleator::core::reliability
