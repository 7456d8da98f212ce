// Samples of many rows at once are those of each row alone, bitwise, for all laws and designs.
#include <gtest/gtest.h>

#include "design/plan.hpp"
#include "support/run.hpp"
#include "support/uncertain_bodies.hpp"

namespace aleator::core::test {
namespace ALEATOR_FILE {

// Scalars of several laws, some of them tied or shared; blocks of every way of drawing them.
std::vector<std::string> models() {
  const auto spatial = [](const std::string& uncertain) { return two_bodies("k: 100, factor: 1, length: 2", uncertain); };
  const std::string scalars =
      "uncertain:\n  k: {normal: {std: 3}}\n  length: {lognormal: {cov: 0.1}}\n  factor: {uniform: {lower: 0.9, upper: 1.1}}\n";
  return {
      spatial(scalars + "  a: {mass: {cov: 0.3}, center_of_mass: {ball: 0.1}}\n"
                        "  b: {mass: {cov: 0.6}, center_of_mass: {ellipsoid: [0.1, 0.2, 0.3]}}\n"
                        "dependence:\n  one: {correlation: [k, length], value: 0.8}\n"
                        "  two: {correlation: [length, a.mass], value: -0.3}\n"),
      spatial("uncertain:\n  b: {mass: {same_as: a}, center_of_mass: {same_as: a}, inertia: {same_as: a}}\n"
              "  a:\n    mass: {cov: 0.5}\n    center_of_mass: {box: [0.2, 0.3, 0.4]}\n"
              "    inertia: {lambda_l: -5, lambda_u: -5, z_max: {multiple: 3}}\n"),
      spatial("uncertain:\n  k: {exponential: {}}\n  length: {weibull: {cov: 0.1}}\n  factor: {gamma: {cov: 2}}\n  a: "
              "{center_of_mass: {cylinder: {radius: 0.1, length: 0.3}}}\n"
              "  b: {inertia: {lambda_l: 0.2, lambda_u: -3, z_max: {multiple: 2}}}\n"),
      body_in_plane(
          "uncertain:\n  a: {mass: {cov: 0.1}, center_of_mass: {box: [0.2, 0.4]}, inertia: {lambda_l: -5, lambda_u: -2}}\n"),
      two_bodies("k: 6, factor: 1, length: 2",  // a body that is drawn of a random parameter, and follows it
                 "uncertain:\n  k: {uniform: {lower: 5, upper: 7}}\n  a: {mass: {cov: 0.1}, center_of_mass: {ball: 0.1}}\n", "k"),
  };
}

void expect_same(const RandomModel& random, const Plan& plan, long first, size_t rows) {
  const size_t columns = random.columns().size();
  std::vector<double> many(rows * columns);
  const bool drawn = samples_of(random, plan, 3, first, rows, many);
  EXPECT_EQ(drawn, !random.draws_bodies());
  for (size_t k = 0; drawn && k < rows; ++k) {
    const std::vector<double> own(many.begin() + long(k * columns), many.begin() + long((k + 1) * columns));
    ASSERT_EQ(own, sample_of(random, plan, 3, first + long(k))) << "row " << first + long(k);
  }
}

TEST(Samples, of_many_rows_are_those_of_each) {
  int mapped = 0;
  for (const std::string& text : models()) {
    const Model model = model_from(text);
    const RandomModel random(model);
    for (const std::string& design : design_names())
      for (const bool sensitivity : {false, true}) {
        SCOPED_TRACE(text + design + (sensitivity ? ", Sobol indices" : ""));
        const Plan plan = make_plan({.name = design, .samples = 96, .seed = 3, .sensitivity = sensitivity}, random);
        expect_same(random, plan, 0, 64);
        expect_same(random, plan, 17, 1);
        expect_same(random, plan, 50, 46);
        mapped += random.unmapped().empty();
      }
    Plan plan = make_plan({.samples = 96, .seed = 3, .shared_variables = true}, random);  // blocks through their maps
    expect_same(random, plan, 5, 40);
    plan = {};
    plan.blocks = std::make_shared<Blocks>();
    plan.blocks->add({.rows = 30, .seed = 7});
    plan.blocks->add({.rows = 60, .seed = 8, .first_realization = 11});
    expect_same(random, plan, 2, 28);
    expect_same(random, plan, 30, 60);
  }
  EXPECT_GT(mapped, 0);
}

TEST(Samples, that_are_given_are_not_drawn) {
  const Model model = model_from(models()[0]);
  const RandomModel random(model);
  std::vector<double> to(3 * random.columns().size());
  const std::vector<double> one(random.columns().size(), 1);
  EXPECT_FALSE(samples_of(random, plan_of({one, one, one}), 3, 0, 3, to));
  Plan plan{10};
  plan.aside = std::make_shared<Aside>();
  plan.aside->first = 4, plan.aside->samples = {one, one};
  EXPECT_FALSE(samples_of(random, plan, 3, 2, 3, to));
  expect_same(random, plan, 0, 4);
  expect_same(random, plan, 6, 5);
}

}  // namespace ALEATOR_FILE
}  // namespace aleator::core::test
