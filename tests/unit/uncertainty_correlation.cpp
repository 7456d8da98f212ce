// Correlation functions by their formulas, tables, and what is refused.
#include "support/message_of.hpp"
#include "uncertainty/correlation.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <stdexcept>
#include <string>

namespace aleator::core {
namespace ALEATOR_FILE {

using enum Correlation::Kind;

std::string refusal(const Correlation& correlation) {
  return test::message_of<std::invalid_argument>([&] { correlation.check(); });
}

TEST(UncertaintyCorrelation, closed_forms) {
  const double e = std::exp(1.0);
  // At 1/√3 and 1/√5 of the length the exponents of Matérn's functions are 1. Round-off.
  EXPECT_NEAR(Correlation({squared_exponential, 2})(1), std::exp(-0.25), 1e-15);
  EXPECT_NEAR(Correlation({exponential, 2})(1), std::exp(-0.5), 1e-15);
  EXPECT_NEAR(Correlation({matern32, 2})(2 / std::sqrt(3)), 2 / e, 1e-15);
  EXPECT_NEAR(Correlation({matern52, 2})(2 / std::sqrt(5)), 7 / (3 * e), 1e-15);
  for (const Correlation::Kind kind : {squared_exponential, exponential, matern32, matern52}) {
    const Correlation rho{kind, 0.7};
    EXPECT_EQ(rho(0), 1);
    EXPECT_LT(rho(100), 1e-20);
    for (double d = 0; d < 3; d += 0.1) EXPECT_GT(rho(d), rho(d + 0.1));
    EXPECT_EQ(refusal(rho), "no error");
  }
}

TEST(UncertaintyCorrelation, curvature_at_zero_is_that_of_the_smooth_ones) {
  // 1 − ρ(d) = c d²/a² + O(d³): c = 1, 3/2, 5/6; with d = 1e-4 the next term is below 1e-3 of it, and so is round-off (1e-8).
  const double d = 1e-4, a = 0.5;
  const auto curvature = [&](Correlation::Kind kind) { return (1 - Correlation{kind, a}(d)) * a * a / (d * d); };
  EXPECT_NEAR(curvature(squared_exponential), 1, 1e-3);
  EXPECT_NEAR(curvature(matern32), 1.5, 1e-3);
  EXPECT_NEAR(curvature(matern52), 5.0 / 6, 1e-3);
}

TEST(UncertaintyCorrelation, a_table_is_linear_between_and_constant_after) {
  const Correlation with_zero{table, 1, {0, 0.2, 0.5}, {1, 0.6, 0.3}}, without{table, 1, {0.2, 0.5}, {0.6, 0.3}};
  for (const Correlation& rho : {with_zero, without}) {
    EXPECT_EQ(rho(0), 1);
    EXPECT_NEAR(rho(0.1), 0.8, 1e-15);  // round-off
    EXPECT_NEAR(rho(0.2), 0.6, 1e-15);
    EXPECT_NEAR(rho(0.4), 0.4, 1e-15);
    EXPECT_EQ(rho(0.5), 0.3);
    EXPECT_EQ(rho(7), 0.3);
    EXPECT_EQ(refusal(rho), "no error");
  }
}

TEST(UncertaintyCorrelation, refusals) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(refusal({exponential, 0}), "the correlation length must be positive, not 0 m");
  EXPECT_EQ(refusal({exponential, nan}), "the correlation length must be positive, not nan m");
  EXPECT_EQ(refusal({table, 1, {}, {}}), "a table of correlations needs an entry");
  EXPECT_EQ(refusal({table, 1, {1, 2}, {0.5}}), "a table of correlations needs as many values as distances, not 1 and 2");
  EXPECT_EQ(refusal({table, 1, {-1}, {0.5}}), "distances of correlations are 0 or more, not -1 m");
  EXPECT_EQ(refusal({table, 1, {1, 1}, {0.5, 0.4}}), "distances of correlations must increase: 1 m is followed by 1 m");
  EXPECT_EQ(refusal({table, 1, {1}, {1.5}}), "a correlation is between -1 and 1, not 1.5 (at 1 m)");
  EXPECT_EQ(refusal({table, 1, {1}, {nan}}), "a correlation is between -1 and 1, not nan (at 1 m)");
  EXPECT_EQ(refusal({table, 1, {0, 1}, {0.9, 0.5}}), "the correlation at distance 0 is 1, not 0.9");
}

}  // namespace ALEATOR_FILE
}  // namespace aleator::core
