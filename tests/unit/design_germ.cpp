// The standard variables that expansions are written in: their kinds, the sample they stand for, and Gauss rules through them.
#include "design/germ.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <stdexcept>

#include "design/quadrature.hpp"
#include "support/message_of.hpp"
#include "support/run.hpp"
#include "support/uncertain_bodies.hpp"

namespace aleator::core::test {
namespace ALEATOR_FILE {

using Kind = Germ::Kind;

std::string spatial(const std::string& uncertain) { return test::two_bodies("k: 100, c: 2, d: 3, g: 1, h: 1", uncertain); }

std::string message_of(const std::string& uncertain) {
  const Model model = model_from(spatial(uncertain));
  const RandomModel random(model);
  return test::message_of<std::invalid_argument>([&] { const Germ germ(random); });
}

// E{f(sample)} by a tensor rule of n points per variable.
double mean_of(const Germ& germ, int n, const std::function<double(const std::vector<double>&)>& f) {
  const Quadrature q = tensor_quadrature(germ.size(), n, [&](int v, int m) -> const GaussQuadrature& { return germ.rule(v, m); });
  double sum = 0;
  for (long i = 0; i < q.size(); ++i)
    sum += q.weights[size_t(i)] * f(germ.sample({&q.points[size_t(i) * size_t(germ.size())], size_t(germ.size())}));
  return sum;
}

TEST(Germ, kinds_by_law) {
  const Model model =
      model_from(spatial("uncertain:\n"
                         "  k: {normal: {cov: 0.1}}\n  c: {uniform: {lower: 1, upper: 3}}\n  d: {lognormal: {cov: 0.2}}\n"
                         "  g: {normal: {std: 1}}\n  h: {uniform: {lower: 0, upper: 2}}\n"
                         "  a: {mass: {cov: 0.1}, center_of_mass: {ball: 0.1}}\n"
                         "dependence:\n  pair: {correlation: [g, h], value: 0.3}\n"));
  const RandomModel random(model);
  const Germ germ(random);
  const std::vector<std::pair<Kind, std::string>> expected = {
      {Kind::value, "Hermite"},    {Kind::value, "Legendre"},   {Kind::normal, "Hermite"},
      {Kind::normal, "Hermite"},   {Kind::normal, "Hermite"},   {Kind::value, "Laguerre"},
      {Kind::uniform, "Legendre"}, {Kind::uniform, "Legendre"}, {Kind::uniform, "Legendre"}};
  ASSERT_EQ(germ.size(), int(expected.size()));
  for (int v = 0; v < germ.size(); ++v) {
    EXPECT_EQ(germ.kind(v), expected[size_t(v)].first) << random.variables()[size_t(v)].name;
    EXPECT_EQ(germ.family(v, 3).name, expected[size_t(v)].second) << random.variables()[size_t(v)].name;
  }
}

// A place has its z, and that z the place or the value again. Round-off of cdf and quantile.
TEST(Germ, there_and_back) {
  const Model model = model_from(
      spatial("uncertain:\n  k: {normal: {cov: 0.1}}\n  c: {uniform: {lower: 1, upper: 3}}\n  d: {lognormal: {cov: 0.2}}\n"
              "  g: {gamma: {mean: 2, cov: 0.5}}\n  a: {center_of_mass: {box: [0.2, 0.4, 0.6]}}\n"));
  const RandomModel random(model);
  const Germ germ(random);
  for (int v = 0; v < germ.size(); ++v)
    for (const double u : {1e-6, 0.1, 0.5, 0.97}) {
      const Place p = germ.place(v, germ.standard(v, u));
      const Quantity& q = random.quantities()[size_t(random.variables()[size_t(v)].quantity)];
      EXPECT_NEAR(germ.kind(v) == Kind::value ? q.scalar->cdf(p.value) : p.u, u, 1e-12) << v;
    }
}

TEST(Germ, the_sample_at_z_has_the_values_z_stands_for) {
  const Model model = model_from(
      spatial("uncertain:\n  k: {normal: {std: 3}}\n  c: {uniform: {lower: 1, upper: 3}}\n  d: {lognormal: {cov: 0.2}}\n"
              "  a: {mass: {cov: 0.5}, center_of_mass: {box: [0.2, 0.4, 0.6]}}\n"));
  const RandomModel random(model);
  const Germ germ(random);
  const std::vector<double> z = {1.3, -0.4, 0.8, 5, 0.5, -0.5, 0};
  const std::vector<double> x = germ.sample(z);
  const PolynomialFamily mass = germ.family(3, 1);
  const double sigma = std::sqrt(std::log(1.04));
  EXPECT_NEAR(x[0], 100 + 3 * 1.3, 1e-13);
  EXPECT_NEAR(x[1], 2 - 0.4, 1e-14);
  EXPECT_NEAR(x[2], 3 * std::exp(0.8 * sigma - sigma * sigma / 2), 1e-13);
  EXPECT_EQ(x[3], mass.variable(5));
  // u = (1 + z)/2 of a uniform law on the box
  EXPECT_NEAR(x[4], 0.05, 1e-14);
  EXPECT_NEAR(x[5], -0.1, 1e-14);
  EXPECT_NEAR(x[6], 0, 1e-14);
  EXPECT_EQ(germ.sample(z), x);
}

TEST(Germ, a_gauss_rule_has_the_moments_of_gamma_and_uniform) {
  const Model model = model_from(spatial("uncertain:\n  c: {uniform: {lower: 1, upper: 3}}\n  a: {mass: {cov: 0.5}}\n"));
  const RandomModel random(model);
  const Germ germ(random);
  // polynomials of degree 2 in each: exact with two points, up to round-off
  for (const int n : {2, 5}) {
    EXPECT_NEAR(mean_of(germ, n, [](const auto& x) { return x[0]; }), 2, 1e-13);
    EXPECT_NEAR(mean_of(germ, n, [](const auto& x) { return x[1]; }), 6, 1e-12);
    EXPECT_NEAR(mean_of(germ, n, [](const auto& x) { return std::pow(x[0] - 2, 2); }), 1.0 / 3, 1e-13);
    EXPECT_NEAR(mean_of(germ, n, [](const auto& x) { return std::pow(x[1] - 6, 2); }), 9, 1e-11);
    EXPECT_NEAR(mean_of(germ, n, [](const auto& x) { return (x[0] - 2) * (x[1] - 6); }), 0, 1e-12);
  }
  // third moment of gamma with shape 4, scale 1.5: 2 · 4 · 1.5³ = 27, of degree 3: still two points
  EXPECT_NEAR(mean_of(germ, 2, [](const auto& x) { return std::pow(x[1] - 6, 3); }), 27, 1e-10);
}

TEST(Germ, a_gauss_rule_has_the_moments_of_lognormal) {
  const Model model = model_from(spatial("uncertain:\n  d: {lognormal: {cov: 0.3}}\n"));
  const RandomModel random(model);
  const Germ germ(random);
  // e^{σz}, σ = 0.29, of a Hermite rule with 10 points: the remainder is of order σ²⁰/10!/2²⁰ of e^{2σz}: 1e-11 of the square
  EXPECT_NEAR(mean_of(germ, 10, [](const auto& x) { return x[0]; }), 3, 1e-11);
  EXPECT_NEAR(mean_of(germ, 10, [](const auto& x) { return std::pow(x[0] - 3, 2); }), 0.81, 1e-9);
}

// Beyond z = 8.3 Φ(z) is 1 in 53 bits, and the outer nodes of rules with 23 points and more are there.
TEST(Germ, a_gauss_rule_of_many_points_has_finite_samples_and_the_moments_of_lognormal) {
  const Model model = model_from(spatial("uncertain:\n  d: {lognormal: {cov: 0.3}}\n"));
  const RandomModel random(model);
  const Germ germ(random);
  const double sigma = std::sqrt(std::log(1.09));
  for (const int n : {23, 31, 41}) {
    EXPECT_NEAR(mean_of(germ, n, [](const auto& x) { return x[0]; }), 3, 1e-12) << n;  // round-off of sums and of Φ⁻¹
    EXPECT_NEAR(mean_of(germ, n, [](const auto& x) { return std::pow(x[0] - 3, 2); }), 0.81, 1e-11) << n;
    for (const double z : {germ.rule(0, n).nodes.front(), germ.rule(0, n).nodes.back()})
      EXPECT_NEAR(germ.sample({{z}})[0] / (3 * std::exp(sigma * z - sigma * sigma / 2)), 1, 1e-12) << n;
  }
}

// Whatever the law, in or out of a copula, and shared: samples of the outermost nodes are finite numbers.
TEST(Germ, far_nodes_are_numbers) {
  const Model model = model_from(
      spatial("uncertain:\n  k: {student: {degrees: 5, cov: 0.1}}\n  c: {lognormal: {cov: 0.4}}\n"
              "  d: {openturns: {name: Frechet, parameters: {beta: 1, alpha: 3, gamma: 0}}}\n  g: {lognormal: {cov: 0.2}}\n"
              "  h: {gumbel: {cov: 0.2}}\n"
              "dependence:\n  pair: {correlation: [g, h], value: 0.5}\n"));
  const RandomModel random(model);
  const Germ germ(random);
  for (const double far : {-12.0, -8.5, 8.5, 12.0}) {
    const std::vector<double> x = germ.sample(std::vector<double>(size_t(germ.size()), far));
    for (size_t i = 0; i < x.size(); ++i) EXPECT_TRUE(std::isfinite(x[i])) << random.columns()[i] << " at " << far;
  }
}

TEST(Germ, a_gauss_rule_has_the_moments_of_correlated_normals) {
  const Model model =
      model_from(spatial("uncertain:\n  k: {normal: {std: 3}}\n  c: {normal: {std: 0.5}}\ndependence:\n  pair: {correlation: [k, "
                         "c], value: -0.6}\n"));
  const RandomModel random(model);
  const Germ germ(random);
  // linear in z: exact with two points; Φ and its inverse lose 1e-14
  EXPECT_NEAR(mean_of(germ, 3, [](const auto& x) { return x[0]; }), 100, 1e-11);
  EXPECT_NEAR(mean_of(germ, 3, [](const auto& x) { return x[1]; }), 2, 1e-12);
  EXPECT_NEAR(mean_of(germ, 3, [](const auto& x) { return std::pow(x[0] - 100, 2); }), 9, 1e-11);
  EXPECT_NEAR(mean_of(germ, 3, [](const auto& x) { return std::pow(x[1] - 2, 2); }), 0.25, 1e-12);
  EXPECT_NEAR(mean_of(germ, 3, [](const auto& x) { return (x[0] - 100) * (x[1] - 2); }), -0.6 * 3 * 0.5, 1e-12);
}

TEST(Germ, a_gauss_rule_has_the_moments_of_blocks) {
  const Model box = model_from(spatial("uncertain:\n  a: {center_of_mass: {box: [0.2, 0.4, 0.6]}}\n"));
  const RandomModel in_box(box);
  const Germ germ(in_box);
  for (int i = 0; i < 3; ++i) {  // uniform: linear in z, edge²/12
    EXPECT_NEAR(mean_of(germ, 2, [&](const auto& x) { return x[i]; }), 0, 1e-14);
    EXPECT_NEAR(mean_of(germ, 2, [&](const auto& x) { return x[i] * x[i]; }), std::pow(0.2 * (i + 1), 2) / 12, 1e-14);
  }
  // Planar inertia: the mean is the nominal one, m (1² + 3²)/12 = 5. Its quantile goes as a power of u at the ends, so that the
  // rule converges slowly: errors observed fall as n^(−2.3), to 6e-4 with 20 points and 1.2e-4 with 40.
  const Model planar = model_from(
      "plane: xz\nbodies:\n  a: {shape: {box: [1, 2, 3]}, mass: 6, at: [0, 0]}\n"
      "outputs:\n  p: {position: a, component: x}\nsimulation: {duration: 1}\n"
      "uncertain:\n  a: {inertia: {lambda_l: -5, lambda_u: -2}}\n");
  const RandomModel turning(planar);
  const Germ of_inertia(turning);
  ASSERT_EQ(of_inertia.size(), 1);
  EXPECT_EQ(of_inertia.kind(0), Kind::uniform);
  EXPECT_NEAR(mean_of(of_inertia, 40, [](const auto& x) { return x[0]; }), 5, 3e-4);
}

TEST(Germ, blocks_without_a_map_are_refused) {
  EXPECT_EQ(message_of("uncertain:\n  b: {mass: {cov: 0.1}, inertia: {lambda_l: -5, lambda_u: -5}}\n"),
            "b.inertia is drawn by rejection: no map from independent variables to its distribution is known, so that the "
            "response cannot "
            "be expanded in polynomials. Use a sampling method (sobol, latin-hypercube, monte-carlo), or fix it (--set)");
  EXPECT_EQ(
      message_of("uncertain:\n  a: {inertia: {lambda_l: -5, lambda_u: -5}}\n  b: {inertia: {lambda_l: -5, lambda_u: -5}}\n"),
      "a.inertia, b.inertia are drawn by rejection: no map from independent variables to their distributions is known, so that "
      "the "
      "response cannot be expanded in polynomials. Use a sampling method (sobol, latin-hypercube, monte-carlo), or fix them "
      "(--set)");
  EXPECT_EQ(message_of("uncertain:\n  b: {mass: {cov: 0.1}}\n"), "no error");
}

}  // namespace ALEATOR_FILE
}  // namespace aleator::core::test
