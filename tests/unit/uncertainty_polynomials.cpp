// Polynomials orthonormal under a law: every kind that has them, known values, and what is refused.
#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <set>
#include <stdexcept>

#include "model/distribution_kinds.hpp"
#include "support/message_of.hpp"
#include "uncertainty/distribution.hpp"

namespace aleator::core {
namespace ALEATOR_FILE {

using Arguments = std::vector<Argument>;
constexpr double nominal = 40;

struct Example {
  std::string_view kind;
  Arguments arguments;
  std::string family;  // empty: the law has no smooth germ
};

// Every kind at least once.
std::vector<Example> examples() {
  return {{"uniform", {{"lower", -1}, {"upper", 3}}, "Legendre"},
          {"normal", {{"cov", 0.5}}, "Hermite"},
          {"truncated_normal", {{"mean", 1}, {"std", 2}, {"lower", 0}, {"upper", 4}}, "Stieltjes"},
          {"truncated_normal", {{"mean", 1}, {"std", 1}, {"lower", 3}}, "Stieltjes"},
          {"truncated_normal", {{"cov", 0.2}, {"upper", 45}}, "Stieltjes"},
          {"lognormal", {{"cov", 0.5}}, ""},
          {"lognormal", {{"mean", 5}, {"std", 1}, {"lower", 4}, {"upper", 6}}, "Stieltjes"},
          {"gamma", {{"mean", 40}, {"cov", 0.5}}, "Laguerre"},
          {"gamma", {{"shape", 0.3}, {"rate", 2}}, "Laguerre"},
          {"gamma", {{"mean", 3}, {"std", 0.01}, {"shift", 1}}, "Laguerre"},
          {"gamma", {{"cov", 0.5}, {"lower", 10}, {"upper", 100}}, "Stieltjes"},
          {"gamma", {{"cov", 0.5}, {"lower", 10}}, "Stieltjes"},
          {"beta", {{"lower", 0}, {"upper", 50}, {"std", 2}}, "Jacobi"},
          {"beta", {{"lower", -1}, {"upper", 1}, {"alpha", 0.5}, {"beta", 3}}, "Jacobi"},
          {"triangular", {{"lower", 30}, {"upper", 60}}, "Stieltjes"},
          {"triangular", {{"lower", 0}, {"mode", 0}, {"upper", 3}}, "Stieltjes"},
          {"trapezoidal", {{"lower", 0}, {"flat_lower", 1}, {"flat_upper", 2}, {"upper", 3}}, "Stieltjes"},
          {"log_uniform", {{"lower", 1}, {"upper", 100}}, "Stieltjes"},
          {"exponential", {{"rate", 2}, {"shift", 1}}, "Laguerre"},
          {"weibull", {{"mean", 3}, {"std", 1}}, "Stieltjes"},
          {"weibull", {{"cov", 0.02}, {"shift", 10}}, "Stieltjes"},
          {"weibull", {{"scale", 2}, {"shape", 0.9}}, ""},
          {"gumbel", {{"cov", 0.1}}, "Stieltjes"},
          {"rayleigh", {{"scale", 2}, {"shift", 1}}, "Stieltjes"},
          {"student", {{"degrees", 12}, {"mean", 1}, {"scale", 3}}, ""},
          {"logistic", {{"std", 2}}, "Stieltjes"},
          {"laplace", {{"std", 2}}, "Stieltjes"}};
}

TEST(UncertaintyPolynomials, every_kind_of_law_says_whether_it_has_them) {
  std::set<std::string_view> seen;
  for (const Example& e : examples()) {
    seen.insert(e.kind);
    const auto law = make_distribution(e.kind, e.arguments, nominal);
    EXPECT_EQ(law->smooth_germ(), !e.family.empty()) << law->words();
    if (!law->smooth_germ()) continue;
    EXPECT_EQ(law->polynomials(2).name, e.family) << law->words();
  }
  for (const auto& kind : distribution_kinds()) EXPECT_TRUE(seen.contains(kind.key)) << kind.key;
}

TEST(UncertaintyPolynomials, gauss_rule_is_orthonormal_and_has_the_moments_of_the_law) {
  constexpr int degree = 12;
  for (const Example& e : examples()) {
    if (e.family.empty()) continue;
    const auto law = make_distribution(e.kind, e.arguments, nominal);
    SCOPED_TRACE(law->words());
    const PolynomialFamily family = law->polynomials(degree);
    ASSERT_EQ(family.recurrence.size(), std::size_t(degree));
    const GaussQuadrature rule = law->gauss(degree + 1);
    std::vector<double> p(degree + 1), product((degree + 1) * (degree + 1), 0.0);
    double mean = 0, variance = 0;
    for (std::size_t k = 0; k < rule.nodes.size(); ++k) {
      const double x = family.variable(rule.nodes[k]), w = rule.weights[k];
      EXPECT_GE(x, law->lower());
      EXPECT_LE(x, law->upper());
      mean += w * x;
      variance += w * (x - law->mean()) * (x - law->mean());
      family.evaluate(rule.nodes[k], p);
      for (int i = 0; i <= degree; ++i)
        for (int j = 0; j <= degree; ++j) product[i * (degree + 1) + j] += w * p[i] * p[j];
    }
    const double s = law->standard_deviation();
    // Round-off: 13 points, and up to shape^½ = 200 digits' worth of cancellation in z for the steep gamma law. Moments: those
    // OpenTURNS integrates for cut laws are known to about 1e-10.
    for (int i = 0; i <= degree; ++i)
      for (int j = 0; j <= degree; ++j) EXPECT_NEAR(product[i * (degree + 1) + j], i == j, 1e-10) << i << " " << j;
    EXPECT_NEAR(mean, law->mean(), 1e-9 * s);
    EXPECT_NEAR(variance, s * s, 1e-8 * s * s);
  }
}

// Against the law itself: E{p_i p_j} by the trapezoidal rule on its density in other variables than the procedure used.
TEST(UncertaintyPolynomials, are_orthonormal_under_the_density) {
  constexpr int degree = 8;
  for (const Example& e : examples()) {
    if (e.family.empty() || e.kind == "triangular" || e.kind == "trapezoidal") continue;  // kinks: other rules would be needed
    const auto law = make_distribution(e.kind, e.arguments, nominal);
    SCOPED_TRACE(law->words());
    const PolynomialFamily family = law->polynomials(degree);
    std::vector<double> p(degree + 1), product((degree + 1) * (degree + 1), 0.0);
    // Halves about the median q: x = q ± (end − q) tanh(½π sinh t) to an end, q ± s exp(½π sinh t) to infinity.
    const double q = law->quantile(0.5), h = 1.0 / 128;
    for (const int side : {-1, 1}) {
      const double end = side < 0 ? law->lower() : law->upper();
      for (double t = -4; t <= 4; t += h) {
        const double y = std::acos(-1.0) / 2 * std::sinh(t), dy = std::acos(-1.0) / 2 * std::cosh(t);
        double x, dx;
        if (std::isfinite(end)) {
          const double near = 1 / (1 + std::exp(2 * y));  // share of the way that is left to the end
          x = end - (end - q) * near;
          dx = std::abs(end - q) * 2 * near / (1 + std::exp(-2 * y)) * dy;
        } else {
          const double r = law->standard_deviation() * std::exp(y);
          x = q + side * r, dx = r * dy;
        }
        const double w = h * dx * law->pdf(x);
        if (!(w > 0) || !std::isfinite(w)) continue;
        family.evaluate(family.standard(x), p);
        for (int i = 0; i <= degree; ++i)
          for (int j = 0; j <= degree; ++j) product[i * (degree + 1) + j] += w * p[i] * p[j];
      }
    }
    // The singular ends (shape 0.3, alpha 0.5) lose what lies within rounding of the end: (1e-16)^½.
    const double tolerance = e.kind == "beta" ? 1e-7 : 1e-9;
    for (int i = 0; i <= degree; ++i)
      for (int j = 0; j <= degree; ++j) EXPECT_NEAR(product[i * (degree + 1) + j], i == j, tolerance) << i << " " << j;
  }
}

// Laws under OpenTURNS' own names. The variance by two points is that of the law.
TEST(UncertaintyPolynomials, of_laws_by_their_own_names) {
  const std::vector<std::pair<std::string, Arguments>> laws = {
      {"Arcsine", {{"a", 1}, {"b", 4}}},
      {"Chi", {{"nu", 3}}},
      {"ChiSquare", {{"nu", 5}}},
      {"GeneralizedExtremeValue", {{"mu", 1}, {"sigma", 2}, {"xi", -0.3}}},
      {"GeneralizedPareto", {{"sigma", 2}, {"xi", -0.2}, {"location", 1}}},
      {"InverseNormal", {{"mu", 2}, {"lambda", 6}}},
      {"MeixnerDistribution", {{"beta", 1.2}, {"alpha", 0.5}, {"delta", 0.8}, {"gamma", 1}}},
      {"Rice", {{"beta", 1}, {"nu", 2}}},
      {"SquaredNormal", {{"mu", 1}, {"sigma", 0.5}}},
      {"VonMises", {{"mu", 0.5}, {"kappa", 2}}},
      {"WeibullMax", {{"beta", 1}, {"alpha", 2}, {"gamma", 3}}}};
  for (const auto& [name, arguments] : laws) {
    SCOPED_TRACE(name);
    const auto law = make_openturns_distribution(name, arguments);
    ASSERT_TRUE(law->smooth_germ());
    const PolynomialFamily family = law->polynomials(6);
    const GaussQuadrature rule = law->gauss(2);
    double variance = 0;
    for (int k = 0; k < 2; ++k) variance += rule.weights[k] * std::pow(family.variable(rule.nodes[k]) - law->mean(), 2);
    const double s = law->standard_deviation();
    EXPECT_NEAR(variance, s * s, 1e-7 * s * s);  // some densities and moments of OpenTURNS are series or integrals to 1e-8
  }
  const std::vector<std::pair<std::string, Arguments>> heavy = {
      {"GeneralizedPareto", {{"sigma", 2}, {"xi", 0.2}, {"location", 1}}},
      {"InverseGamma", {{"k", 9}, {"lambda", 1}}},
      {"NonCentralChiSquare", {{"nu", 4}, {"lambda", 1}}},
      {"Pareto", {{"beta", 1}, {"alpha", 9}, {"gamma", 0}}}};
  for (const auto& [name, arguments] : heavy) EXPECT_FALSE(make_openturns_distribution(name, arguments)->smooth_germ()) << name;
}

TEST(UncertaintyPolynomials, known_values) {
  std::vector<double> p(4);
  const auto uniform = make_distribution("uniform", Arguments{{"lower", -2}, {"upper", 6}}, 0);
  const PolynomialFamily legendre = uniform->polynomials(3);
  EXPECT_NEAR(legendre.center, 2, 1e-14);
  EXPECT_NEAR(legendre.scale, 4, 1e-14);
  legendre.evaluate(legendre.standard(4), p);  // z = ½; round-off in the following
  EXPECT_NEAR(p[0], 1, 1e-15);
  EXPECT_NEAR(p[1], std::sqrt(3.0) / 2, 1e-14);
  EXPECT_NEAR(p[2], std::sqrt(5.0) * (3 * 0.25 - 1) / 2, 1e-14);
  EXPECT_NEAR(p[3], std::sqrt(7.0) * (5 * 0.125 - 3 * 0.5) / 2, 1e-14);
  const GaussQuadrature two = uniform->gauss(2);
  EXPECT_NEAR(two.nodes[1], 1 / std::sqrt(3.0), 1e-15);
  EXPECT_NEAR(two.weights[0], 0.5, 1e-15);

  const auto normal = make_distribution("normal", Arguments{{"mean", 3}, {"std", 2}}, 0);
  const PolynomialFamily hermite = normal->polynomials(3);
  EXPECT_EQ(hermite.center, 3);
  EXPECT_EQ(hermite.scale, 2);
  hermite.evaluate(hermite.standard(7), p);  // z = 2
  EXPECT_NEAR(p[2], (4 - 1) / std::sqrt(2.0), 1e-14);
  EXPECT_NEAR(p[3], (8 - 6) / std::sqrt(6.0), 1e-14);
  EXPECT_NEAR(normal->gauss(3).nodes[2], std::sqrt(3.0), 1e-14);
  EXPECT_NEAR(normal->gauss(3).weights[2], 1.0 / 6, 1e-15);

  const auto exponential = make_distribution("exponential", Arguments{{"rate", 2}}, 0);
  const PolynomialFamily laguerre = exponential->polynomials(2);
  laguerre.evaluate(laguerre.standard(1.5), p);  // L₁(3) = −2, with the sign that makes the highest power positive
  EXPECT_NEAR(p[1], 2, 1e-13);
  EXPECT_NEAR(p[2], (9 - 12 + 2) / 2.0, 1e-13);
}

TEST(UncertaintyPolynomials, laws_without_them_are_refused) {
  const auto refusal = [](const std::unique_ptr<const Distribution>& law) -> std::string {
    EXPECT_FALSE(law->smooth_germ());
    return test::message_of<std::invalid_argument>([&] { law->polynomials(3); });
  };
  EXPECT_EQ(refusal(make_distribution("student", Arguments{{"degrees", 12}, {"mean", 1}, {"scale", 3}}, 0)),
            "the distribution (Student, degrees 12, centre 1, scale 3) has no basis of polynomials: its tail is too heavy");
  EXPECT_EQ(refusal(make_openturns_distribution("Binomial", Arguments{{"n", 3}, {"p", 0.5}})),
            "the distribution (Binomial, n 3, p 0.5) has no basis of polynomials: it is discrete");
  EXPECT_EQ(refusal(make_openturns_distribution("Frechet", Arguments{{"beta", 1}, {"gamma", 0}, {"alpha", 2}})),
            "the distribution (Frechet, beta 1, alpha 2, gamma 0) has no basis of polynomials: its tail is too heavy");
}

}  // namespace ALEATOR_FILE
}  // namespace aleator::core
