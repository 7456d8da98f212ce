// Numbers of laws that are set from outside: what follows them, what they are called, what is refused.
#include "uncertainty/hyper_parameters.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "input/error.hpp"
#include "support/message_of.hpp"
#include "support/run.hpp"
#include "uncertainty/random_model.hpp"

namespace aleator::core::test {
namespace ALEATOR_FILE {

std::string described(const std::string& uncertain) {
  return "plane: xy\nparameters: {k: 100, c: 4, n: 3}\n"
         "bodies:\n"
         "  a: {shape: {box: [1, 2, 3]}, mass: 6, at: [0, 0]}\n"
         "  b: {shape: {box: [2, 1, 1]}, mass: 4, at: [5, 0]}\n"
         "  link: {beam: [[0, 5], [1, 5]], section: {rectangle: {height: 0.01, width: 0.01}}, E: 70e9, nu: 0.3, density: 2700, "
         "elements: 2}\n"
         "outputs:\n  p: {position: a, component: x}\n"
         "simulation: {duration: 1}\n"
         "uncertain:\n" +
         uncertain;
}

struct Moments {
  double mean, std;
};
Moments moments_of(const std::string& law, const std::vector<Override>& settings) {
  const Model model = model_from(described("  k: " + law + "\n"));
  const RandomModel random(model, settings);
  const Distribution& d = *random.quantities().at(0).scalar;
  return {d.mean(), d.standard_deviation()};
}

std::string message_of(const std::string& uncertain, const std::vector<Override>& settings) {
  const Model model = model_from(described(uncertain));
  return test::input_message_of([&] { const RandomModel random(model, settings); });
}

// Closed forms of the moments; the laws compute them to round-off of a few digits more than this.
TEST(HyperParameters, moments_of_scalar_laws_follow) {
  const auto expect = [](const Moments& m, double mean, double std) {
    EXPECT_NEAR(m.mean / mean, 1, 1e-9);
    EXPECT_NEAR(m.std / std, 1, 1e-9);
  };
  expect(moments_of("{normal: {std: 5}}", {{"k.std", 7}}), 100, 7);
  expect(moments_of("{normal: {std: 5}}", {{"k.mean", 50}}), 50, 5);  // the nominal value without
  expect(moments_of("{normal: {cov: 0.1}}", {{"k.mean", 50}, {"k.cov", 0.2}}), 50, 10);
  expect(moments_of("{lognormal: {mean: 30*n, cov: 0.1}}", {{"k.mean", 90}}), 90, 9);
  expect(moments_of("{uniform: {lower: 90, upper: 110}}", {{"k.lower", 70}}), 90, 40 / std::sqrt(12.0));
  expect(moments_of("{gamma: {shape: 4, rate: 0.1}}", {{"k.shape", 9}}), 90, 30);
  expect(moments_of("{exponential: {}}", {{"k.mean", 30}}), 30, 30);
  expect(moments_of("{openturns: {name: Normal, parameters: {mean: 1, standard_deviation: 2}}}", {{"k.standard_deviation", 3}}),
         1, 3);
}

TEST(HyperParameters, of_bodies_follow) {
  const Model model =
      model_from(described("  a: {mass: {cov: 0.3}, center_of_mass: {ball: 0.2}}\n"
                           "  b: {mass: {same_as: a}}\n"));
  const std::vector<Override> settings = {{"a.mass.mean", 12}, {"a.mass.cov", 0.1}, {"a.center_of_mass.radius", 0.3}};
  const RandomModel random(model, settings);
  EXPECT_NEAR(random.quantities()[0].scalar->mean(), 12, 1e-9);
  EXPECT_NEAR(random.quantities()[0].scalar->standard_deviation(), 1.2, 1e-9);
  EXPECT_EQ(random.quantities()[1].center_of_mass->domain().size.x, 0.3);
  EXPECT_NEAR(random.quantities()[2].scalar->mean(), 8, 1e-9);  // shares the factor: 4/6 of it
}

TEST(HyperParameters, of_fields_follow) {
  const Model model =
      model_from(described("  link: {E: {cov: 0.1, correlation: {matern32: 0.5}, terms: 2},\n"
                           "         density: {law: {uniform: {lower: 2500, upper: 2900}}, correlation: {exponential: 1}}}\n"));
  const std::vector<Override> settings = {{"link.E.cov", 0.2},
                                          {"link.E.correlation_length", 0.7},
                                          {"link.density.upper", 3000},
                                          {"link.density.correlation_length", 2}};
  const RandomModel random(model, settings);
  EXPECT_EQ(random.fields()[0].law.spread, 0.2);
  EXPECT_EQ(random.fields()[0].correlation.length, 0.7);
  EXPECT_EQ(random.fields()[1].law.distribution->upper(), 3000);
  EXPECT_EQ(random.fields()[1].correlation.length, 2);
}

TEST(HyperParameters, what_is_written_is_told) {
  const Model model =
      model_from(described("  k: {normal: {std: 0.1*n}}\n  c: {lognormal: {cov: 0.2}}\n"
                           "  a: {mass: {cov: 0.3}, center_of_mass: {box: [1, 1]}}\n"
                           "  link: {E: {std: 1e9, correlation: {exponential: 2}}}\n"));
  const auto check = [&](const std::string& name, double value, const std::string& unit) {
    const HyperParameter h = hyper_parameter(model, name);
    EXPECT_DOUBLE_EQ(h.value, value) << name;
    EXPECT_EQ(h.unit, unit) << name;
  };
  check("k.std", 0.1 * 3, "");
  check("k.mean", 100, "");  // taken from the parameter
  check("c.cov", 0.2, "-");
  check("c.shift", 0, "");
  check("a.mass.mean", 6, "kg");
  check("a.center_of_mass.scale", 1, "-");
  check("link.E.std", 1e9, "Pa");
  check("link.E.correlation_length", 2, "m");
  for (const char* name : {"k.cov", "c.lower", "b.mass.cov", "nonsense"})
    EXPECT_TRUE(std::isnan(hyper_parameter(model, name).value)) << name;
}

TEST(HyperParameters, kinds_of_names) {
  const input::Description& d =
      model_from(described("  k: {normal: {std: 1}}\n  a: {mass: {cov: 0.1}, center_of_mass: {ball: 1}}\n"
                           "  link: {E: {cov: 0.1, correlation: {exponential: 2}}}\n"))
          .description;
  for (const char* name : {"k", "a.mass", "a.center_of_mass.x", "b.inertia.zz", "link.E", "link.height"})
    EXPECT_EQ(kind_of_setting(d, name), SettingKind::number_of_model) << name;
  for (const char* name : {"k.mean", "k.std", "a.mass.cov", "a.center_of_mass.scale", "link.E.correlation_length"})
    EXPECT_EQ(kind_of_setting(d, name), SettingKind::hyper_parameter) << name;
  EXPECT_EQ(kind_of_setting(d, "link.E.xi1"), SettingKind::field_variable);
  for (const char* name : {"k.cov", "c.mean", "a.E", "link.mass", "b.mass.cov", "link.nu.xi1", "x"})
    EXPECT_EQ(kind_of_setting(d, name), SettingKind::nothing) << name;
}

TEST(HyperParameters, messages) {
  const std::string normal = "  k: {normal: {std: 5}}\n";
  EXPECT_EQ(message_of(normal, {{"k.cov", 0.1}}),
            "'k.cov' cannot be set: the distribution of 'k' is written with std; mean and std of this distribution can be set");
  EXPECT_EQ(
      message_of(normal, {{"k.shape", 1}}),
      "'k.shape' cannot be set: the distribution of 'k' has no parameter 'shape'; mean and std of this distribution can be set");
  EXPECT_EQ(message_of(normal, {{"c.mean", 1}}), "'c.mean' cannot be set: 'c' has no distribution of its own");
  EXPECT_EQ(message_of(normal, {{"k", 90}, {"k.std", 1}}),
            "'k.std' cannot be set together with 'k', which makes it deterministic");
  EXPECT_EQ(message_of("  k: {gamma: {shape: 4, rate: 0.1}}\n", {{"k.mean", 1}}),
            "'k.mean' cannot be set: the distribution of 'k' is written with shape and rate; shape, rate, shift, lower and "
            "upper of this distribution can be set");
  EXPECT_EQ(message_of("  a: {mass: {cov: 0.1}}\n  b: {mass: {same_as: a}}\n", {{"b.mass.cov", 0.2}}),
            "'b.mass.cov' cannot be set: 'b.mass' has no distribution of its own; it is the same as that of 'a'");
  const std::string table = "  link: {E: {cov: 0.1, correlation: {table: [[0, 1], [1, 0.5], [2, 0.2]]}, terms: 1}}\n";
  EXPECT_EQ(message_of(table, {{"link.E.correlation_length", 1}}),
            "'link.E.correlation_length' cannot be set: a correlation given as a table has no length; cov of this distribution "
            "can be set");
  EXPECT_EQ(message_of(table, {{"link.E.std", 1}}),
            "'link.E.std' cannot be set: the distribution of 'link.E' is written with cov; cov of this distribution can be set");
}

// A search meets values for which there is no law: it must tell them from names that are wrong.
TEST(HyperParameters, impossible_values_are_told_from_wrong_names) {
  const Model model =
      model_from(described("  a: {mass: {cov: 0.3}, inertia: {lambda_l: -5, lambda_u: -5}}\n  k: {normal: {std: 5}}\n"));
  const auto made_with = [&](const Override& o) { const RandomModel random(model, std::span(&o, 1)); };
  for (const Override& o :
       {Override{"a.mass.cov", 0.8}, Override{"a.mass.cov", -1}, Override{"a.inertia.lambda_l", 2}, Override{"k.std", 0}})
    EXPECT_THROW(made_with(o), ImpossibleLaw) << o.name;
  try {
    made_with({"k.cov", 0.1});
    FAIL() << "no complaint";
  } catch (const ImpossibleLaw&) {
    FAIL() << "a wrong name is not an impossible value";
  } catch (const input::InputError&) {
  }
}

}  // namespace ALEATOR_FILE
}  // namespace aleator::core::test
