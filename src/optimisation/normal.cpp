#include "optimisation/normal.hpp"

#include <cmath>
#include <numbers>

namespace aleator::core::optimisation {

double normal_density(double z) { return std::exp(-0.5 * z * z) * std::numbers::inv_sqrtpi / std::numbers::sqrt2; }

double normal_probability(double z) { return 0.5 * std::erfc(-z / std::numbers::sqrt2); }

// From a rational approximation of the tail (Abramowitz & Stegun 26.2.23, error 4.5e-4), Halley's steps to round-off.
double normal_quantile(double p) {
  if (!(p > 0)) return -INFINITY;
  if (!(p < 1)) return INFINITY;
  const bool left = p < 0.5;
  const double tail = left ? p : 1 - p;
  const double t = std::sqrt(-2 * std::log(tail));
  double z = -(t - (2.515517 + t * (0.802853 + t * 0.010328)) / (1 + t * (1.432788 + t * (0.189269 + t * 0.001308))));
  for (int i = 0; i < 3; ++i) {
    const double step = (normal_probability(z) - tail) / normal_density(z);
    z -= step / (1 + 0.5 * z * step);
  }
  return left ? z : -z;
}

}  // namespace aleator::core::optimisation
