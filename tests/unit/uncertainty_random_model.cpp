// From `uncertain:` and `dependence:` to laws and samples: names, columns, sharing, what is set from outside, messages.
#include <gtest/gtest.h>

#include <cmath>

#include "input/error.hpp"
#include "support/message_of.hpp"
#include "support/run.hpp"
#include "support/uncertain_bodies.hpp"
#include "uncertainty/random_model.hpp"

namespace aleator::core::test {
namespace ALEATOR_FILE {

std::string spatial(const std::string& uncertain) { return two_bodies("k: 100, factor: 1, length: 2", uncertain, "6*factor"); }

std::string message_of(const std::string& yaml, const std::vector<Override>& settings = {}) {
  const Model model = model_from(yaml);
  return test::input_message_of([&] { const RandomModel random(model, settings); });
}

TEST(RandomModel, columns_have_the_names_that_can_be_set) {
  const Model model =
      model_from(spatial("uncertain:\n"
                         "  a: {mass: {cov: 0.1}, center_of_mass: {ball: 0.1}}\n"
                         "  k: {normal: {cov: 0.1}}\n"
                         "  b: {inertia: {lambda_l: -5, lambda_u: -5}}\n"));
  const RandomModel random(model);
  const std::vector<std::string> expected = {
      "a.mass",       "a.center_of_mass.x", "a.center_of_mass.y", "a.center_of_mass.z", "k",           "b.inertia.xx",
      "b.inertia.yy", "b.inertia.zz",       "b.inertia.xy",       "b.inertia.xz",       "b.inertia.yz"};
  EXPECT_EQ(random.columns(), expected);
  EXPECT_EQ(random.groups(), (std::vector<std::string>{"a.mass", "a.center_of_mass", "k", "b.inertia"}));
  // and the model takes them: every sample is a realization
  for (int k = 0; k < 50; ++k) EXPECT_NO_THROW(realize(model, random.overrides(random.sample(1, k))));
}

TEST(RandomModel, planar_bodies_have_planar_columns) {
  const Model model = model_from(body_in_plane(
      "uncertain:\n  a: {mass: {cov: 0.1}, center_of_mass: {box: [0.2, 0.4]}, inertia: {lambda_l: -5, lambda_u: -2}}\n"));
  const RandomModel random(model);
  EXPECT_EQ(random.columns(), (std::vector<std::string>{"a.mass", "a.center_of_mass.x", "a.center_of_mass.z", "a.inertia.yy"}));
  for (int k = 0; k < 200; ++k) {
    const std::vector<double> x = random.sample(1, k);
    EXPECT_LE(std::abs(x[1]), 0.1);
    EXPECT_LE(std::abs(x[2]), 0.2);
    EXPECT_GT(x[3], 0);
    EXPECT_LT(x[3], x[0] * (0.25 + 2.25));  // z_max = a² + c² of the bounding box
    EXPECT_NO_THROW(realize(model, random.overrides(x)));
  }
}

TEST(RandomModel, numbers_of_a_quantity_do_not_depend_on_the_others) {
  const Model all =
      model_from(spatial("uncertain:\n  k: {normal: {std: 3}}\n  a: {mass: {cov: 0.3}, center_of_mass: {ball: 0.2}}\n"));
  const Model alone = model_from(spatial("uncertain:\n  a: {mass: {cov: 0.3}}\n"));
  const RandomModel random_all(all), random_alone(alone);
  for (const int k : {0, 1, 17, 100000}) EXPECT_EQ(random_all.sample(7, k)[1], random_alone.sample(7, k)[0]);
  EXPECT_NE(random_alone.sample(7, 0), random_alone.sample(8, 0));
  EXPECT_NE(random_alone.sample(7, 0), random_alone.sample(7, 1));
}

TEST(RandomModel, replicates_are_taken_group_by_group) {
  const Model model =
      model_from(spatial("uncertain:\n  k: {normal: {std: 3}}\n  a: {mass: {cov: 0.3}, center_of_mass: {ball: 0.2}}\n"));
  const RandomModel random(model);
  const std::vector<double> first = random.sample(1, 5), second = random.sample(1, 5, std::vector{1, 1, 1});
  const std::vector<double> mixed = random.sample(1, 5, std::vector{0, 1, 0});
  for (size_t i = 0; i < first.size(); ++i) EXPECT_NE(first[i], second[i]);
  EXPECT_EQ(mixed[0], first[0]);
  EXPECT_EQ(mixed[1], second[1]);
  EXPECT_EQ(mixed[2], first[2]);
}

TEST(RandomModel, bodies_share_a_quantity) {
  const Model model =
      model_from(spatial("uncertain:\n"
                         "  b: {mass: {same_as: a}, center_of_mass: {same_as: a}, inertia: {same_as: a}}\n"
                         "  a:\n    mass: {cov: 0.3}\n    center_of_mass: {box: [0.2, 0.3, 0.4]}\n"
                         "    inertia: {lambda_l: -5, lambda_u: -5, z_max: {multiple: 3}}\n"));
  const RandomModel random(model);
  EXPECT_EQ(random.groups().size(), 3u);
  for (int k = 0; k < 20; ++k) {
    const std::vector<double> x = random.sample(1, k);  // a: mass, centre, inertia; then b
    EXPECT_NEAR(x[10] / 4, x[0] / 6, 1e-12);
    for (int i = 0; i < 3; ++i) EXPECT_NEAR(x[11 + i] - (i == 0 ? 5 : 0), x[1 + i], 1e-12);
    // the same normalised tensor: Z_ii/Z̲_ii = G_ii for boxes along the axes, Z_ii = (J_jj + J_kk − J_ii)/2M
    for (int i = 0; i < 3; ++i) {
      const double za = (x[4 + (i + 1) % 3] + x[4 + (i + 2) % 3] - x[4 + i]) / x[0];
      const double zb = (x[14 + (i + 1) % 3] + x[14 + (i + 2) % 3] - x[14 + i]) / x[10];
      const double edges_a[] = {1, 2, 3}, edges_b[] = {2, 1, 1};
      EXPECT_NEAR(za / (edges_a[i] * edges_a[i]), zb / (edges_b[i] * edges_b[i]), 1e-9);
    }
  }
}

TEST(RandomModel, inertia_goes_with_a_mass_that_depends_on_a_random_parameter) {
  const Model model =
      model_from(spatial("uncertain:\n  factor: {uniform: {lower: 1, upper: 3}}\n"
                         "  a: {inertia: {lambda_l: -400, lambda_u: -400, z_max: {multiple: 2}}}\n"));
  const RandomModel random(model);
  for (int k = 0; k < 20; ++k) {
    const std::vector<double> x = random.sample(1, k);
    const double nominal = 6 * x[0] * (4.0 + 9.0) / 12;  // scatter of G is about 4 %
    EXPECT_NEAR(x[1] / nominal, 1, 0.3);
  }
}

// A body whose drawing depends on a random parameter: its own random quantities follow the drawing of the realization.
TEST(RandomModel, laws_of_a_body_follow_its_drawing) {
  const std::string drawing =
      "parameters: {length: 2, angle: 0}\nbodies:\n"
      "  a: {shape: {box: [length, 1, 1]}, density: 3, at: [length/2, 0, 0], orientation: {rpy: [0, 0, angle]}}\n"
      "outputs:\n  p: {position: a, component: x}\nsimulation: {duration: 1}\nuncertain:\n";
  const std::string laws =
      "  a: {mass: {cov: 0.2}, center_of_mass: {box: [0.4, 0.2, 0.2]}, inertia: {lambda_l: -5, lambda_u: -5, z_max: {multiple: "
      "2}}}\n";
  const Model fixed = model_from(drawing + laws);
  const Model longer = model_from(drawing + laws + "  length: {uniform: {lower: 1, upper: 4}}\n");
  const Model turned = model_from(drawing + laws + "  angle: {uniform: {lower: 0, upper: 3}}\n");
  const RandomModel random_fixed(fixed), random_longer(longer), random_turned(turned);
  for (int k = 0; k < 10; ++k) {
    const std::vector<double> x = random_fixed.sample(1, k), y = random_longer.sample(1, k), z = random_turned.sample(1, k);
    const double stretch = y[10] / 2;
    EXPECT_NEAR(y[0], x[0] * stretch, 1e-12 * y[0]);
    EXPECT_NEAR(y[1] - y[10] / 2, x[1] - 1, 1e-12);  // displaced from the middle as before
    EXPECT_NEAR(y[2], x[2], 1e-12);
    const auto second_moment_x = [](const std::vector<double>& s) { return (s[5] + s[6] - s[4]) / (2 * s[0]); };
    EXPECT_NEAR(second_moment_x(y), second_moment_x(x) * stretch * stretch, 1e-12 * second_moment_x(y));
    // turned by the angle: the trace stays, and so does what is along the axis of turning
    EXPECT_NEAR(z[0], x[0], 1e-12);
    EXPECT_NEAR(z[6], x[6], 1e-12 * x[6]);
    EXPECT_NEAR(z[4] + z[5], x[4] + x[5], 1e-12 * (x[4] + x[5]));
    const double c = std::cos(z[10]), s = std::sin(z[10]);
    EXPECT_NEAR(z[4], c * c * x[4] + s * s * x[5] - 2 * c * s * x[7], 1e-12 * (x[4] + x[5]));
    EXPECT_NEAR(z[1] - 1, c * (x[1] - 1) - s * x[2], 1e-12);
  }
}

TEST(RandomModel, what_is_the_same_for_all_realizations_must_not_be_random) {
  const std::string k = "uncertain:\n  k: {normal: {std: 1}}\n";
  EXPECT_EQ(message_of(spatial(k + "  length: {normal: {std: k/10}}\n")),
            "uncertain 'length': its distribution depends on 'k', which is random; it must be the same for all realizations");
  EXPECT_EQ(message_of(spatial(k + "study: {samples: k}\n")),
            "'study' depends on 'k', which is random; it must be the same for all realizations");
}

TEST(RandomModel, what_is_set_is_no_longer_random) {
  const std::string yaml = spatial("uncertain:\n  k: {normal: {std: 3}}\n  a: {mass: {cov: 0.3}, center_of_mass: {ball: 0.2}}\n");
  const Model model = model_from(yaml);
  const std::vector<Override> settings = {{"k", 90}, {"a.center_of_mass.x", 0.1}};
  const RandomModel random(model, settings);
  EXPECT_EQ(random.columns(), std::vector<std::string>{"a.mass"});
  EXPECT_EQ(random.notes().size(), 2u);
  const std::vector<Override> o = random.overrides(random.sample(1, 0));
  ASSERT_EQ(o.size(), 3u);
  EXPECT_EQ(o[0].name, "k");  // they stay in force
}

TEST(RandomModel, a_nominal_value_outside_of_its_distribution_is_noted) {
  const auto notes_with = [](const std::string& value) {
    const Model model = model_from("parameters: {c: " + value + R"(}
bodies: {a: {shape: {sphere: {radius: 0.1}}, mass: 1 + c}}
uncertain: {c: {uniform: {lower: 0, upper: 0.01}}}
simulation: {duration: 1}
)");
    return RandomModel(model).notes();
  };
  EXPECT_TRUE(notes_with("0.005").empty());
  EXPECT_TRUE(notes_with("0.01").empty());
  ASSERT_EQ(notes_with("0.1").size(), 1u);
  EXPECT_EQ(
      notes_with("0.1")[0],
      "uncertain 'c': its value in the model, 0.1, is not among those of its distribution, 0 to 0.01; the nominal motion is "
      "like none of the realizations");
}

TEST(RandomModel, hyper_parameters_can_be_set) {
  const Model model = model_from(
      spatial("uncertain:\n  a: {mass: {cov: 0.3}, center_of_mass: {ball: 0.2}, inertia: {lambda_l: -5, lambda_u: -5}}\n"));
  const std::vector<Override> settings = {{"a.mass.cov", 0.1}, {"a.center_of_mass.scale", 0.5}, {"a.inertia.lambda_l", -9}};
  const RandomModel random(model, settings);
  EXPECT_NEAR(random.quantities()[0].scalar->standard_deviation(), 0.6, 1e-12);
  EXPECT_EQ(random.quantities()[1].center_of_mass->domain().scale, 0.5);
  EXPECT_EQ(random.quantities()[2].inertia->settings().lambda_l, -9);
  EXPECT_EQ(message_of(spatial("uncertain:\n  a: {mass: {cov: 0.3}}\n"), {{"b.mass.cov", 0.1}}),
            "'b.mass.cov' cannot be set: 'b.mass' has no distribution of its own");
}

TEST(RandomModel, correlations_make_one_copula_and_one_cause) {
  const Model model =
      model_from(spatial("uncertain:\n  k: {normal: {std: 3}}\n  length: {normal: {std: 0.1}}\n  a: {mass: {cov: 0.3}}\n"
                         "  factor: {uniform: {lower: 0.9, upper: 1.1}}\n"
                         "dependence:\n  one: {correlation: [k, length], value: 0.8}\n"
                         "  two: {correlation: [length, a.mass], value: -0.3}\n"));
  const RandomModel random(model);
  ASSERT_EQ(random.dependences().size(), 1u);
  EXPECT_EQ(random.groups(), (std::vector<std::string>{"k & length & a.mass", "factor"}));
  double xy = 0, xx = 0, yy = 0;
  for (int k = 0; k < 4000; ++k) {
    const std::vector<double> s = random.sample(1, k);
    const double x = (s[0] - 100) / 3, y = (s[1] - 2) / 0.1;
    xy += x * y, xx += x * x, yy += y * y;
  }
  EXPECT_NEAR(xy / std::sqrt(xx * yy), 0.8, 5 * (1 - 0.64) / std::sqrt(4000.0));  // five standard errors: 6e-7
}

TEST(RandomModel, messages) {
  const auto of_a = [](const std::string& law) { return message_of(spatial("uncertain:\n  a: " + law + "\n")); };
  EXPECT_EQ(
      of_a("{mass: {cov: 0.8}}"),
      "uncertain 'a': 'mass.cov' must be below 1/sqrt(2) = 0.7071, found 0.8: with more scatter E{1/M^2} is infinite and the "
      "response has no variance");
  EXPECT_EQ(of_a("{mass: {cov: 1e-6}}"),
            "uncertain 'a': 'mass.cov' = 1e-06 is too small to matter; the mass is then deterministic");
  EXPECT_EQ(of_a("{mass: {cov: 1e-5}}"), "no error");
  EXPECT_TRUE(of_a("{mass: {cov: 0.1, mean: 1e300}}").starts_with("uncertain 'a': 'mass': "));
  EXPECT_EQ(of_a("{mass: {mean: 3}}"), "uncertain 'a': 'mass' needs 'cov', the coefficient of variation, or 'same_as'");
  EXPECT_EQ(of_a("{center_of_mass: {box: [1, 1]}}"),
            "uncertain 'a': 'center_of_mass.box' must be a list of three numbers, found 2");
  EXPECT_EQ(of_a("{inertia: {lambda_l: -5}}"),
            "uncertain 'a': 'inertia.lambda_u' is missing (a random inertia has lambda_l and lambda_u, or same_as)");
  EXPECT_EQ(of_a("{mass: {same_as: b}}"), "uncertain 'a': 'mass.same_as': 'b.mass' is not random");
  EXPECT_EQ(of_a("{mass: {same_as: a}}"), "uncertain 'a': 'mass.same_as' must name another body");
  EXPECT_EQ(of_a("{normal: {std: 1}}"),
            "uncertain 'a': it is a body; mass, center_of_mass and inertia of a rigid body can be random, and E, nu, density and "
            "height of a beam");
  EXPECT_EQ(message_of(spatial("uncertain:\n  kk: {normal: {std: 1}}\n")),
            "uncertain 'kk': there is no such parameter or body (did you mean 'k'?)");
  EXPECT_EQ(message_of(spatial("uncertain:\n  k: {mass: {cov: 0.1}}\n")),
            "uncertain 'k': it is a parameter; give its distribution, as in {normal: {std: 0.1}}");
  const std::string two = "uncertain:\n  k: {normal: {std: 1}}\n  length: {normal: {std: 1}}\ndependence:\n  d: ";
  EXPECT_EQ(message_of(spatial(two + "{correlation: [k, b.mass], value: 0.5}\n")),
            "dependence 'd': 'b.mass' is not a random quantity (known: k, length)");
  EXPECT_EQ(message_of(spatial(two + "{correlation: [k, length], value: 1}\n")),
            "dependence 'd': 'value' must lie strictly between -1 and 1, found 1");
  EXPECT_EQ(message_of(spatial(two + "{correlation: [k, length], value: 0.1}\n  e: {correlation: [length, k], value: 0.2}\n")),
            "dependence 'd': gives another correlation to a pair that already has one");
  EXPECT_EQ(message_of(spatial(two + "{correlation: [k], value: 0.1}\n")), "dependence 'd': names at least two quantities");
}

}  // namespace ALEATOR_FILE
}  // namespace aleator::core::test
