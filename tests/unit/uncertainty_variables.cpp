// The independent variables behind a sample: which there are, what they are called, which of them are one, and that a sample placed
// through them is the sample they stand for.
#include <gtest/gtest.h>

#include <cmath>

#include "support/run.hpp"
#include "support/uncertain_bodies.hpp"
#include "uncertainty/distribution_module.hpp"
#include "uncertainty/random_model.hpp"

namespace aleator::core::test {
namespace ALEATOR_FILE {

std::string spatial(const std::string& uncertain) { return two_bodies("k: 100, c: 2, d: 3", uncertain); }

std::string beam(const std::string& uncertain) {
  return "plane: xy\nbodies:\n"
         "  link: {beam: [[0, 0], [0.6, 0]], section: {rectangle: {height: 0.01, width: 0.01}}, E: 69e9, nu: 0.34, density: "
         "2700, "
         "elements: 3}\n"
         "outputs:\n  p: {position: link, at: [0.6, 0]}\nsimulation: {duration: 0.1, step: 1e-3}\n" +
         uncertain;
}

std::vector<std::string> names_of(const RandomModel& random) {
  std::vector<std::string> names;
  for (const Variable& v : random.variables()) names.push_back(v.name);
  return names;
}

// All variables at places given, whatever the seed.
std::vector<double> placed(const RandomModel& random, const std::vector<Place>& places, std::uint64_t seed = 1) {
  return random.sample(seed, 3, {}, [&](int variable, int, double) { return places.at(size_t(variable)); });
}

TEST(Variables, scalars_and_blocks) {
  const Model model =
      model_from(spatial("uncertain:\n"
                         "  k: {normal: {cov: 0.1}}\n"
                         "  a: {mass: {cov: 0.1}, center_of_mass: {ball: 0.1}, inertia: {lambda_l: -5, lambda_u: -5}}\n"
                         "  b: {center_of_mass: {box: [0.1, 0.2, 0.3]}}\n"));
  const RandomModel random(model);
  EXPECT_EQ(names_of(random),
            (std::vector<std::string>{"k", "a.mass", "a.center_of_mass.u1", "a.center_of_mass.u2", "a.center_of_mass.u3",
                                      "b.center_of_mass.u1", "b.center_of_mass.u2", "b.center_of_mass.u3"}));
  EXPECT_EQ(random.unmapped(), (std::vector<std::string>{"a.inertia"}));
  for (const Variable& v : random.variables()) {
    EXPECT_EQ(v.alone, v.name == "k" || v.name == "a.mass") << v.name;
    EXPECT_EQ(v.group, random.quantities()[size_t(v.quantity)].group) << v.name;
  }
  EXPECT_EQ(random.variables()[4].coordinate, 2);
}

TEST(Variables, a_polyhedron_has_none) {
  const Model model =
      model_from(spatial("uncertain:\n  a: {center_of_mass: {polyhedron: [[-1, -1, -1], [1, -1, -1], [0, 1, -1], [0, 0, 1]], "
                         "mean: [0, 0, -0.3]}}\n"));
  const RandomModel random(model);
  EXPECT_TRUE(random.variables().empty());
  EXPECT_EQ(random.unmapped(), (std::vector<std::string>{"a.center_of_mass"}));
}

TEST(Variables, of_planar_bodies) {
  const Model model = model_from(body_in_plane(
      "uncertain:\n  a: {mass: {cov: 0.1}, center_of_mass: {box: [0.2, 0.4]}, inertia: {lambda_l: -5, lambda_u: -2}}\n"));
  const RandomModel random(model);
  EXPECT_EQ(names_of(random), (std::vector<std::string>{"a.mass", "a.center_of_mass.u1", "a.center_of_mass.u2", "a.inertia.u1"}));
  EXPECT_TRUE(random.unmapped().empty());
}

TEST(Variables, of_a_field_are_its_terms) {
  const Model model = model_from(beam("uncertain:\n  link: {E: {cov: 0.1, correlation: {squared_exponential: 1}, terms: 3}}\n"));
  const RandomModel random(model);
  EXPECT_EQ(names_of(random), (std::vector<std::string>{"link.E.xi1", "link.E.xi2", "link.E.xi3"}));
  for (const Variable& v : random.variables()) EXPECT_TRUE(v.alone && v.group == 0) << v.name;
  // standard normal: the value is the quantile of the place
  const std::vector<double> x = placed(random, {{0.5}, {0.9}, {.value = -0.3}});
  EXPECT_NEAR(x[0], 0, 1e-15);
  EXPECT_NEAR(x[1], distribution_module().normal_quantile(0.9), 1e-14);
  EXPECT_EQ(x[2], -0.3);
}

TEST(Variables, what_is_shared_is_one) {
  const Model model =
      model_from(spatial("uncertain:\n"
                         "  a: {mass: {cov: 0.3}, center_of_mass: {box: [0.2, 0.3, 0.4]}}\n"
                         "  b: {mass: {same_as: a}, center_of_mass: {same_as: a}}\n"));
  const RandomModel random(model);
  EXPECT_EQ(names_of(random),
            (std::vector<std::string>{"a.mass", "a.center_of_mass.u1", "a.center_of_mass.u2", "a.center_of_mass.u3"}));
  // by place and by value: the other differs from its nominal as the first does. Round-off of cdf and quantile.
  const std::vector<double> by_place = placed(random, {{0.8}, {0.25}, {0.5}, {0.75}}, 7),
                            by_value = placed(random, {{.value = by_place[0]}, {0.25}, {0.5}, {0.75}}, 8);
  EXPECT_NEAR(by_place[4] / 4, by_place[0] / 6, 1e-12);
  for (size_t i = 0; i < by_place.size(); ++i) EXPECT_NEAR(by_value[i], by_place[i], 1e-10 * (1 + std::abs(by_place[i]))) << i;
  for (int i = 0; i < 3; ++i) EXPECT_NEAR(by_place[5 + i] - (i == 0 ? 5 : 0), by_place[1 + i], 1e-12);
  // uniform in a box of 0.2: a quarter of its probability is at −0.05
  EXPECT_NEAR(by_place[1], -0.05, 1e-14);
}

TEST(Variables, a_copula_ties_them_to_places) {
  const Model model = model_from(
      spatial("uncertain:\n  k: {normal: {std: 3}}\n  c: {lognormal: {cov: 0.2}}\n  d: {uniform: {lower: 1, upper: 5}}\n"
              "dependence:\n  pair: {correlation: [k, c], value: 0.5}\n"));
  const RandomModel random(model);
  EXPECT_EQ(names_of(random), (std::vector<std::string>{"k", "c", "d"}));
  EXPECT_FALSE(random.variables()[0].alone);
  EXPECT_FALSE(random.variables()[1].alone);
  EXPECT_TRUE(random.variables()[2].alone);
  EXPECT_EQ(random.variables()[0].group, random.variables()[1].group);
  EXPECT_NE(random.variables()[0].group, random.variables()[2].group);
  // z of the second is 0.5 z₁ + √0.75 z₂; the lognormal law has σ² = ln(1 + 0.2²)
  const double z1 = 0.7, z2 = -1.1, sigma = std::sqrt(std::log(1.04)), mu = std::log(2) - sigma * sigma / 2;
  const auto u = [](double z) { return Place{distribution_module().normal_cdf(z)}; };
  const std::vector<double> x = placed(random, {u(z1), u(z2), {0.25}});
  EXPECT_NEAR(x[0], 100 + 3 * z1, 1e-12);  // round-off of Φ and its inverse
  EXPECT_NEAR(x[1], std::exp(mu + sigma * (0.5 * z1 + std::sqrt(0.75) * z2)), 1e-12);
  EXPECT_NEAR(x[2], 2, 1e-14);
}

// Left where Monte Carlo has them, scalars are those of Monte Carlo.
TEST(Variables, places_of_monte_carlo_give_its_samples) {
  const Model model =
      model_from(spatial("uncertain:\n  k: {normal: {std: 3}}\n  c: {lognormal: {cov: 0.2}}\n  a: {mass: {cov: 0.3}}\n"
                         "dependence:\n  pair: {correlation: [k, c], value: 0.5}\n"));
  const RandomModel random(model);
  for (std::uint64_t k = 0; k < 50; ++k)
    EXPECT_EQ(random.sample(5, k, {}, [](int, int, double u) { return Place{u}; }), random.sample(5, k));
}

}  // namespace ALEATOR_FILE
}  // namespace aleator::core::test
