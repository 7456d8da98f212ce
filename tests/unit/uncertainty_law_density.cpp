// Curves of densities: exact values, nothing lost beyond the ends, and none where there is none.
#include "uncertainty/law_density.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace aleator::core {
namespace ALEATOR_FILE {

using Arguments = std::vector<Argument>;

double integral(const LawDensity& d) {
  double sum = 0;
  for (size_t i = 1; i < d.x.size(); ++i) sum += (d.x[i] - d.x[i - 1]) * (d.density[i] + d.density[i - 1]) / 2;
  return sum;
}

LawDensity curve(std::string_view kind, const Arguments& arguments, double nominal = 40) {
  return law_density(*make_distribution(kind, arguments, nominal));
}

// x³ e^(−x/10) / (10⁴ Γ(4)): the mass of the five-body example.
TEST(LawDensity, of_a_gamma_law) {
  const LawDensity d = curve("gamma", {{"cov", 0.5}});
  ASSERT_EQ(d.x.size(), 201u);
  EXPECT_EQ(d.x.front(), 0);                 // the end of the support is near
  EXPECT_NEAR(d.density.front(), 0, 1e-20);  // a little inside
  for (const size_t i : {20u, 60u, 150u}) {
    const double x = d.x[i], exact = x * x * x * std::exp(-x / 10) / 6e4;
    EXPECT_NEAR(d.density[i], exact, 1e-12);  // round-off
  }
  EXPECT_NEAR(integral(d), 1, 1e-3);  // 5e-4 lies beyond the last quantile, less what the margin adds; the trapezoidal rule
}

TEST(LawDensity, reaches_the_ends_of_a_bounded_support) {
  const LawDensity d = curve("uniform", {{"lower", 1e6}, {"upper", 1e6 + 2}});
  EXPECT_EQ(d.x.front(), 1e6);
  EXPECT_EQ(d.x.back(), 1e6 + 2);
  for (const double p : d.density) EXPECT_NEAR(p, 0.5, 1e-12);
  EXPECT_NEAR(integral(d), 1, 1e-9);  // round-off of differences of a million
}

TEST(LawDensity, leaves_out_an_end_without_bound) {
  const LawDensity d = curve("gamma", {{"shape", 0.5}, {"rate", 1}});  // x^(−1/2)
  EXPECT_GT(d.x.front(), 0);
  for (const double p : d.density) EXPECT_TRUE(std::isfinite(p) && p > 0);
}

// 1/x² from 1 on: the quantile 0.9995 is 2000, 0.99 is 100, to which 5 % of the range are added.
TEST(LawDensity, cuts_heavy_tails) {
  const LawDensity d = law_density(*make_openturns_distribution("Pareto", Arguments{{"beta", 1}, {"alpha", 1}, {"gamma", 0}}));
  EXPECT_NEAR(d.x.front(), 1.0005, 1e-6);  // OpenTURNS does not tell where it begins
  EXPECT_NEAR(d.x.back(), 104.95, 1e-3);
  for (size_t i = 0; i < d.x.size(); ++i) EXPECT_NEAR(d.density[i], 1 / (d.x[i] * d.x[i]), 1e-9);  // round-off
}

TEST(LawDensity, of_a_discrete_law_is_none) {
  const LawDensity d = law_density(*make_openturns_distribution("Poisson", Arguments{{"lambda", 3}}));
  EXPECT_TRUE(d.x.empty());
  EXPECT_TRUE(d.density.empty());
}

TEST(LawDensity, of_a_centre_of_mass_on_a_box) {
  Domain box;
  box.size = {0.5, 0.2, 0.02}, box.position = {1, 2, 3}, box.scale = 2;
  const CenterOfMassLaw law(box, {1.1, 2, 3});
  for (int axis = 0; axis < 3; ++axis) {
    const LawDensity d = law_density(law, axis);
    ASSERT_EQ(d.x.size(), 201u);
    EXPECT_NEAR(d.x.front(), box.position[axis] - box.size[axis], 1e-14);
    EXPECT_NEAR(integral(d), 1, 1e-4);  // trapezoidal rule of a smooth function
    double mean = 0;
    for (size_t i = 1; i < d.x.size(); ++i)
      mean += (d.x[i] - d.x[i - 1]) * (d.x[i] * d.density[i] + d.x[i - 1] * d.density[i - 1]) / 2;
    EXPECT_NEAR(mean, law.mean()[axis], 1e-4 * mean);
  }
  // the ratio over the interval is that of the exponential
  const LawDensity x = law_density(law, 0);
  EXPECT_NEAR(std::log(x.density.back() / x.density.front()), -law.lambda().x, 1e-9);  // the interval is 1 m long
}

TEST(LawDensity, extent_of_domains) {
  Domain d;
  d.position = {1, 0, 0};
  const double c = std::sqrt(0.5);
  d.axes = {{{c, -c, 0}, {c, c, 0}, {0, 0, 1}}};  // 45 degrees about z
  d.kind = Domain::Kind::box, d.size = {2, 2, 1};
  EXPECT_NEAR(extent(d, 0)[1], 1 + std::sqrt(2.0), 1e-15);
  EXPECT_TRUE(law_density(CenterOfMassLaw(d, {1, 0, 0}), 0).x.empty());
  EXPECT_FALSE(law_density(CenterOfMassLaw(d, {1, 0, 0}), 2).x.empty());
  d.kind = Domain::Kind::ellipsoid, d.size = {3, 4, 1};
  EXPECT_NEAR(extent(d, 0)[0], 1 - 5 * c, 1e-15);
  d.kind = Domain::Kind::cylinder, d.size = {0.3, 2, 0};
  EXPECT_NEAR(extent(d, 2)[1], 1, 1e-15);
  EXPECT_NEAR(extent(d, 1)[1], 0.3, 1e-15);
  d.kind = Domain::Kind::polyhedron, d.vertices = {{0, 0, 0}, {1, 1, 0}, {-1, 0, 2}}, d.scale = 2;
  EXPECT_NEAR(extent(d, 1)[0], -2 * c, 1e-15);
  EXPECT_NEAR(extent(d, 2)[1], 4, 1e-15);
}

}  // namespace ALEATOR_FILE
}  // namespace aleator::core
