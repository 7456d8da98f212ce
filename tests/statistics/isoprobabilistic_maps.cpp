// Maps from independent uniform numbers to centres of mass and planar inertias: the mapped law is the law, by integrals and
// against draws, and the map is inside, rising and smooth.
#include <gtest/gtest.h>

#include "statistics/center_of_mass_domains.hpp"
#include "support/sample_tests.hpp"
#include "uncertainty/center_of_mass_law.hpp"
#include "uncertainty/inertia_law.hpp"
#include "uncertainty/quantile_table.hpp"

namespace aleator::core {
namespace ALEATOR_FILE {

// ∫₀¹ f(u) du by the trapezoidal rule in t, u = 1/(1 + exp(−π sinh t)). Not Gauss–Legendre: near the tips of a ball s goes like
// u^½ or u^⅔, which that rule integrates with an error of n⁻³ only.
struct UnitRule {
  std::vector<double> u, w;
  explicit UnitRule(double h) {
    for (int k = -int(3.2 / h); k <= int(3.2 / h); ++k) {  // u from 1e-17
      const double t = k * h, e = std::exp(-std::acos(-1.0) * std::sinh(t)), p = 1 / (1 + e);
      u.push_back(p), w.push_back(h * p * e / (1 + e) * std::acos(-1.0) * std::cosh(t));
    }
  }
};

double size_of(const DomainCase& c) { return c.domain.scale * norm(c.domain.size); }

std::vector<DomainCase> mapped_cases() {
  std::vector<DomainCase> out;
  for (const DomainCase& c : domain_cases())
    if (c.simplices.empty()) out.push_back(c);
  return out;
}

TEST(IsoprobabilisticMaps, of_centres_of_mass_have_mean_and_covariance) {
  const UnitRule rule(0.15);
  const int points = int(rule.u.size());
  for (const DomainCase& c : mapped_cases()) {
    SCOPED_TRACE(c.name);
    const CenterOfMassLaw law(c.domain, c.mean());
    ASSERT_EQ(law.uniforms(), c.domain.normal < 0 ? 3 : 2);
    double total = 0;
    Vec3<double> mean;
    Mat3<double> covariance;
    int outside = 0;
    for (int i = 0; i < points; ++i)
      for (int j = 0; j < points; ++j)
        for (int k = 0; k < (law.uniforms() == 3 ? points : 1); ++k) {
          const double w = rule.w[i] * rule.w[j] * (law.uniforms() == 3 ? rule.w[k] : 1);
          const Vec3<double> a = law.map(std::vector<double>{rule.u[i], rule.u[j], rule.u[k]});
          outside += !law.contains(a);
          total += w;
          mean += w * (a - c.mean());
          covariance += w * outer(a - c.mean(), a - c.mean());
        }
    EXPECT_EQ(outside, 0);
    // 43 points per dimension: truncation of the rule; the law itself is solved to 1e-10.
    EXPECT_NEAR(total, 1, 1e-9);
    EXPECT_LT(norm(mean), 1e-9 * size_of(c));
    for (int i = 0; i < 3; ++i) EXPECT_LT(norm(covariance[i] - law.covariance()[i]), 1e-9 * size_of(c) * size_of(c));
  }
}

// Each coordinate of each domain: two-sample Kolmogorov–Smirnov test of mapped uniform numbers against draws.
TEST(IsoprobabilisticMaps, of_centres_of_mass_agree_with_draws) {
  // 13 domains and at most 4 directions at 9e-7: false alarm 5e-5.
  constexpr int n = 20000;
  for (const DomainCase& c : mapped_cases()) {
    SCOPED_TRACE(c.name);
    const CenterOfMassLaw law(c.domain, c.mean());
    std::vector<Vec3<double>> drawn, mapped;
    for (int k = 0; k < n; ++k) {
      Stream a(11, k, quantity_key("drawn")), b(11, k, quantity_key("mapped"));
      drawn.push_back(law.draw(a));
      const std::vector<double> u = {b.uniform(), b.uniform(), b.uniform()};
      mapped.push_back(law.map(u));
    }
    std::vector<Vec3<double>> directions = {{0.5, -0.7, 0.3}};  // and one that mixes them
    for (const int axis : extended_axes(c.domain)) directions.push_back(c.domain.axes.column(axis));
    for (const Vec3<double>& e : directions) {
      std::vector<double> x, y;
      for (int k = 0; k < n; ++k) x.push_back(dot(e, drawn[k])), y.push_back(dot(e, mapped[k]));
      std::sort(x.begin(), x.end()), std::sort(y.begin(), y.end());
      double largest = 0;
      std::size_t j = 0;
      for (std::size_t i = 0; i < x.size(); ++i) {
        while (j < y.size() && y[j] <= x[i]) ++j;
        largest = std::max(largest, std::abs(double(j) - double(i + 1)) / n);
      }
      EXPECT_LT(std::sqrt(n / 2.0) * largest, kolmogorov_bound);
    }
  }
}

TEST(IsoprobabilisticMaps, of_balls_invert_the_distribution_along_the_tilt) {
  for (const int d : {2, 3})
    for (const double k : {0.0, 1e-3, 0.7, 10.0, 26.0, 1e4}) {
      SCOPED_TRACE(std::to_string(d) + " dimensions, tilt " + std::to_string(k));
      const ExponentialOnBall ball = exponential_on_ball(d, {0, ball_moments(d, k).mean, 0});
      const Vec3<double> n = ball.direction;
      double before = -2;
      for (int i = 1; i < 200; ++i) {
        const double u[3] = {i / 200.0, 0.3, 0.6};
        const Vec3<double> x = ball.map(u);
        const double s = dot(n, x);
        EXPECT_GT(s, before);
        EXPECT_LE(norm(x), 1 + 1e-15);
        before = s;
        if (k > 0) continue;
        // Without a tilt the distribution function is known: ½ + (s (1 − s²)^½ + asin s)/π and ½ + (3 s − s³)/4.
        const double cdf =
            d == 2 ? 0.5 + (s * std::sqrt(1 - s * s) + std::asin(s)) / std::acos(-1.0) : 0.5 + (3 * s - s * s * s) / 4;
        EXPECT_NEAR(cdf, u[0], 1e-14);  // round-off
      }
      // Both ends are reached: s is −1 or, where the law ends at 1e-22 before, near it.
      const double ends[2][3] = {{0, 0, 0}, {1, 1, 1}};
      EXPECT_NEAR(dot(n, ball.map(ends[1])), 1, 1e-15);
      EXPECT_NEAR(dot(n, ball.map(ends[0])), k < 25 ? -1 : 1 - 50 / k, 1e-14);
    }
}

// Third differences of a smooth function are h³ f''' to round-off: a table that is interpolated would show its joints.
TEST(IsoprobabilisticMaps, are_smooth_to_round_off) {
  const ExponentialOnBall ball = exponential_on_ball(3, {0.3, 0.1, -0.2});
  const auto s = [&](double u) {
    const double v[3] = {u, 0.5, 0.5};
    return dot(ball.direction, ball.map(v));
  };
  constexpr double h = 1e-5;
  for (double u = 0.1; u < 0.9; u += 0.0017) {
    const double third = s(u + 2 * h) - 3 * s(u + h) + 3 * s(u) - s(u - h);
    EXPECT_LT(std::abs(third), 2e-12);  // h³ times a third derivative of 1000 at u = 0.1; and 8 rounding units
  }
}

TEST(IsoprobabilisticMaps, of_a_planar_inertia_is_its_quantile) {
  struct Case {
    double z_max, lambda_l, lambda_u;
  };
  const UnitRule rule(0.05);
  for (const Case& c : {Case{2, -5, -5}, {1.1, -2, -10}, {30, -1.5, 0.5}, {3, -400, -300}, {1.5, -1.2, 0.9}}) {
    SCOPED_TRACE(testing::Message() << c.z_max << " " << c.lambda_l << " " << c.lambda_u);
    InertiaLawSettings s;
    s.normal = 1, s.nominal[1][1] = 0.7, s.z_max[1][1] = 0.7 * c.z_max, s.lambda_l = c.lambda_l, s.lambda_u = c.lambda_u;
    const InertiaLaw law(s);
    ASSERT_EQ(law.uniforms(), 1);
    double mean = 0, variance = 0, before = 0;
    for (std::size_t k = 0; k < rule.u.size(); ++k) {
      const double z = law.map_z(std::span(&rule.u[k], 1))[1][1];
      EXPECT_GE(z, before);  // equal only where u is 1 to the last digits
      EXPECT_LE(z, s.z_max[1][1]);
      before = z;
      mean += rule.w[k] * z, variance += rule.w[k] * (z - 0.7) * (z - 0.7);
    }
    // The law is solved to about 1e-13; 1 − u has no digits below 1e-16, which a small exponent at the upper end feels.
    EXPECT_NEAR(mean, 0.7, 1e-10);
    EXPECT_NEAR(std::sqrt(variance), law.standard_deviation()[1][1], 1e-10);
    // One-sample test of draws: P(z ≤ map(u)) = u on 64 parts. False alarm below 9e-7 each.
    constexpr int n = 20000;
    std::vector<double> drawn;
    for (int k = 0; k < n; ++k) {
      Stream stream(3, k, quantity_key("inertia"));
      drawn.push_back(law.draw_z(stream)[1][1]);
    }
    std::sort(drawn.begin(), drawn.end());
    for (int part = 1; part < 64; ++part) {
      const double u = part / 64.0, z = law.map_z(std::span(&u, 1))[1][1];
      const double below = double(std::upper_bound(drawn.begin(), drawn.end(), z) - drawn.begin());
      EXPECT_LT(std::sqrt(n) * std::abs(below / n - u), kolmogorov_bound);
    }
  }
}

TEST(IsoprobabilisticMaps, are_missing_where_there_are_only_draws) {
  for (const DomainCase& c : domain_cases())
    EXPECT_EQ(CenterOfMassLaw(c.domain, c.mean()).uniforms() == 0, !c.simplices.empty()) << c.name;
  InertiaLawSettings s;
  for (int i = 0; i < 3; ++i) s.nominal[i][i] = 1, s.z_max[i][i] = 3;
  const InertiaLaw law(s);
  EXPECT_EQ(law.uniforms(), 0);
  EXPECT_THROW(law.map_z({}), std::logic_error);
}

}  // namespace ALEATOR_FILE
}  // namespace aleator::core
