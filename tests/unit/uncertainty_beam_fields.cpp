// Random fields of beams in `uncertain:`: names, values at the stations, sharing, correlation, what is set from outside, messages.
#include <gtest/gtest.h>

#include <cmath>

#include "input/error.hpp"
#include "support/message_of.hpp"
#include "support/run.hpp"
#include "uncertainty/random_model.hpp"

namespace aleator::core::test {
namespace ALEATOR_FILE {

std::string frame(const std::string& uncertain) {
  return "plane: xy\nparameters: {k: 1}\nbodies:\n"
         "  link: {beam: [[0, 0], [0.6, 0]], section: {rectangle: {height: 0.01, width: 0.01}}, E: 69e9, nu: 0.34, density: "
         "2700, "
         "elements: 3}\n"
         "  rod: {beam: [[0.6, 0], [0.6, 0.3]], section: {values: {area: 1e-4, second_moment: 1e-9}}, material: steel, elements: "
         "2}\n"
         "  block: {shape: {box: [1, 1, 1]}, mass: 1}\n"
         "outputs:\n  p: {position: link, at: [0.6, 0]}\nsimulation: {duration: 0.1, step: 1e-3}\n" +
         uncertain;
}

std::string message_of(const std::string& uncertain, const std::vector<Override>& settings = {}) {
  const Model model = model_from(frame(uncertain));
  return test::input_message_of([&] { const RandomModel random(model, settings); });
}

Override named(const std::vector<Override>& all, const std::string& name) {
  for (const Override& o : all)
    if (o.name == name) return o;
  throw std::logic_error("no override " + name);
}

std::vector<double> along(const RandomModel& random, int realization, const std::string& name) {
  return named(random.overrides(random.sample(1, std::uint64_t(realization))), name).along;
}

TEST(BeamFields, names_groups_and_values) {
  const Model model =
      model_from(frame("uncertain:\n"
                       "  link: {E: {cov: 0.1, correlation: {squared_exponential: 1}, terms: 2}}\n"
                       "  k: {normal: {cov: 0.1}}\n"));
  const RandomModel random(model);
  EXPECT_EQ(random.columns(), (std::vector<std::string>{"link.E.xi1", "link.E.xi2", "k"}));
  EXPECT_EQ(random.groups(), (std::vector<std::string>{"link.E", "k"}));
  const std::vector<double> sample = {0.7, -1.1, 1.2};
  const std::vector<Override> overrides = random.overrides(sample);
  const Override E = named(overrides, "link.E");
  ASSERT_EQ(E.along.size(), 15u);
  const RandomField& field = *random.fields()[0].field;
  for (size_t i = 0; i < 15; ++i) {
    const std::vector<double> w = field.weights(model.bodies[0].stations[i]);
    EXPECT_NEAR(E.along[i] / 69e9, 1 + 0.1 * (0.7 * w[0] - 1.1 * w[1]), 1e-14);
  }
  EXPECT_NO_THROW(realize(model, overrides));
}

TEST(BeamFields, the_number_of_terms_follows_the_error) {
  const auto terms = [](const std::string& more) {
    const Model model =
        model_from(frame("uncertain:\n  link: {nu: {cov: 0.01, correlation: {squared_exponential: 1}" + more + "}}\n"));
    return RandomModel(model).fields()[0].terms.size();
  };
  EXPECT_EQ(terms(""), 2u);  // 5 %
  EXPECT_EQ(terms(", error: 0.005"), 3u);
  EXPECT_EQ(terms(", error: 0.2"), 1u);
  EXPECT_EQ(terms(", method: karhunen-loeve"), 2u);
}

TEST(BeamFields, one_field_over_two_beams_is_continuous_where_they_meet) {
  const Model model = model_from(frame("uncertain:\n  link: {E: {cov: 0.1, correlation: {matern32: 0.5}, also: [rod]}}\n"));
  const RandomModel random(model);
  const std::vector<Override> o = random.overrides(random.sample(1, 3));
  const Override link = named(o, "link.E"), rod = named(o, "rod.E");
  ASSERT_EQ(rod.along.size(), 10u);
  // relative values at the last station of one and the first of the other, 1 cm from the corner each
  EXPECT_NEAR(link.along.back() / 69e9, rod.along.front() / 210e9, 0.01);
  EXPECT_GT(std::abs(link.along.front() / link.along.back() - 1), 1e-4);
}

TEST(BeamFields, lognormal_is_positive_and_has_the_mean) {
  const Model model =
      model_from(frame("uncertain:\n  link: {E: {cov: 1, law: lognormal, correlation: {exponential: 0.3}, terms: 3}}\n"));
  const RandomModel random(model);
  double least = HUGE_VAL;
  for (int k = 0; k < 2000; ++k)
    for (const double E : along(random, k, "link.E")) least = std::min(least, E);
  EXPECT_GT(least, 0);
  EXPECT_TRUE(random.notes().empty());
}

TEST(BeamFields, other_laws_by_translation_keep_their_bounds) {
  const Model model = model_from(
      frame("uncertain:\n  link: {nu: {law: {uniform: {lower: 0.3, upper: 0.38}}, correlation: {squared_exponential: 0.3}}}\n"));
  const RandomModel random(model);
  for (int k = 0; k < 500; ++k)
    for (const double nu : along(random, k, "link.nu")) {
      EXPECT_GE(nu, 0.3);
      EXPECT_LE(nu, 0.38);
    }
}

// The sum of 2000 products has the standard deviation √(1 + ρ²)/√2000 = 0.028: five of them, false alarm 6e-7.
TEST(BeamFields, whole_fields_are_correlated_term_by_term) {
  const Model model =
      model_from(frame("uncertain:\n"
                       "  link: {E: {cov: 0.1, correlation: {squared_exponential: 1}, terms: 2},\n"
                       "         density: {cov: 0.05, correlation: {squared_exponential: 1}, terms: 2}}\n"
                       "dependence:\n  batch: {correlation: [link.E, link.density], value: 0.8}\n"));
  const RandomModel random(model);
  EXPECT_EQ(random.groups(), (std::vector<std::string>{"link.E & link.density"}));
  double same[2] = {0, 0}, cross = 0;
  for (int k = 0; k < 2000; ++k) {
    const std::vector<double> x = random.sample(1, k);
    for (int i = 0; i < 2; ++i) same[i] += x[i] * x[2 + i] / 2000;
    cross += x[0] * x[3] / 2000;
  }
  for (const double r : same) EXPECT_NEAR(r, 0.8, 0.14);
  EXPECT_NEAR(cross, 0, 0.14);
}

TEST(BeamFields, the_mean_follows_random_parameters) {
  std::string text = frame(
      "uncertain:\n  k: {uniform: {lower: 0.5, upper: 1.5}}\n"
      "  link: {E: {cov: 0.001, correlation: {squared_exponential: 1}, terms: 1}}\n");
  text.replace(text.find("E: 69e9"), 7, "E: 69e9*k");
  const Model model = model_from(text);
  const RandomModel random(model);
  const std::vector<double> sample = random.sample(1, 0);
  const double k = sample[0];  // columns: k, link.E.xi1
  ASSERT_EQ(random.columns()[0], "k");
  EXPECT_GT(std::abs(k - 1), 0.01);
  EXPECT_NEAR(named(random.overrides(sample), "link.E").along[7] / (69e9 * k), 1, 0.004);  // four deviations of the field
}

TEST(BeamFields, variables_can_be_set) {
  const Model model = model_from(frame("uncertain:\n  link: {E: {cov: 0.1, correlation: {squared_exponential: 1}, terms: 2}}\n"));
  const std::vector<Override> settings = {{"link.E.xi1", 2}};
  const RandomModel random(model, settings);
  EXPECT_EQ(random.columns(), (std::vector<std::string>{"link.E.xi2"}));
  const double w = random.fields()[0].field->weights(model.bodies[0].stations[4])[0];
  EXPECT_NEAR(named(random.nominal_overrides(), "link.E").along[4] / 69e9, 1 + 0.2 * w, 1e-14);
}

TEST(BeamFields, messages) {
  const std::string law = "{cov: 0.1, correlation: {squared_exponential: 1}}";
  EXPECT_EQ(message_of("uncertain:\n  link: {mass: {cov: 0.1}}\n"),
            "uncertain 'link': 'mass': it is a beam; E, nu, density and height of a beam can be random");
  EXPECT_EQ(message_of("uncertain:\n  block: {E: " + law + "}\n"),
            "uncertain 'block': 'E': it is a rigid body; mass, center_of_mass and inertia of a rigid body can be random");
  EXPECT_EQ(message_of("uncertain:\n  rod: {height: " + law + "}\n"),
            "uncertain 'rod': 'height': the section of 'rod' is given by its values and has no height");
  EXPECT_EQ(message_of("uncertain:\n  link: {E: {correlation: {exponential: 1}}}\n"),
            "uncertain 'link': 'E' needs one of 'cov' and 'std'");
  EXPECT_EQ(message_of("uncertain:\n  link: {E: {cov: 0.1, correlation: {exponential: 1}, also: [rodd]}}\n"),
            "uncertain 'link': 'E.also': there is no beam 'rodd' (did you mean 'rod'?)");
  EXPECT_EQ(message_of("uncertain:\n  link: {E: {cov: 0.1, correlation: {exponential: 1}, terms: 2, error: 0.1}}\n"),
            "uncertain 'link': 'E': give the number of 'terms' or the 'error' that determines it, not both");
  EXPECT_EQ(message_of("uncertain:\n  link: {E: " + law + "}\n", {{"link.E.xi9", 1}}),
            "'link.E.xi9' cannot be set: the field 'link.E' has 2 variables");
  EXPECT_EQ(message_of("uncertain:\n  link: {E: " + law + "}\n", {{"link.nu.xi1", 1}}),
            "'link.nu.xi1' cannot be set: there is no random field 'link.nu'");
}

TEST(BeamFields, a_law_of_its_own_needs_a_constant_mean) {
  std::string text =
      frame("uncertain:\n  link: {density: {law: {uniform: {lower: 900, upper: 1100}}, correlation: {exponential: 1}}}\n");
  text.replace(text.find("elements: 3"), 11, "elements: 3, along: {density: [[0, 1000], [0.6, 2000]]}");
  const Model model = model_from(text);
  try {
    const RandomModel random(model);
    FAIL() << "no complaint";
  } catch (const input::InputError& e) {
    EXPECT_EQ(e.message(),
              "uncertain 'link': 'density': this distribution has one mean, but the nominal value varies along the beams; use "
              "normal or "
              "lognormal");
  }
}

TEST(BeamFields, a_gaussian_field_that_may_be_unphysical_is_told) {
  const Model model = model_from(frame("uncertain:\n  link: {E: {cov: 0.5, correlation: {squared_exponential: 1}}}\n"));
  const RandomModel random(model);
  ASSERT_EQ(random.notes().size(), 1u);
  EXPECT_EQ(
      random.notes()[0],
      "uncertain 'link.E': a Gaussian field is unphysical at a given point in 2.3 % of all realizations, which then fail; 'law: "
      "lognormal' is always positive");
  int failed = 0;
  for (int k = 0; k < 300; ++k) {
    try {
      realize(model, random.overrides(random.sample(1, k)));
    } catch (const input::InputError& e) {
      ++failed;
      EXPECT_NE(e.message().find("'E' must be positive, found -"), std::string::npos);
    }
  }
  EXPECT_GT(failed, 0);
  EXPECT_LT(failed, 30);
}

}  // namespace ALEATOR_FILE
}  // namespace aleator::core::test
