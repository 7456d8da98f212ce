// χ² against tables, and against closed forms.
#include "numerics/chi_squared.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace aleator::core {
namespace ALEATOR_FILE {

TEST(ChiSquared, tabulated_quantiles) {
  // R's qchisq, 16 digits; ours is limited by round-off of the probability, ε / density
  EXPECT_NEAR(chi_squared_quantile(0.95, 1), 3.841458820694124, 1e-10);
  EXPECT_NEAR(chi_squared_quantile(0.95, 2), 5.991464547107979, 1e-10);
  EXPECT_NEAR(chi_squared_quantile(0.95, 3), 7.814727903251179, 1e-10);
  EXPECT_NEAR(chi_squared_quantile(0.95, 4), 9.487729036781154, 1e-10);
  EXPECT_NEAR(chi_squared_quantile(0.99, 1), 6.634896601021213, 1e-10);
  EXPECT_NEAR(chi_squared_quantile(0.5, 10), 9.341817765591967, 1e-10);
  EXPECT_EQ(chi_squared_quantile(0, 3), 0);
}

TEST(ChiSquared, closed_forms) {
  // round-off of series and continued fraction
  for (const double x : {1e-6, 0.1, 1.0, 2.9, 3.1, 10.0, 60.0}) {
    EXPECT_NEAR(chi_squared_probability(x, 1), std::erf(std::sqrt(x / 2)), 1e-14);
    EXPECT_NEAR(chi_squared_probability(x, 2), -std::expm1(-x / 2), 1e-14);
    EXPECT_NEAR(chi_squared_probability(x, 4), 1 - (1 + x / 2) * std::exp(-x / 2), 1e-14);
  }
  EXPECT_EQ(chi_squared_probability(0, 5), 0);
  EXPECT_EQ(chi_squared_probability(-1, 5), 0);
}

TEST(ChiSquared, mean_of_the_logarithm) {
  // ln 2 + ψ(ν/2): ψ(1/2) = −γ − 2 ln 2, ψ(1) = −γ, ψ(n + 1) = ψ(n) + 1/n; the series is good to round-off
  const double euler = 0.57721566490153286;
  EXPECT_NEAR(chi_squared_mean_log(1), -euler - std::log(2.0), 1e-14);
  EXPECT_NEAR(chi_squared_mean_log(2), std::log(2.0) - euler, 1e-14);
  EXPECT_NEAR(chi_squared_mean_log(8), std::log(2.0) - euler + 1 + 1.0 / 2 + 1.0 / 3, 1e-14);
  EXPECT_NEAR(chi_squared_mean_log(1e6), std::log(1e6) - 1e-6, 1e-12);  // ψ(x) ≈ ln x − 1/2x
}

TEST(ChiSquared, quantile_is_the_inverse) {
  for (const double freedom : {0.5, 1.0, 7.0, 200.0})
    for (const double p : {1e-6, 0.1, 0.5, 0.9, 0.999999})
      EXPECT_NEAR(chi_squared_probability(chi_squared_quantile(p, freedom), freedom), p, 1e-12);  // lgamma of 100: 1e-13 of it
}

TEST(ChiSquared, tails) {
  // computed with 30 digits (mpmath) from the incomplete gamma function
  struct Row {
    double x, freedom, p;
  };
  for (const Row& r :
       {Row{3.841458820694124, 1, 0.05}, Row{18.307038053275146, 10, 0.05}, Row{0.5, 3, 0.9188914116546759},
        Row{120, 100, 0.08440668109369183}, Row{10500, 10000, 0.0002479473679893609}, Row{60, 5, 1.215456977718304e-11}})
    EXPECT_NEAR(chi_squared_tail(r.x, r.freedom), r.p, 1e-10 * r.p) << r.x;  // round-off of lgamma, some 1e-11 for 10000
  EXPECT_NEAR(chi_squared_tail(7, 2), std::exp(-3.5), 1e-15);                // closed form
  EXPECT_EQ(chi_squared_tail(0, 4), 1);
}

}  // namespace ALEATOR_FILE
}  // namespace aleator::core
