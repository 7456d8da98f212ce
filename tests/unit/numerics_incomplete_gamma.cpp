// The incomplete gamma function and its inverse, against closed forms and against each other.
#include "numerics/incomplete_gamma.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "numerics/normal_quantile.hpp"

namespace aleator::core {
namespace ALEATOR_FILE {

// P(1, x) = 1 − e⁻ˣ, P(½, x) = erf √x, Q(3, x) = e⁻ˣ (1 + x + x²/2).
TEST(IncompleteGamma, closed_forms) {
  for (const double x : {1e-8, 0.1, 0.7, 1.5, 3.0, 20.0, 200.0}) {
    const auto near = [](double value, double exact) {
      EXPECT_NEAR(value, exact, 2e-14 * exact);
    };  // round-off of the exponential
    near(incomplete_gamma(1, x).lower, -std::expm1(-x));
    near(incomplete_gamma(1, x).upper, std::exp(-x));
    near(incomplete_gamma(0.5, x).lower, std::erf(std::sqrt(x)));
    near(incomplete_gamma(0.5, x).upper, std::erfc(std::sqrt(x)));
    near(incomplete_gamma(3, x).upper, std::exp(-x) * (1 + x + x * x / 2));
    near(gamma_density(3, x), std::exp(-x) * x * x / 2);
  }
}

// Q(n, x) is the probability that Poisson's variable of mean x is below n; computed with long double.
TEST(IncompleteGamma, large_shapes) {
  for (const int n : {20, 150}) {
    const double x = n * 1.05;
    long double term = std::exp(-(long double)x), sum = 0;
    for (int k = 0; k < n; ++k) sum += term, term *= (long double)x / (k + 1);
    EXPECT_NEAR(incomplete_gamma(n, x).upper, double(sum), 1e-14 * double(sum));
  }
}

TEST(IncompleteGamma, inverse) {
  for (const double a : {0.05, 0.3, 1.0, 4.0, 15.9, 16.1, 400.0, 1e5})
    for (const double p : {1e-200, 1e-33, 1e-9, 0.01, 0.3, 0.5}) {
      const double low = incomplete_gamma_inverse(a, p, 1 - p), high = incomplete_gamma_inverse(a, 1 - p, p);
      // As far as the round-off of x, and of the tail, allows; what is below the least number has no digits.
      const double digits = 1e-12 * std::max(1.0, std::abs(std::log(p)));
      if (low > 1e-280) {
        EXPECT_NEAR(incomplete_gamma(a, low).lower, p, digits * std::max(p, gamma_density(a, low) * low)) << a;
      }
      EXPECT_NEAR(incomplete_gamma(a, high).upper, p, digits * std::max(p, gamma_density(a, high) * high)) << a;
      EXPECT_LE(low, high);
    }
}

// Searches that cross a + 1, end early or late, begin with a power: none notices its neighbours.
TEST(IncompleteGamma, inverse_of_many_is_that_of_each_bitwise) {
  for (const double a : {0.05, 0.3, 1.0, 4.0, 15.9, 16.1, 400.0}) {
    std::vector<double> lower, upper;
    for (int k = 0; k < 3001; ++k) lower.push_back((k + 0.5) / 3001), upper.push_back(1 - lower.back());
    for (const double p : {1e-200, 1e-33, 1e-9}) {
      lower.push_back(p), upper.push_back(1);
      lower.push_back(1), upper.push_back(p);
    }
    std::vector<double> x(lower.size());
    incomplete_gamma_inverse(a, lower, upper, x);
    for (size_t i = 0; i < x.size(); ++i)
      EXPECT_EQ(x[i], incomplete_gamma_inverse(a, lower[i], upper[i])) << a << ' ' << lower[i];
  }
}

TEST(NormalQuantile, is_the_inverse_of_erfc) {
  for (double p = 0.5; p > 1e-300; p /= 7) {
    const double z = lower_normal_quantile(p), slope = std::exp(-z * z / 2) / std::sqrt(2 * std::acos(-1.0));
    EXPECT_NEAR(std::erfc(-z / std::sqrt(2.0)) / 2, p, 4e-15 * std::max(1.0, std::abs(z)) * slope + 1e-15 * p);
  }
}

}  // namespace ALEATOR_FILE
}  // namespace aleator::core
