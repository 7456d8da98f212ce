#include "numerics/student.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "numerics/incomplete_beta.hpp"

namespace aleator::core {
namespace {

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
