// Models and studies changed by a program, and results compared: what the Python package stands on.
#include <gtest/gtest.h>
#include <aleator/aleator.hpp>

#include <algorithm>
#include <cmath>

#include "support/message_of.hpp"
#include "support/temporary_folder.hpp"

namespace aleator {
namespace ALEATOR_FILE {

using core::test::message_of;
using core::test::TemporaryFolder;

Model oscillator(const Settings& set = {}) {
  return model_from_text(R"(
parameters: {k: 100}
bodies: {block: {shape: {box: [0.1, 0.1, 0.1]}, mass: 1, velocity: [1, 0, 0]}}
joints: {guide: {prismatic: [ground, block], axis: x, spring: {stiffness: k}}}
outputs: {x: {position: block, component: x}}
uncertain: {k: {lognormal: {mean: 100, cov: 0.1}}, block: {mass: {cov: 0.1}}}
simulation: {duration: 0.2, step: 0.004, output_step: 0.02, integrator: runge-kutta}
study: {samples: 40, seed: 7}
)",
                         set);
}

Quantity quantity(const Model& model, const std::string& name) {
  for (const Quantity& q : quantities(model))
    if (q.name == name) return q;
  return {};
}

TEST(ChangedModels, a_table_is_a_distribution) {
  // Uniform on [90, 100] with probability 1/4 and on [100, 130] with 3/4: mean 95/4 + 115·3/4, variance of the mixture.
  const Model model = with_distribution(oscillator(), "k", "{cdf: [[90, 0], [100, 0.25], [130, 1]]}");
  const double mean = 110, variance = 0.25 * (100.0 / 12 + 225) + 0.75 * (900.0 / 12 + 25);
  EXPECT_NEAR(quantity(model, "k").mean, mean, 1e-10);
  EXPECT_NEAR(quantity(model, "k").std, std::sqrt(variance), 1e-10);
  const Ensemble forward(model);
  const std::vector<double> x = forward.draw(4000);
  long low = 0;
  for (size_t i = 0; i < x.size(); i += 2) low += x[i] < 100;
  EXPECT_NEAR(low / 4000.0, 0.25, 4 * std::sqrt(0.25 * 0.75 / 4000));  // 6e-5 of false alarms
  // Expansions write it down and read it again.
  const TemporaryFolder folder;
  RunOptions options;
  options.folder = folder.path() + "/out";
  Study study = study_of(model, "{method: polynomial-chaos}");
  run_study(model, study, options);
  EXPECT_EQ(evaluate_expansion(options.folder, {{"k", 100}}).outputs[0].name, "x");
}

TEST(ChangedModels, tables_that_are_no_distribution) {
  const auto says = [](const char* table) {
    return message_of<InputError>([&] { with_distribution(oscillator(), "k", std::string("{cdf: ") + table + "}"); });
  };
  EXPECT_EQ(says("[[0, 0], [1, 0.5]]"),
            "uncertain 'k': 'cdf': the probabilities must begin with 0 and end with 1, found 0 and 0.5");
  EXPECT_EQ(says("[[0, 0], [1, 0.5], [2, 0.4], [3, 1]]"),
            "uncertain 'k': 'cdf': the probabilities must not decrease, found 0.4 after 0.5");
  EXPECT_NE(says("[[0, 0], [0, 1]]").find("increasing"), std::string::npos);
}

TEST(ChangedModels, distributions_come_and_go) {
  const Model without = with_distribution(oscillator({{"k.cov", 0.2}}), "k", "");
  EXPECT_EQ(quantities(without).size(), 1u);
  EXPECT_TRUE(without.settings().empty()) << "what was set for it is dropped";
  EXPECT_EQ(quantity(with_distribution(without, "k", "{normal: {std: 3}}"), "k").std, 3);
  EXPECT_NE(message_of<InputError>([] { with_distribution(oscillator(), "kk", "{normal: {std: 3}}"); }).find("'k'"),
            std::string::npos);
}

TEST(ChangedModels, numbers_are_set_again) {
  const Model model = with_settings(oscillator({{"k", 90}}), {{"block.mass", 2}});
  const std::vector<Parameter> all = parameters(model);
  const auto value = [&](const std::string& name) {
    const auto p = std::find_if(all.begin(), all.end(), [&](const Parameter& x) { return x.name == name; });
    return p == all.end() ? std::nan("") : p->value;
  };
  EXPECT_EQ(value("k"), 90);
  EXPECT_EQ(value("block.mass"), 2);
  EXPECT_NEAR(value("block.inertia.xx"), 2 * 0.02 / 12, 1e-15);  // scales with the mass
}

TEST(ChangedStudies, are_checked_by_the_same_tables) {
  const Study study = study_of(oscillator(), "{method: sobol, accuracy: 1%}");
  EXPECT_EQ(study.method, "sobol");
  EXPECT_EQ(study.seed, 7u);
  EXPECT_EQ(study.samples, 100000) << "the default with an accuracy";
  EXPECT_EQ(study_of(oscillator(), "{seed: 3}").samples, 40);
  EXPECT_EQ(message_of<InputError>([] { study_of(oscillator(), "{sampels: 3}"); }),
            "study: unknown key 'sampels' (did you mean 'samples'?)");
}

TEST(Results, without_responses_and_compared) {
  const TemporaryFolder folder;
  RunOptions options;
  options.folder = folder.path() + "/out";
  const Model model = oscillator();
  const StudyResult run = run_study(model, study_of(model), options);
  const StudyResult read = read_results(options.folder, false);
  EXPECT_TRUE(read.responses().empty());
  EXPECT_EQ(read["x"].mean, run["x"].mean);
  const std::vector<double> x = read_responses(options.folder, "x");
  EXPECT_TRUE(std::equal(x.begin(), x.end(), run.responses().begin(), run.responses().end()));
  EXPECT_THROW(read_responses(options.folder, "y"), ReadError);
  const Comparison same = compare_results(options.folder, options.folder);
  ASSERT_EQ(same.outputs.size(), 1u);
  EXPECT_EQ(same.outputs[0].std.value, 0);
  EXPECT_FALSE(same.text.empty());
}

}  // namespace ALEATOR_FILE
}  // namespace aleator
