// Every law of distribution_kinds() and every copula of copula_kinds() keeps what the interface promises.
#include "uncertainty/distribution.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <map>
#include <numbers>
#include <thread>
#include <vector>

#include "model/distribution_kinds.hpp"

namespace aleator::core {
namespace ALEATOR_FILE {

using Arguments = std::vector<Argument>;
constexpr double infinity = std::numeric_limits<double>::infinity();

struct Example {
  Arguments arguments;
  double lower = -infinity, upper = infinity;      // of the support
  double mean = std::nan(""), std = std::nan("");  // where they are known beforehand
};

// Each way to give each law. The nominal value is 40.
constexpr double nominal = 40;
const std::map<std::string_view, std::vector<Example>>& examples() {
  static const std::map<std::string_view, std::vector<Example>> all = {
      {"uniform",
       {{{{"lower", -1}, {"upper", 3}}, -1, 3, 1, 4 / std::sqrt(12.0)},
        {{{"half_width", 2}}, 38, 42, 40, 4 / std::sqrt(12.0)},
        {{{"mean", -3}, {"cov", 0.1}}, -3 - 0.3 * std::sqrt(3.0), -3 + 0.3 * std::sqrt(3.0), -3, 0.3}}},
      {"normal", {{{{"cov", 0.5}}, -infinity, infinity, 40, 20}, {{{"mean", 0}, {"std", 1e-3}}, -infinity, infinity, 0, 1e-3}}},
      {"truncated_normal",
       {{{{"mean", 1}, {"std", 2}, {"lower", 0}, {"upper", 4}}, 0, 4},
        {{{"mean", 1}, {"std", 1}, {"lower", 3}}, 3, infinity},
        {{{"cov", 0.2}, {"upper", 45}}, -infinity, 45}}},
      {"lognormal",
       {{{{"cov", 0.5}}, 0, infinity, 40, 20},
        {{{"mean", 5}, {"std", 1}, {"shift", -2}}, -2, infinity, 5, 1},
        {{{"mean", 5}, {"std", 1}, {"lower", 4}, {"upper", 6}}, 4, 6}}},
      {"gamma",
       {{{{"mean", 40}, {"cov", 0.5}}, 0, infinity, 40, 20},
        {{{"shape", 0.3}, {"rate", 2}}, 0, infinity, 0.15, std::sqrt(0.3) / 2},
        {{{"mean", 3}, {"std", 0.01}, {"shift", 1}}, 1, infinity, 3, 0.01},
        {{{"cov", 0.5}, {"lower", 10}, {"upper", 100}}, 10, 100}}},
      {"beta",
       {{{{"lower", 0}, {"upper", 50}, {"std", 2}}, 0, 50, 40, 2},
        {{{"lower", -1}, {"upper", 1}, {"alpha", 2}, {"beta", 3}}, -1, 1, -0.2, 0.4}}},
      {"triangular", {{{{"lower", 30}, {"upper", 60}}, 30, 60, 130 / 3.0}, {{{"lower", 0}, {"mode", 0}, {"upper", 3}}, 0, 3, 1}}},
      {"trapezoidal", {{{{"lower", 0}, {"flat_lower", 1}, {"flat_upper", 2}, {"upper", 3}}, 0, 3, 1.5}}},
      {"log_uniform", {{{{"lower", 1}, {"upper", 100}}, 1, 100, 99 / std::log(100.0)}}},
      {"exponential", {{{}, 0, infinity, 40, 40}, {{{"rate", 2}, {"shift", 1}}, 1, infinity, 1.5, 0.5}}},
      {"weibull",
       {{{{"mean", 3}, {"std", 1}}, 0, infinity, 3, 1},
        {{{"cov", 0.02}, {"shift", 10}}, 10, infinity, 40, 0.8},
        {{{"scale", 2}, {"shape", 1}}, 0, infinity, 2, 2},
        {{{"scale", 2}, {"shape", 2}, {"upper", 3}}, 0, 3}}},
      {"gumbel",
       {{{{"cov", 0.1}}, -infinity, infinity, 40, 4},
        {{{"location", 1}, {"scale", 2}}, -infinity, infinity, 1 + 2 * std::numbers::egamma}}},
      {"rayleigh", {{{}, 0, infinity, 40}, {{{"scale", 2}, {"shift", 1}}, 1, infinity, 1 + 2 * std::sqrt(std::numbers::pi / 2)}}},
      {"student",
       {{{{"degrees", 8}, {"cov", 0.1}}, -infinity, infinity, 40, 4},
        {{{"degrees", 12}, {"mean", 1}, {"scale", 3}}, -infinity, infinity, 1, 3 * std::sqrt(1.2)}}},
      {"logistic",
       {{{{"std", 2}}, -infinity, infinity, 40, 2},
        {{{"mean", 0}, {"scale", 1}}, -infinity, infinity, 0, std::numbers::pi / std::sqrt(3.0)}}},
      {"laplace",
       {{{{"std", 2}}, -infinity, infinity, 40, 2}, {{{"mean", 0}, {"scale", 1}}, -infinity, infinity, 0, std::sqrt(2.0)}}},
  };
  return all;
}

// For each example of each kind.
void for_each_law(const std::function<void(const Distribution&, const Example&)>& check) {
  for (const auto& kind : distribution_kinds()) {
    const auto found = examples().find(kind.key);
    ASSERT_NE(found, examples().end()) << "no example of the law " << kind.key;
    for (const auto& example : found->second) {
      const auto law = make_distribution(kind.key, example.arguments, nominal);
      SCOPED_TRACE(std::string(kind.key) + ": " + law->words());
      check(*law, example);
    }
  }
}

const std::vector<double> probabilities = {1e-12, 1e-9, 1e-6,  1e-3,     0.1,      0.37,     0.5,
                                           0.63,  0.9,  0.999, 1 - 1e-6, 1 - 1e-9, 1 - 1e-12};

TEST(Distributions, TheCdfOfAQuantileIsItsProbability) {
  // Round-off of x is 1e-16 |x|, which the density (up to 1000 |mean|⁻¹ here) turns into a probability.
  for_each_law([](const Distribution& d, const Example&) {
    for (const double p : probabilities) EXPECT_NEAR(d.cdf(d.quantile(p)), p, 1e-12) << "p = " << p;
  });
}

TEST(Distributions, QuantilesIncreaseInsideTheSupport) {
  for_each_law([](const Distribution& d, const Example& e) {
    double last = d.lower();
    for (int i = 0; i < 5000; ++i) {
      const double x = d.quantile((i + 0.5) / 5000);
      ASSERT_GE(x, last);
      last = x;
    }
    EXPECT_LE(last, d.upper());
    for (const double p : {1e-300, 1e-20, 0x1p-54, 1 - 0x1p-53}) {  // beyond what OpenTURNS calls its range
      EXPECT_TRUE(std::isfinite(d.quantile(p))) << "p = " << p;
      EXPECT_GE(d.quantile(p), e.lower);
      EXPECT_LE(d.quantile(p), e.upper);
    }
  });
}

TEST(Distributions, QuantilesOfManyAreThoseOfEachBitwise) {
  for_each_law([](const Distribution& d, const Example&) {
    std::vector<double> p = probabilities;
    for (int i = 0; i < 999; ++i) p.push_back((i + 0.5) / 999);
    for (const double end : {0.0, 1.0, 1e-300, 0x1p-54, 1 - 0x1p-53}) p.push_back(end);
    std::vector<double> x(p.size());
    d.quantiles(p, x);
    for (size_t i = 0; i < p.size(); ++i) EXPECT_EQ(x[i], d.quantile(p[i])) << "p = " << p[i];
  });
}

// Quadratures of high order have nodes beyond 8.3, where Φ is 1 in 53 bits.
TEST(Distributions, AtANormalVariableIsTheQuantileOfItsProbabilityAndGoesOnFurtherOut) {
  for_each_law([](const Distribution& d, const Example&) {
    for (const double z :
         {-5.0, -1.0, 0.0, 0.7, 4.0}) {  // 1 − Φ(4) has twelve digits left, the quantile's own round-off beside it
      const double p = std::erfc(-z / std::numbers::sqrt2) / 2, x = d.quantile(p);
      EXPECT_NEAR(d.at_normal(z), x, 1e-10 * std::max(std::abs(x), d.standard_deviation())) << "z = " << z;
    }
    double last = d.lower();
    for (double z = -14; z <= 14; z += 0.25) {
      const double x = d.at_normal(z);
      ASSERT_TRUE(std::isfinite(x)) << "z = " << z;
      ASSERT_GE(x, last) << "z = " << z;
      last = x;
    }
    EXPECT_LE(last, d.upper());
  });
}

TEST(Distributions, TheSupportIsAsStated) {
  for_each_law([](const Distribution& d, const Example& e) {
    const auto agree = [](double a, double b) { return a == b || std::abs(a - b) <= 1e-12 * std::abs(b); };  // round-off
    EXPECT_TRUE(agree(d.lower(), e.lower)) << d.lower() << " instead of " << e.lower;
    EXPECT_TRUE(agree(d.upper(), e.upper)) << d.upper() << " instead of " << e.upper;
    EXPECT_EQ(d.quantile(0), d.lower());
    EXPECT_EQ(d.quantile(1), d.upper());
    const double step = d.standard_deviation();
    if (std::isfinite(d.lower())) {
      EXPECT_EQ(d.cdf(d.lower() - step), 0);
      EXPECT_EQ(d.pdf(d.lower() - step), 0);
    }
    if (std::isfinite(d.upper())) {
      EXPECT_EQ(d.cdf(d.upper() + step), 1);
      EXPECT_EQ(d.pdf(d.upper() + step), 0);
    }
  });
}

// ∫ f(quantile(p)) dp over ]0, 1[, with p = 1/(1 + exp(−π sinh t)): what is cut off at either end decays doubly exponentially.
double expectation(const Distribution& d, const std::function<double(double)>& f) {
  double sum = 0;
  const double h = 1e-3;
  for (int i = -3200; i <= 3200; ++i) {
    const double t = i * h, e = std::exp(-std::numbers::pi * std::sinh(std::abs(t)));
    const double tail = e / (1 + e), p = t < 0 ? tail : 1 - tail;
    if (p >= 1) continue;
    sum += h * std::numbers::pi * std::cosh(t) * tail / (1 + e) * f(d.quantile(p));
  }
  return sum;
}

TEST(Distributions, MeanAndStandardDeviationAreThoseOfTheQuantiles) {
  for_each_law([](const Distribution& d, const Example& e) {
    const double s = d.standard_deviation();
    // Kinks of the density leave h² of the trapezoidal rule; beyond p = 1 − 1e-16 a Student law of 8 degrees keeps 1e-9 of s².
    EXPECT_NEAR(expectation(d, [](double x) { return x; }), d.mean(), 1e-6 * s);
    EXPECT_NEAR(std::sqrt(expectation(d, [&](double x) { return (x - d.mean()) * (x - d.mean()); })), s, 1e-6 * s);
    // What was asked for, up to round-off (mean and std of a law of the narrowest spread: 1e-16 (mean/std)²).
    if (!std::isnan(e.mean)) {
      EXPECT_NEAR(d.mean(), e.mean, 1e-12 * std::max(std::abs(e.mean), s));
    }
    if (!std::isnan(e.std)) {
      EXPECT_NEAR(s, e.std, 1e-10 * e.std);
    }
  });
}

TEST(Distributions, TheDensityIsTheSlopeOfTheCdf) {
  for_each_law([](const Distribution& d, const Example&) {
    for (const double p : {0.07, 0.23, 0.41, 0.77, 0.93}) {
      const double x = d.quantile(p), h = 1e-4 * std::min(d.standard_deviation(), std::abs(x - d.lower()));
      const double slope = (d.cdf(x + h) - d.cdf(x - h)) / (2 * h);
      EXPECT_NEAR(slope, d.pdf(x), 1e-6 * d.pdf(x)) << "p = " << p;  // h² of the difference
    }
  });
}

TEST(Distributions, AGammaLawByMeanAndCovIsExact) {
  for (const double cov : {1e-3, 0.05, 0.5, 1.0, 3.0}) {
    const auto d = make_distribution("gamma", Arguments{{"mean", 40}, {"cov", cov}}, 0);
    EXPECT_NEAR(d->mean(), 40, 1e-13 * 40);
    EXPECT_NEAR(d->standard_deviation(), 40 * cov, 1e-13 * 40 * cov);
    // Round-off of x moves p by 1e-16 x pdf(x), about 1e-16/cov of it in the middle and a hundred times that in the tails.
    for (const double p : probabilities) EXPECT_NEAR(d->cdf(d->quantile(p)), p, 1e-10 * std::min(p, 0.1)) << cov << " " << p;
  }
}

TEST(Distributions, ThreadsGetTheSameNumbers) {
  const auto d = make_distribution("gamma", Arguments{{"mean", 40}, {"cov", 0.5}}, 0);
  const auto draw = [&] {
    std::vector<double> x;
    for (int i = 0; i < 2000; ++i) x.push_back(d->quantile((i + 0.5) / 2000) + d->cdf(i * 0.05));
    return x;
  };
  const std::vector<double> alone = draw();
  std::vector<std::vector<double>> together(4);
  std::vector<std::thread> threads;
  for (auto& x : together) threads.emplace_back([&] { x = draw(); });
  for (auto& t : threads) t.join();
  for (const auto& x : together) EXPECT_EQ(x, alone);
}

}  // namespace ALEATOR_FILE
}  // namespace aleator::core
