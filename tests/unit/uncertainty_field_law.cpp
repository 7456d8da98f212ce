// From the standard Gaussian field to a property: laws by their formulas, and what is refused.
#include "support/message_of.hpp"
#include "uncertainty/field_law.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <stdexcept>

namespace aleator::core {
namespace ALEATOR_FILE {

using enum FieldLaw::Kind;

// Exponential of mean 1: unbounded, with a closed quantile.
class Exponential : public Distribution {
 public:
  double quantile(double p) const override { return -std::log1p(-p); }
  double at_normal(double z) const override { return -std::log(std::erfc(z / std::sqrt(2.0)) / 2); }
  double cdf(double x) const override { return -std::expm1(-x); }
  double pdf(double x) const override { return std::exp(-x); }
  bool has_density() const override { return true; }
  double mean() const override { return 1; }
  double standard_deviation() const override { return 1; }
  double lower() const override { return 0; }
  double upper() const override { return std::numeric_limits<double>::infinity(); }
  bool smooth_germ() const override { return true; }
  PolynomialFamily polynomials(int) const override { return {}; }
  GaussQuadrature gauss(int) const override { return {}; }
  Law law() const override { return {}; }
  std::string words() const override { return "exponential"; }
};

std::string refusal(const FieldLaw& law, double mean) {
  return test::message_of<std::invalid_argument>([&] { law.check(mean); });
}

// E{f(Y)} of a standard normal Y: the trapezoidal rule on ±12, exact to round-off for smooth f.
template <class F>
double expectation(F&& f) {
  double sum = 0;
  const double h = 1.0 / 64;
  for (double y = -12; y <= 12; y += h) sum += h * std::exp(-y * y / 2) / std::sqrt(2 * std::acos(-1.0)) * f(y);
  return sum;
}

TEST(UncertaintyFieldLaw, gaussian_relative_and_absolute) {
  EXPECT_NEAR(FieldLaw({gaussian, 0.01}).value(69e9, 2), 69e9 * 1.02, 1e-15 * 69e9);  // round-off
  EXPECT_NEAR(FieldLaw({gaussian, 0.0034, false}).value(0.34, -1), 0.3366, 1e-16);
  EXPECT_NEAR(FieldLaw({gaussian, 0.1}).value(-5, 1), -5.5, 1e-15);  // the side is that of the mean
  EXPECT_EQ(FieldLaw({gaussian, 0}).value(7, 3), 7);
}

TEST(UncertaintyFieldLaw, lognormal_has_its_mean_and_spread) {
  for (const double cov : {0.01, 0.1, 0.5}) {
    for (const bool relative : {true, false}) {
      const double mean = 3;
      const FieldLaw law{lognormal, relative ? cov : cov * mean, relative};
      const double m = expectation([&](double y) { return law.value(mean, y); });
      const double v = expectation([&](double y) { return std::pow(law.value(mean, y) - mean, 2); });
      EXPECT_NEAR(m, mean, 1e-13 * mean);  // round-off of 1536 terms
      EXPECT_NEAR(std::sqrt(v) / mean, cov, 1e-13);
      for (const double y : {-8.0, -3.0, 0.0, 3.0}) EXPECT_GT(law.value(mean, y), 0);
    }
  }
}

TEST(UncertaintyFieldLaw, any_distribution_by_translation) {
  const FieldLaw own{distribution, 0, false, std::make_shared<Exponential>()}, factor{distribution, 0, true, own.distribution};
  for (const double y : {-3.0, -0.5, 0.0, 2.0}) {
    // P(value ≤ v(y)) = Φ(y), to round-off
    EXPECT_NEAR(own.distribution->cdf(own.value(0, y)), std::erfc(-y / std::sqrt(2.0)) / 2, 1e-15);
    EXPECT_NEAR(factor.value(5, y), 5 * own.value(0, y), 1e-14);
  }
  EXPECT_TRUE(std::isfinite(own.value(0, 40)));  // Φ rounds to 1 there
  EXPECT_GT(own.value(0, -40), 0);
}

TEST(UncertaintyFieldLaw, refusals) {
  EXPECT_EQ(refusal({gaussian, 0.1}, -3), "no error");
  EXPECT_EQ(refusal({gaussian, -0.1}, 3), "the coefficient of variation of a random field must be 0 or more, not -0.1");
  EXPECT_EQ(refusal({lognormal, -2, false}, 3), "the standard deviation of a random field must be 0 or more, not -2");
  EXPECT_EQ(refusal({lognormal, 0.1}, 0), "a lognormal random field needs a positive mean, not 0");
  EXPECT_EQ(refusal({distribution}, 1), "a random field with a distribution at every point needs that distribution");
}

TEST(UncertaintyFieldLaw, physical_is_strictly_inside) {
  EXPECT_TRUE(physical(0.34, -1, 0.5));
  EXPECT_FALSE(physical(0.5, -1, 0.5));
  EXPECT_FALSE(physical(-1, -1, 0.5));
  EXPECT_FALSE(physical(std::numeric_limits<double>::quiet_NaN(), -1, 0.5));
}

}  // namespace ALEATOR_FILE
}  // namespace aleator::core
