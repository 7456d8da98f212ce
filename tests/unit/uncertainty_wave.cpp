// Fields that are one wave: values, what is set from outside, what is refused.
#include "uncertainty/wave.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "support/message_of.hpp"
#include "support/run.hpp"
#include "uncertainty/random_model.hpp"

namespace aleator::core::test {
namespace ALEATOR_FILE {

std::string link(const std::string& uncertain) {
  return "plane: xy\nparameters: {k: 1}\nbodies:\n"
         "  link: {beam: [[0, 0], [0.6, 0]], section: {rectangle: {height: 0.01, width: 0.01}}, E: 69e9, nu: 0.34, density: "
         "2700, "
         "elements: 3}\n"
         "  rod: {beam: [[0.6, 0], [0.6, 0.3]], section: {rectangle: {height: 0.01, width: 0.01}}, material: steel, elements: "
         "2}\n"
         "outputs:\n  p: {position: link, at: [0.6, 0]}\nsimulation: {duration: 0.1, step: 1e-3}\nuncertain:\n" +
         uncertain;
}

const std::string lognormal = "  link: {E: {cov: 0.2, law: lognormal, correlation: {exponential: 0.3}}}\n";

std::vector<double> along(const std::vector<Override>& all, const std::string& name) {
  for (const Override& o : all)
    if (o.name == name) return o.along;
  return {};
}

TEST(Wave, is_one_of_the_flexibility) {
  const Model model = model_from(link(lognormal + "  k: {normal: {cov: 0.1}}\n"));
  const std::vector<std::string> names = {"link.E.wave_number", "link.E.phase"};
  const RandomModel random(model, {}, names);
  EXPECT_EQ(random.columns(), names);
  EXPECT_EQ(random.units(), (std::vector<std::string>{"rad/m", "rad"}));
  EXPECT_EQ(random.groups(), (std::vector<std::string>{"link.E"}));
  const std::vector<double> E = along(random.overrides(std::vector<double>{5, 0.7}), "link.E");
  ASSERT_EQ(E.size(), 15u);
  for (size_t i = 0; i < 15; ++i) {
    const double s = model.bodies[0].stations[i][0];
    // 1/E of a lognormal E has the mean (1 + cov²)/mean and the same coefficient of variation
    EXPECT_NEAR(69e9 / E[i], 1.04 * (1 + std::numbers::sqrt2 * 0.2 * std::cos(5 * s + 0.7)), 1e-12);
  }
  EXPECT_TRUE(along(random.nominal_overrides(), "link.E").empty());  // as the model has it
  EXPECT_NO_THROW(realize(model, random.overrides(std::vector<double>{5, 0.7})));
}

TEST(Wave, of_another_property_is_one_of_itself) {
  const Model model = model_from(link("  link: {density: {std: 270, correlation: {exponential: 0.3}}}\n"));
  const RandomModel random(model, {}, std::vector<std::string>{"link.density.wave_number", "link.density.phase"});
  const std::vector<double> rho = along(random.overrides(std::vector<double>{0, 0}), "link.density");
  // The spread by 4096 values of the distribution: what is beyond 3.7 standard deviations is missing, 1e-3 of the variance.
  for (const double x : rho) EXPECT_NEAR(x / 2700, 1 + std::numbers::sqrt2 * 0.1, 2e-4);
}

TEST(Wave, can_be_set) {
  const Model model = model_from(link(lognormal));
  const std::vector<Override> set = {{"link.E.wave_number", 5}, {"link.E.phase", 0.7}};
  const RandomModel fixed(model, set);
  EXPECT_TRUE(fixed.empty());
  ASSERT_EQ(fixed.notes().size(), 1u);
  EXPECT_EQ(fixed.notes()[0], "'link.E.wave_number' is set: the field 'link.E' is a wave, and therefore no longer random");
  const RandomModel random(model, {}, std::vector<std::string>{"link.E.wave_number", "link.E.phase"});
  EXPECT_EQ(along(fixed.nominal_overrides(), "link.E"), along(random.overrides(std::vector<double>{5, 0.7}), "link.E"));
  const auto refused = [&](std::vector<Override> settings) {
    return input_message_of([&] { const RandomModel r(model, settings); });
  };
  EXPECT_EQ(refused({{"link.E.phase", 1}}), "'link.E.phase' cannot be set without 'link.E.wave_number'");
  EXPECT_NE(refused({{"link.E.wave_number", -1}}).find("must be 0 or more, found -1"), std::string::npos);
  EXPECT_EQ(refused({{"rod.E.wave_number", 1}}), "'rod.E.wave_number' cannot be set: there is no random field 'rod.E'");
}

TEST(Wave, is_refused_where_it_makes_no_sense) {
  const auto refused = [](const std::string& law) {
    const Model model = model_from(link("  link: {E: {" + law + ", correlation: {exponential: 0.3}}}\n"));
    const RandomModel random(model);
    return message_of<std::invalid_argument>([&] { wave_of(random.fields()[0]); });
  };
  EXPECT_EQ(refused("cov: 0.1"), no_error);
  EXPECT_EQ(refused("law: {uniform: {lower: 60e9, upper: 78e9}}"), no_error);
  EXPECT_EQ(refused("cov: 0.1, also: [rod]"), "the field 'link.E' runs along 2 beams; a wave of it runs along one (omit 'also')");
  EXPECT_NE(refused("cov: 0.3").find("'link.E' may be negative by its distribution, and 1/E has no mean then"),
            std::string::npos);
  EXPECT_NE(refused("cov: 0.8, law: lognormal").find("coefficient of variation of 0.8; a wave of it would be negative in places"),
            std::string::npos);
}

}  // namespace ALEATOR_FILE
}  // namespace aleator::core::test
