// `export … probabilities` of studies that sample, and of methods for rare events.
#include <gtest/gtest.h>

#include <cmath>

#include "program.hpp"
#include "study_files.hpp"

namespace aleator::core::test {
namespace ALEATOR_FILE {

const std::string header = "limit,probability,cov,lower,upper,realizations\n";

// Two limits on the same output: x above 0.11, and below −0.2, which is never reached.
std::string two_limits(const std::string& study) {
  std::string text = oscillator(study);
  const std::string one = "limits: {above: 0.11}";
  return text.replace(text.find(one), one.size(), "limits: {above: 0.11, below: -0.2}");
}

std::string exported(const Folder& folder, const std::string& model, std::vector<std::string> options = {}) {
  folder.write("m.yaml", model);
  std::vector<std::string> words = {"run", "m.yaml", "--out", "o", "--overwrite"};
  words.insert(words.end(), options.begin(), options.end());
  const Outcome o = aleator(words, folder.path());
  EXPECT_EQ(o.code, 0) << o.err;
  const Outcome table = aleator({"export", "o", "probabilities"}, folder.path());
  EXPECT_EQ(table.code, 0) << table.err;
  return table.out;
}

TEST(Probabilities, of_a_sample_have_intervals_that_are_right_for_none) {
  const Folder folder;
  const std::string text = exported(folder, two_limits("samples: 50, seed: 5"));
  EXPECT_TRUE(text.starts_with(header)) << text;
  const std::size_t below = text.find("\nx.below,0,,0,"), any = text.find("\nany,");
  ASSERT_NE(below, std::string::npos) << text;
  ASSERT_NE(any, std::string::npos) << text;
  // None of 50: 1 − 0.025^(1/50).
  EXPECT_NEAR(std::stod(text.substr(below + 14)), 1 - std::pow(0.025, 1.0 / 50), 1e-9);
  // The event is that of the only limit that is passed.
  const std::size_t above = text.find("\nx.above,");
  const auto rest = [&](std::size_t at) { return text.substr(text.find(',', at), text.find('\n', at + 1) - text.find(',', at)); };
  EXPECT_EQ(rest(above), rest(any));
}

TEST(Probabilities, of_any_limit_need_realizations) {
  const Folder folder;
  EXPECT_EQ(exported(folder, two_limits("samples: 50, seed: 5, keep: statistics")).find("any"), std::string::npos);
  EXPECT_NE(exported(folder, oscillator("samples: 50, seed: 5, keep: statistics")).find("any"), std::string::npos);
}

TEST(Probabilities, without_limits_are_refused) {
  const Folder folder;
  std::string text = oscillator();
  const std::string limits = ", limits: {above: 0.11}";
  folder.write("m.yaml", text.erase(text.find(limits), limits.size()));
  ASSERT_EQ(aleator({"run", "m.yaml", "--out", "o"}, folder.path()).code, 0);
  const Outcome o = aleator({"export", "o", "probabilities"}, folder.path());
  EXPECT_EQ(o.code, 3);
  EXPECT_NE(o.err.find("it has no limits"), std::string::npos) << o.err;
  EXPECT_EQ(aleator({"export", "o", "curve"}, folder.path()).code, 3);
}

}  // namespace ALEATOR_FILE
}  // namespace aleator::core::test
