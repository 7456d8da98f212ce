#include "numerics/binomial.hpp"

#include <cmath>

#include "numerics/incomplete_beta.hpp"

namespace aleator::core {
namespace {

// The x with I_x(a, b) = p. By bisection: of small probabilities in their logarithm, too.
double beta_quantile(double p, double a, double b) {
  double low = 0, high = 1;
  for (int k = 0; k < 200 && high - low > 1e-14 * high; ++k) {
    const double middle = low > 0 && high > 4 * low ? std::sqrt(low * high) : low + (high - low) / 2;
    (incomplete_beta(a, b, middle) < p ? low : high) = middle;
  }
  return low + (high - low) / 2;
}

}  // namespace

BinomialInterval clopper_pearson(double count, double n, double confidence) {
  const double tail = (1 - confidence) / 2;
  return {count > 0 ? beta_quantile(tail, count, n - count + 1) : 0,
          count < n ? beta_quantile(1 - tail, count + 1, n - count) : 1};
}

}  // namespace aleator::core
