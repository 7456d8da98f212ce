#include "uncertainty/distribution.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>
#include <stdexcept>
#include <vector>

#include "model/distribution_kinds.hpp"
#include "support/message_of.hpp"
#include "uncertainty/laws.hpp"

namespace aleator::core {
namespace ALEATOR_FILE {

using test::message_of;

using Arguments = std::vector<Argument>;

std::string message(std::string_view kind, const Arguments& arguments, double nominal = 40) {
  return message_of<std::invalid_argument>([&] { make_distribution(kind, arguments, nominal); });
}

TEST(Laws, WordsAreForPeople) {
  EXPECT_EQ(law_of("gamma", Arguments{{"cov", 0.5}}, 40).words, "gamma, shape 4, rate 0.1");
  EXPECT_EQ(law_of("gamma", Arguments{{"cov", 0.5}, {"shift", -10}, {"lower", 1}}, 40).words,
            "gamma, shape 6.25, rate 0.125, shift -10, truncated below 1");
  EXPECT_EQ(make_distribution("uniform", Arguments{{"half_width", 1}}, 2)->words(), "uniform, lower 1, upper 3");
}

TEST(Laws, NamesThatAreNotKnown) {
  EXPECT_EQ(message("gama", {}), "unknown distribution 'gama' (did you mean 'gamma'?)");
  EXPECT_EQ(message("normal", {{"sigma", 1}}), "unknown key 'sigma' (known: mean, std, cov)");
  EXPECT_EQ(message("normal", {{"std", 1}, {"std", 2}}), "'std' is given twice");
  EXPECT_EQ(message("beta", {{"lower", 0}}), "'upper' is missing");
}

TEST(Laws, ValuesOutOfBounds) {
  EXPECT_EQ(message("normal", {{"std", -1}}), "'std' must be positive, found -1");
  EXPECT_EQ(message("normal", {{"std", 0}}), "'std' must be positive, found 0");
  EXPECT_EQ(message("normal", {{"std", std::nan("")}}), "'std' must be a finite number");
  EXPECT_EQ(message("gamma", {{"shape", 1}, {"rate", -2}}), "'rate' must be positive, found -2");
  EXPECT_EQ(message("uniform", {{"lower", 3}, {"upper", 2}}), "'lower' (3) must be below 'upper' (2)");
  EXPECT_EQ(message("log_uniform", {{"lower", 0}, {"upper", 2}}), "'lower' must be positive, found 0");
  EXPECT_EQ(message("triangular", {{"lower", 0}, {"upper", 2}}),
            "'mode' (40, the nominal value) must be between 'lower' (0) and 'upper' (2)");
  EXPECT_EQ(message("trapezoidal", {{"lower", 0}, {"flat_lower", 3}, {"flat_upper", 2}, {"upper", 4}}),
            "'lower' (0), 'flat_lower' (3), 'flat_upper' (2) and 'upper' (4) must not decrease");
  EXPECT_EQ(message("lognormal", {{"cov", 1}}, -3), "'mean' (-3, the nominal value) must be positive");
  EXPECT_EQ(message("lognormal", {{"cov", 1}, {"mean", 2}, {"shift", 5}}), "'mean' (2) must be above 'shift' (5)");
  EXPECT_EQ(message("exponential", {}, 0), "'mean' (0, the nominal value) must be positive");
  EXPECT_EQ(message("weibull", {{"cov", 1e-5}}),
            "the standard deviation must be at least a thousandth of mean − shift, found 1e-05 of it");
}

TEST(Laws, WaysToGiveThemThatExcludeEachOther) {
  EXPECT_EQ(message("normal", {}), "give 'std' or 'cov'");
  EXPECT_EQ(message("normal", {{"std", 1}, {"cov", 1}}), "give 'std' or 'cov', not both");
  EXPECT_EQ(message("logistic", {}), "give 'std', 'cov' or 'scale'");
  EXPECT_EQ(message("uniform", {{"lower", 3}}), "'upper' is missing: 'lower' and 'upper' go together");
  EXPECT_EQ(message("uniform", {{"lower", 3}, {"upper", 4}, {"cov", 1}}), "give 'lower' and 'upper' or 'cov', not both");
  EXPECT_EQ(message("exponential", {{"rate", 1}, {"mean", 1}}), "give 'rate' or 'mean', not both");
  EXPECT_EQ(message("gamma", {{"shape", 1}, {"rate", 1}, {"mean", 1}}), "give 'shape' and 'rate' or 'mean', not both");
  EXPECT_EQ(message("student", {{"degrees", 2}, {"std", 1}}),
            "'degrees' (2) must be above 2 for a standard deviation; give 'scale'");
  EXPECT_EQ(message("truncated_normal", {{"std", 1}}), "give 'lower' or 'upper' or both, or use a normal distribution");
}

TEST(Laws, ACovNeedsAMean) {
  EXPECT_EQ(message("normal", {{"cov", 1}}, 0),
            "'cov' is the standard deviation / |mean|, but the mean (the nominal value) is 0: give 'std'");
  EXPECT_EQ(message("normal", {{"mean", 0}, {"cov", 1}}),
            "'cov' is the standard deviation / |mean|, but the mean is 0: give 'std'");
  EXPECT_EQ(message("normal", {{"cov", 1}}, std::nan("")), "'mean' is missing, and there is no nominal value");
  // Negative means have a spread too.
  EXPECT_NEAR(make_distribution("normal", Arguments{{"cov", 0.1}}, -40)->standard_deviation(), 4, 1e-14);
}

TEST(Laws, ABetaLawThatDoesNotExist) {
  EXPECT_EQ(message("beta", {{"lower", 0}, {"upper", 1}, {"std", 0.1}}),
            "'mean' (40, the nominal value) must be below 'upper' (1)");
  EXPECT_EQ(message("beta", {{"lower", 0}, {"upper", 1}, {"mean", 0.5}, {"std", 0.6}}),
            "the standard deviation (0.6) must be below 0.5, the root of (mean − lower) (upper − mean)");
}

TEST(Laws, ACutThatLeavesNothing) {
  EXPECT_EQ(message("truncated_normal", {{"mean", 0}, {"std", 1}, {"lower", 10}}),
            "the distribution has almost no probability between 'lower' (10) and ∞: 7.6e-24");
  EXPECT_EQ(message("gamma", {{"cov", 0.1}, {"lower", 10}, {"upper", 2}}), "'lower' (10) must be below 'upper' (2)");
}

TEST(Laws, MomentsThatDoNotExistAreNotFinite) {
  const auto cauchy = make_distribution("student", Arguments{{"degrees", 1}, {"scale", 1}}, 0);
  EXPECT_FALSE(std::isfinite(cauchy->mean()));
  EXPECT_FALSE(std::isfinite(cauchy->standard_deviation()));
  EXPECT_NEAR(cauchy->quantile(0.75), 1, 1e-14);
}

TEST(Laws, AreMadeAgainFromWhatTheyWereMadeFrom) {
  const auto first = make_distribution("gamma", Arguments{{"cov", 0.5}, {"shift", -10}, {"lower", 1}}, 40);
  const Law law = first->law();
  EXPECT_EQ(law.name, "Gamma");
  EXPECT_EQ(law.cut_lower, 1);
  const auto again = make_distribution(law);
  EXPECT_EQ(again->words(), first->words());
  for (const double p : {0.01, 0.3, 0.99}) EXPECT_EQ(again->quantile(p), first->quantile(p));
}

TEST(OpenTurnsLaws, ByTheirOwnNames) {
  const auto frechet = make_openturns_distribution("Frechet", Arguments{{"beta", 1}, {"gamma", 0}, {"alpha", 2}});
  EXPECT_EQ(frechet->words(), "Frechet, beta 1, alpha 2, gamma 0");
  EXPECT_NEAR(frechet->quantile(0.3), 1 / std::sqrt(-std::log(0.3)), 1e-14);
  EXPECT_EQ(frechet->lower(), 0);
  EXPECT_EQ(frechet->standard_deviation(), std::numeric_limits<double>::infinity());
  // "mean_0" and "standard_deviation_0" of OpenTURNS, which would number dimensions.
  const auto normal = make_openturns_distribution("Normal", Arguments{{"mean", 3}, {"standard_deviation", 2}});
  EXPECT_EQ(normal->mean(), 3);
  EXPECT_EQ(normal->standard_deviation(), 2);
}

TEST(OpenTurnsLaws, OfWholeNumbers) {
  const auto binomial = make_openturns_distribution("Binomial", Arguments{{"n", 3}, {"p", 0.5}});
  EXPECT_EQ(binomial->quantile(0.1), 0);
  EXPECT_EQ(binomial->quantile(0.4), 1);
  EXPECT_EQ(binomial->quantile(0.6), 2);
  EXPECT_EQ(binomial->quantile(0.9), 3);
}

TEST(OpenTurnsLaws, Mistakes) {
  const auto wrong = [](const std::string& name, const Arguments& a) {
    return message_of<std::invalid_argument>([&] { make_openturns_distribution(name, a); });
  };
  EXPECT_EQ(wrong("Freche", {}), "OpenTURNS has no one-dimensional distribution 'Freche' (did you mean 'Frechet'?)");
  EXPECT_EQ(wrong("Chi", {{"k", 1}}), "unknown key 'k' (known: nu)");
  EXPECT_EQ(wrong("Frechet", {{"beta", 1}}), "'alpha' is missing (Frechet has the parameters beta, alpha, gamma)");
  EXPECT_EQ(wrong("Frechet", {{"beta", -1}, {"alpha", 2}, {"gamma", 0}}),
            "OpenTURNS rejects the distribution (Frechet, beta -1, alpha 2, gamma 0): Frechet beta parameter must be positive");
}

TEST(CopulaMistakes, ThetaOutOfRange) {
  const auto wrong = [](std::string_view kind, const Arguments& a) {
    return message_of<std::invalid_argument>([&] { make_copula(kind, a); });
  };
  EXPECT_EQ(wrong("claiton", {}), "unknown copula 'claiton' (did you mean 'clayton'?)");
  EXPECT_EQ(wrong("clayton", {}), "'theta' is missing");
  EXPECT_EQ(wrong("clayton", {{"theta", 0}}), "'theta' must be at least -1 and not 0, found 0");
  EXPECT_EQ(wrong("gumbel", {{"theta", 0.5}}), "'theta' must be at least 1, found 0.5");
  EXPECT_EQ(wrong("plackett", {{"theta", -2}}), "'theta' must be positive, found -2");
}

TEST(CopulaMistakes, Correlations) {
  const auto wrong = [](const std::vector<double>& r, int n) {
    return message_of<std::invalid_argument>([&] { make_normal_copula(r, n); });
  };
  EXPECT_EQ(wrong({1, 0, 0}, 2), "a correlation matrix of 2 quantities has 4 entries, found 3");
  EXPECT_EQ(wrong({1, 0.5, 0.4, 1}, 2), "the correlation of quantities 1 and 2 is given as 0.5 and as 0.4");
  EXPECT_EQ(wrong({1, 1.5, 1.5, 1}, 2),
            "the correlation of quantities 1 and 2 must be between -1 and 1 (without them), found 1.5");
  EXPECT_EQ(wrong({2, 0, 0, 1}, 2), "a quantity's correlation with itself is 1, found 2");
  EXPECT_EQ(wrong({1, 0.9, -0.9, 0.9, 1, 0.9, -0.9, 0.9, 1}, 3),
            "these correlations contradict each other: their matrix must be positive definite, its smallest eigenvalue is -0.8");
}

}  // namespace ALEATOR_FILE
}  // namespace aleator::core
