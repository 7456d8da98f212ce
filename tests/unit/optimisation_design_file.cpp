// The file of `aleator design`: what is read, what is assumed, and what is said when it is wrong.
#include "optimisation/design_file.hpp"
#include "support/message_of.hpp"

#include <gtest/gtest.h>

namespace aleator::core::optimisation {
namespace ALEATOR_FILE {

using test::message_of;

DesignStudy read(const std::string& text) { return read_design_text(text, "a/design.yaml"); }
std::string error(const std::string& text) {
  return message_of<input::InputError>([&] { read(text); });
}

TEST(DesignFile, everything_is_read) {
  const DesignStudy s = read(R"(title: Off the stops
model: ../m.yaml
set: {mass: 3}
choose:
  k: {from: 10, to: 1000, scale: log}
  c: {from: 0, to: 2}
minimise: k + std(peak)
subject_to: ["probability(x.above) <= 1e-2", mean(peak) >= 0.3]
study: {method: latin-hypercube, samples: 200, seed: 3}
evaluations: 30
confidence: 90%
verify: {samples: 900}
)");
  EXPECT_EQ(s.model, "m.yaml");
  EXPECT_EQ(s.set.at(0).value, 3);
  ASSERT_EQ(s.chosen.size(), 2U);
  EXPECT_NEAR(s.chosen[0].value(0.5), 100, 1e-9);
  EXPECT_EQ(s.chosen[0].value(1), 1000);
  EXPECT_EQ(s.chosen[1].value(0.5), 1);
  EXPECT_EQ(s.cost.text, "k + std(peak)");
  EXPECT_EQ(s.cost.at.line, 7);
  EXPECT_EQ(s.cost.at.column, 11);
  ASSERT_EQ(s.constraints.size(), 2U);
  EXPECT_EQ(s.constraints[0].at.column, 15);
  EXPECT_EQ(s.constraints[1].at.column, 46);
  EXPECT_EQ(s.evaluations, 30);
  EXPECT_EQ(s.confidence, 0.9);
  const Study search = search_study(s, {});
  EXPECT_EQ(search.method, "latin-hypercube");
  EXPECT_EQ(search.samples, 200);
  const Study fresh = verification_study(s, search);
  EXPECT_EQ(fresh.samples, 900);
  EXPECT_EQ(fresh.seed, 4U);
  EXPECT_EQ(fresh.method, "latin-hypercube");
}

TEST(DesignFile, fresh_study_is_larger_and_of_another_seed) {
  const DesignStudy s = read("model: m.yaml\nchoose: {k: {from: 1, to: 2}}\nminimise: k\n");
  Study of_model;
  of_model.samples = 100;
  const Study fresh = verification_study(s, search_study(s, of_model));
  EXPECT_EQ(fresh.samples, 400);
  EXPECT_EQ(fresh.seed, 2U);
}

TEST(DesignFile, mistakes_have_their_place) {
  const std::string head = "model: m.yaml\nminimise: k\n";
  EXPECT_EQ(error(head + "choose: {k: {from: 2, to: 1}}\n"),
            "a/design.yaml:3:27: choose 'k': 'to' must be above 'from' = 2, found 1");
  EXPECT_EQ(error(head + "choose: {k: {from: 0, to: 1, scale: log}}\n"),
            "a/design.yaml:3:20: choose 'k': 'from' must be positive on a logarithmic scale, found 0");
  EXPECT_NE(error(head + "choose: {}\n").find("names no parameter"), std::string::npos);
  std::string many;
  for (int k = 0; k < 7; ++k) many += std::string("  k") + char('0' + k) + ": {from: 0, to: 1}\n";
  EXPECT_EQ(error(head + "choose:\n" + many), "a/design.yaml:10:3: at most 6 parameters can be chosen at once, found 7");
  const std::string good = head + "choose: {k: {from: 1, to: 2}}\n";
  EXPECT_EQ(error(good + "evaluations: 3\n"), "a/design.yaml:4:14: 'evaluations' must lie between 5 and 2000, found 3");
  EXPECT_EQ(error(good + "confidence: 95\n"),
            "a/design.yaml:4:13: 'confidence' must be at least 0.5 and below 1, found 95 (did you mean 0.95?)");
  EXPECT_EQ(error(good + "set: {k: 3}\n"), "a/design.yaml:3:10: 'k' cannot be both chosen and given in 'set'");
  EXPECT_NE(error("model: m.yaml\nchoose: {k: {from: 1, to: 2}}\n").find("'minimise'"), std::string::npos);
}

}  // namespace ALEATOR_FILE
}  // namespace aleator::core::optimisation
