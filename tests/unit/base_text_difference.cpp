#include "base/text_difference.hpp"

#include <gtest/gtest.h>

namespace aleator::core {
namespace ALEATOR_FILE {

const std::string head = "--- m.yaml, when the run began\n+++ m.yaml, now\n";

TEST(TextDifference, shows_what_changed_and_two_lines_around) {
  EXPECT_EQ(text_difference("a\nb\nc\nd\ne\nf\ng\n", "a\nb\nc\nD\ne\nf\ng\n", "m.yaml"),
            head + "@@ line 2 → 2 @@\n b\n c\n-d\n+D\n e\n f\n");
  EXPECT_EQ(text_difference("a\nb\n", "a\nnew\nb\n", "m.yaml"), head + "@@ line 1 → 1 @@\n a\n+new\n b\n");
  EXPECT_EQ(text_difference("", "a\n", "m.yaml"), head + "@@ line 1 → 1 @@\n+a\n");
}

TEST(TextDifference, is_empty_where_nothing_did) { EXPECT_EQ(text_difference("a\nb", "a\nb", "m.yaml"), ""); }

TEST(TextDifference, tells_line_ends) { EXPECT_EQ(text_difference("a", "a\n", "m.yaml"), head + "(line ends alone)\n"); }

TEST(TextDifference, numbers_lines_of_both_texts) {
  std::string then, now = "first\n";
  for (int i = 1; i <= 30; ++i) then += std::to_string(i) + "\n", now += i == 20 ? "twenty\n" : std::to_string(i) + "\n";
  const std::string shown = text_difference(then, now, "m.yaml");
  EXPECT_NE(shown.find("@@ line 1 → 1 @@\n+first\n 1\n 2\n"), std::string::npos) << shown;
  EXPECT_NE(shown.find("@@ line 18 → 19 @@\n 18\n 19\n-20\n+twenty\n 21\n 22\n"), std::string::npos) << shown;
}

TEST(TextDifference, is_short) {
  std::string then, now;
  for (int i = 0; i < 5000; ++i) then += "a" + std::to_string(i) + "\n", now += "b" + std::to_string(i) + "\n";
  EXPECT_TRUE(text_difference(then, now, "m.yaml").ends_with("-a19\n… and 9980 more changed lines\n"));
  const std::string line = text_difference("x", std::string(119, 'a') + "é and more", "m.yaml");
  EXPECT_TRUE(line.ends_with(std::string(119, 'a') + "…\n")) << line;  // not half a character
}

}  // namespace ALEATOR_FILE
}  // namespace aleator::core
