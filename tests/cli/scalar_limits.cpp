// Static failures as a user meets them: scalars with limits, and scalars made of parameters, against closed forms.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "model/language_study.hpp"
#include "program.hpp"
#include "results/read.hpp"
#include "support/model_text.hpp"

namespace aleator::core::test {
namespace ALEATOR_FILE {

// g = 2.5 − (x1 + x2)/√2 is normal: mean 2.5, standard deviation 1. P(g < level) = Φ(level − 2.5).
std::string closed_form(const std::string& level, const std::string& study) {
  return "parameters: {x1: 0, x2: 0}\nbodies:\n  a: {shape: {sphere: {radius: 0.1}}, mass: 1}\n"
         "joints:\n  hold: {fixed: [ground, a]}\noutputs:\n  x: {position: a, component: x}\n"
         "scalars:\n  g: {value: \"2.5 - (x1 + x2)/sqrt(2)\", unit: kN, limits: {below: " +
         level +
         "}}\n  cost: {value: \"10 + x1^2\"}\n  peak: {maximum: x, limits: {above: 1}}\n"
         "simulation: {duration: 0.01, step: 1e-4, output_step: 0.01, integrator: runge-kutta}\n"
         "uncertain:\n  x1: {normal: {mean: 0, std: 1}}\n  x2: {normal: {mean: 0, std: 1}}\nstudy: {" +
         study + "}\n";
}
double normal(double x) { return 0.5 * std::erfc(-x / std::sqrt(2.0)); }

TEST(ScalarLimits, of_every_method) {
  const Folder folder;
  const double exact = normal(1.5 - 2.5);
  for (const std::string_view name : study_methods()) {
    const std::string method(name);
    if (method == "variability") continue;  // needs a random field
    folder.write("m.yaml", closed_form("1.5", method == "enhanced-monte-carlo" ? "samples: 600" : "samples: 400"));
    const Outcome o = aleator({"run", "m.yaml", "--method", method, "--out", "o", "--overwrite"}, folder.path());
    ASSERT_EQ(o.code, 0) << method << o.err;
    const results::StudyReader r(folder / "o");
    if (r.scalars().empty()) continue;  // no statistics: morris, first-order
    const results::ScalarStatistics g = r.scalar("g");
    EXPECT_EQ(g.unit, "kN");
    EXPECT_EQ(g.kind, "value");
    EXPECT_EQ(g.nominal, 2.5);
    const double n = std::min(400.0, double(g.count));  // five standard errors of so many independent realizations
    EXPECT_NEAR(g.mean.value, 2.5, 5 / std::sqrt(n)) << method;
    EXPECT_NEAR(g.std.value, 1, 5 / std::sqrt(2 * n)) << method;
    const auto limit = r.scalar_limit("g", false);
    ASSERT_TRUE(limit) << method;
    EXPECT_NEAR(limit->ever.value, exact, 5 * std::sqrt(exact / n)) << method;
    EXPECT_LE(limit->ever.interval.low, limit->ever.value) << method;
    EXPECT_GE(limit->ever.interval.high, limit->ever.value) << method;
    const auto none = r.scalar_limit("peak", true);
    ASSERT_TRUE(none);
    EXPECT_EQ(none->ever.value, 0);
    const bool rare = o.out.find("P(failure) = 0.") != std::string::npos;  // these have a table of their own
    EXPECT_TRUE(rare || o.out.find("g below 1.5 kN: probability 0.") != std::string::npos) << method << o.out;
  }
}

TEST(ScalarLimits, of_none_is_not_certain) {
  const Folder folder;
  folder.write("m.yaml", closed_form("-3", "samples: 500"));
  const Outcome o = aleator({"run", "m.yaml", "--out", "o"}, folder.path());
  EXPECT_NE(o.out.find("g below -3 kN: probability 0, below 0.0074 with 95 % confidence"), std::string::npos) << o.out;
  const Outcome json = aleator({"run", "m.yaml", "--json", "--out", "o", "--overwrite"}, folder.path());
  EXPECT_NE(json.out.find("\"g.below\""), std::string::npos) << json.out;
  const auto limit = results::StudyReader(folder / "o").scalar_limit("g", false);
  EXPECT_NEAR(limit->ever.interval.high, 1 - std::pow(0.025, 1.0 / 500), 1e-9);
}

// Both may be random: g − x1 = 2.5 − (1 + 1/√2) x1 − x2/√2 below 1.5.
TEST(ScalarLimits, may_be_random) {
  const Folder folder;
  folder.write("m.yaml", closed_form("1.5 + x1", "samples: 4000"));
  ASSERT_EQ(aleator({"run", "m.yaml", "--out", "o"}, folder.path()).code, 0);
  const double scatter = std::hypot(1 + 1 / std::sqrt(2.0), 1 / std::sqrt(2.0)), p = normal(-1 / scatter);
  EXPECT_NEAR(results::StudyReader(folder / "o").scalar_limit("g", false)->ever.value, p, 4 * std::sqrt(p / 4000));
}

TEST(ScalarLimits, mistakes) {
  const Folder folder;
  const auto said = [&](const std::string& from, const std::string& to) {
    folder.write("m.yaml", replaced(closed_form("1.5", "samples: 10"), from, to));
    const Outcome o = aleator({"check", "m.yaml"}, folder.path());
    EXPECT_NE(o.code, 0);
    return o.err;
  };
  EXPECT_NE(said("below: 1.5", "below: y1").find("y1"), std::string::npos);
  EXPECT_NE(said("below: 1.5", "under: 1.5").find("under"), std::string::npos);
  EXPECT_NE(said("(x1 + x2)", "(x1 + t)").find("m.yaml:9:27: scalar 'g': 'value' may not depend on the time t"),
            std::string::npos)
      << said("(x1 + x2)", "(x1 + t)");
  EXPECT_NE(said("unit: kN", "level: 3").find("level"), std::string::npos);
}

}  // namespace ALEATOR_FILE
}  // namespace aleator::core::test
