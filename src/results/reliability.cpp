#include "results/reliability.hpp"

#include <cmath>
#include <numbers>

namespace aleator {

// Newton's method on ln Φ(−β), which bends little: from above it comes down without overshooting much.
double Reliability::Probability::beta() const {
  if (!(probability >= 0 && probability <= 1)) return std::numeric_limits<double>::quiet_NaN();
  if (probability == 0 || probability == 1) return (probability == 0 ? 1 : -1) * std::numeric_limits<double>::infinity();
  const bool rare = probability <= 0.5;
  const double p = rare ? probability : 1 - probability;
  double x = p > 0.3 ? 0.5 : std::sqrt(-2 * std::log(p));
  for (int i = 0; i < 50; ++i) {
    const double tail = std::erfc(x / std::numbers::sqrt2) / 2;
    const double density = std::exp(-x * x / 2) / std::sqrt(2 * std::numbers::pi);
    const double step = (std::log(tail) - std::log(p)) * tail / density;
    x += step;
    if (std::abs(step) < 1e-14 * (1 + x)) break;
  }
  return rare ? x : -x;
}

}  // namespace aleator
