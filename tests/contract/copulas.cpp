// Every copula of copula_kinds(): uniform margins, the dependence its formula says.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <vector>

#include "model/distribution_kinds.hpp"
#include "support/sample_tests.hpp"
#include "uncertainty/distribution.hpp"
#include "uncertainty/stream.hpp"

namespace aleator::core {
namespace ALEATOR_FILE {

using Arguments = std::vector<Argument>;

struct Example {
  std::function<double(double t, double u, double w)> c;  // the copula
  std::function<double(double t)> tau;                    // Kendall's τ where it has a closed form
  std::vector<double> thetas;
};

// ∫₀^θ t/(eᵗ − 1) dt / θ, midpoint rule.
double debye(double theta) {
  double sum = 0;
  for (int i = 0; i < 10000; ++i) sum += theta * (i + 0.5) / 10000 / std::expm1(theta * (i + 0.5) / 10000);
  return sum / 10000;
}

double clayton(double t, double u, double w) { return std::pow(std::max(std::pow(u, -t) + std::pow(w, -t) - 1, 0.0), -1 / t); }
double frank(double t, double u, double w) {
  return -std::log((std::exp(-t * u) + std::exp(-t * w) - std::exp(-t * (u + w)) - std::exp(-t)) / -std::expm1(-t)) / t;
}
double gumbel(double t, double u, double w) {
  return std::exp(-std::pow(std::pow(-std::log(u), t) + std::pow(-std::log(w), t), 1 / t));
}
double plackett(double t, double u, double w) {
  if (t == 1) return u * w;
  const double s = 1 + (t - 1) * (u + w);
  return (s - std::sqrt(s * s - 4 * u * w * t * (t - 1))) / (2 * (t - 1));
}
double ali_mikhail_haq(double t, double u, double w) { return u * w / (1 - t * (1 - u) * (1 - w)); }
double ali_mikhail_haq_tau(double t) { return 1 - 2 * (t + (1 - t) * (1 - t) * std::log1p(-t)) / (3 * t * t); }
double farlie_gumbel_morgenstern(double t, double u, double w) { return u * w * (1 + t * (1 - u) * (1 - w)); }

const std::map<std::string_view, Example>& examples() {
  static const std::map<std::string_view, Example> all = {
      {"clayton", {clayton, [](double t) { return t / (t + 2); }, {-0.5, 0.5, 2, 20}}},
      {"frank", {frank, [](double t) { return 1 - 4 / t * (1 - debye(t)); }, {-5, 0.5, 5, 40}}},
      {"gumbel", {gumbel, [](double t) { return 1 - 1 / t; }, {1, 1.5, 4, 20}}},
      {"plackett", {plackett, nullptr, {0.1, 1, 4, 200}}},
      {"ali_mikhail_haq", {ali_mikhail_haq, ali_mikhail_haq_tau, {-1, -0.5, 0.5, 0.99}}},
      {"farlie_gumbel_morgenstern", {farlie_gumbel_morgenstern, [](double t) { return 2 * t / 9; }, {-1, 0.5, 1}}},
  };
  return all;
}

void for_each_copula(const std::function<void(const Copula&, const Example&, double theta)>& check) {
  for (const auto& kind : copula_kinds()) {
    const auto found = examples().find(kind.key);
    ASSERT_NE(found, examples().end()) << "no example of the copula " << kind.key;
    for (const double theta : found->second.thetas) {
      SCOPED_TRACE(std::string(kind.key) + ", theta = " + std::to_string(theta));
      check(*make_copula(kind.key, Arguments{{"theta", theta}}), found->second, theta);
    }
  }
}

// `count` points of a copula, by point.
std::vector<std::vector<double>> points(const Copula& copula, int count) {
  std::vector<std::vector<double>> all;
  for (int i = 0; i < count; ++i) {
    Stream stream(2024, i, quantity_key("copula"));
    std::vector<double> u(copula.dimension());
    for (double& x : u) x = stream.uniform();
    const double first = u[0];
    copula.map(u);
    EXPECT_EQ(u[0], first);
    all.push_back(u);
  }
  return all;
}

double kendall(const std::vector<std::vector<double>>& p) {
  double sum = 0;
  for (std::size_t i = 0; i < p.size(); ++i)
    for (std::size_t j = 0; j < i; ++j) sum += (p[i][0] < p[j][0]) == (p[i][1] < p[j][1]) ? 1 : -1;
  return sum / (0.5 * p.size() * (p.size() - 1));
}

TEST(Copulas, TheSecondNumberSolvesTheConditionalLaw) {
  for_each_copula([](const Copula& copula, const Example& e, double theta) {
    for (const double u : {0.02, 0.3, 0.5, 0.9, 0.98})
      for (const double v : {0.001, 0.02, 0.3, 0.5, 0.9, 0.98, 0.999}) {
        std::vector<double> x = {u, v};
        copula.map(x);
        ASSERT_GT(x[1], 0);
        ASSERT_LT(x[1], 1);
        const auto slope = [&](double h) { return (e.c(theta, u + h, x[1]) - e.c(theta, u - h, x[1])) / (2 * h); };
        // Round-off of the difference is 1e-16/h; its truncation is seen by halving h.
        EXPECT_NEAR(slope(1e-6), v, 1e-9 + 2 * std::abs(slope(1e-6) - slope(2e-6))) << u << " " << v;
      }
  });
}

TEST(Copulas, EdgesStayInside) {
  for_each_copula([](const Copula& copula, const Example&, double) {
    for (const double u : {0x1p-54, 1e-12, 0.5, 1 - 1e-12, 1 - 0x1p-53}) {
      double last = 0;
      for (const double v : {0x1p-54, 1e-12, 0.1, 0.5, 0.9, 1 - 1e-12, 1 - 0x1p-53}) {
        std::vector<double> x = {u, v};
        copula.map(x);
        EXPECT_GT(x[1], 0);
        EXPECT_LT(x[1], 1);
        EXPECT_GE(x[1], last) << u << " " << v;  // increases with v
        last = x[1];
      }
    }
  });
}

TEST(Copulas, MarginsAreUniform) {
  for_each_copula([](const Copula& copula, const Example&, double) {
    std::vector<double> second;
    for (const auto& p : points(copula, 20000)) second.push_back(p[1]);
    EXPECT_LT(kolmogorov(second), 2.6);  // false alarm: 2 exp(−2·2.6²) = 3e-6 per copula
  });
}

TEST(Copulas, KendallsTauIsThatOfTheFormula) {
  for_each_copula([](const Copula& copula, const Example& e, double theta) {
    if (!e.tau) return;
    // Its standard error of 4000 points is largest, 2/(3√4000) = 0.011, near independence: five of them.
    EXPECT_NEAR(kendall(points(copula, 4000)), e.tau(theta), 0.053);
  });
}

TEST(Copulas, TheNormalCopulaHasTheCorrelationAskedFor) {
  const std::vector<double> r = {1, 0.8, -0.3, 0.8, 1, 0.2, -0.3, 0.2, 1};
  const auto copula = make_normal_copula(r, 3);
  ASSERT_EQ(copula->dimension(), 3);
  const auto normal = make_distribution("normal", Arguments{{"mean", 0}, {"std", 1}}, 0);
  const auto sample = points(*copula, 20000);
  std::vector<double> sum(9);
  for (const auto& p : sample)
    for (int i = 0; i < 9; ++i) sum[i] += normal->quantile(p[i / 3]) * normal->quantile(p[i % 3]) / 20000.0;
  for (int i = 0; i < 9; ++i) EXPECT_NEAR(sum[i], r[i], 0.05);  // 5 standard errors of at most √(2/20000)
  for (int k = 0; k < 3; ++k) {
    std::vector<double> margin;
    for (const auto& p : sample) margin.push_back(p[k]);
    EXPECT_LT(kolmogorov(margin), 2.6);
  }
}

TEST(Copulas, TheNormalCopulaOfTwoIsTheKnownFormula) {
  const double rho = -0.6;
  const auto copula = make_normal_copula(std::vector<double>{1, rho, rho, 1}, 2);
  const auto normal = make_distribution("normal", Arguments{{"mean", 0}, {"std", 1}}, 0);
  for (const double u : {1e-9, 0.2, 0.9})
    for (const double v : {1e-9, 0.3, 0.99}) {
      std::vector<double> x = {u, v};
      copula->map(x);
      const double z = rho * normal->quantile(u) + std::sqrt(1 - rho * rho) * normal->quantile(v);
      EXPECT_NEAR(x[1], normal->cdf(z), 1e-14);  // round-off
    }
}

}  // namespace ALEATOR_FILE
}  // namespace aleator::core
