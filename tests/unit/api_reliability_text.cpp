// What `run` prints about rare events: the answer first, within 80 columns.
#include "api/reliability_text.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "support/reliability.hpp"

namespace aleator::core {
namespace ALEATOR_FILE {

std::string text_of(const std::string& kind, bool details = false) {
  const results::StudyResult r = test::made_up_reliability(kind);
  return reliability_text(*r.reliability, r.columns, details);
}

// Characters, not bytes.
std::size_t longest_line(const std::string& text) {
  std::size_t most = 0, now = 0;
  for (const char c : text) {
    if (c == '\n')
      now = 0;
    else if ((c & 0xC0) != 0x80)
      most = std::max(most, ++now);
  }
  return most;
}

TEST(ReliabilityText, probabilities_in_words) {
  EXPECT_EQ(probability_words(3.4e-5), "3.4e-5");
  EXPECT_EQ(probability_words(9.999e-6), "1e-5");
  EXPECT_EQ(probability_words(0.02134), "0.0213");
  EXPECT_EQ(probability_words(0), "0");
  EXPECT_EQ(probability_words(1.27e-10), "1.27e-10");
}

TEST(ReliabilityText, of_subset_simulation) {
  const std::string text = text_of("subset-simulation");
  EXPECT_TRUE(
      text.starts_with("\nP(failure) = 3.4e-5 (cov 0.20, 95 %: 2.3e-5 to 5.1e-5), β = 3.98, from 4,600\n  realizations\n"))
      << text;
  EXPECT_NE(text.find("base.above"), std::string::npos);
  EXPECT_NE(text.find("a cov of 0.10 takes about 18,000 realizations: accuracy: 10%; fewer by\n"), std::string::npos) << text;
  EXPECT_NE(text.find("4 independent sets: 3.1e-5, 4.4e-5, 2.7e-5, 3.5e-5; they agree (p = 0.62)\n"), std::string::npos) << text;
  EXPECT_EQ(text.find("level"), std::string::npos);
  EXPECT_NE(text_of("subset-simulation", true).find("\nlevel"), std::string::npos);
  EXPECT_NE(text.find("3 of 4,600 simulations could not be completed"), std::string::npos);
}

TEST(ReliabilityText, of_first_order) {
  const std::string text = text_of("form");
  EXPECT_TRUE(text.starts_with("\nP(failure) = 2.6e-5 (no error estimate), β = 4.05, from 96 realizations\n")) << text;
  EXPECT_NE(text.find("design point of base.above: β = 4.050, first order 2.6e-5, second order 2.1e-5\n"), std::string::npos)
      << text;
  EXPECT_NE(text.find("58.0 %"), std::string::npos);
  EXPECT_NE(text.find("doubt: A sample of 64 realizations"), std::string::npos);
}

TEST(ReliabilityText, of_sets_that_differ_and_of_no_failure) {
  EXPECT_NE(
      text_of("doubtful")
          .find("4 independent sets: 3.1e-5, 2.9e-7, 2.7e-5, 4.1e-7; they differ by more than\n  chance allows (p = 0.0007)\n"),
      std::string::npos);
  EXPECT_TRUE(text_of("none").starts_with("\nP(failure) < 1e-12 with 95 % confidence: no failure was found")) << text_of("none");
}

TEST(ReliabilityText, fits_into_a_terminal) {
  for (const char* kind : {"subset-simulation", "form", "enhanced-monte-carlo", "doubtful", "none"})
    EXPECT_LE(longest_line(text_of(kind, true)), 80u) << text_of(kind, true);
}

}  // namespace ALEATOR_FILE
}  // namespace aleator::core
