// Tables and sentences that fit a terminal.
#include "base/text_table.hpp"

#include <gtest/gtest.h>

#include <sstream>

#include "base/utf8.hpp"

namespace aleator::core {
namespace ALEATOR_FILE {

TEST(BaseTextTable, columns_are_aligned_by_characters) {
  TextTable t;
  t.row({"output", "mean"});
  t.row({"a [m/s²]", "-2 ± 4"});
  EXPECT_EQ(t.text(), "output      mean\na [m/s²]  -2 ± 4\n");
}

TEST(BaseTextTable, names_are_cut_in_the_middle_where_the_table_is_too_wide) {
  TextTable t(2);
  t.row({"output", "group", "index"});
  t.row({"seat", "wheel_fl.mass, wheel_fr.mass, wheel_rl.mass, wheel_rr.mass", "0.25 ± 0.03"});
  const std::string text = t.text(40);
  EXPECT_EQ(text, "output  group                      index\nseat    wheel_fl.…l_rr.mass  0.25 ± 0.03\n");
}

TEST(BaseTextTable, what_is_no_name_is_not_cut) {
  TextTable t(2, 1);
  t.row({"a_joint_with_a_long_name", "5 constraints; driven: ry"});
  EXPECT_EQ(t.text(40), "a_join…g_name  5 constraints; driven: ry\n");
}

TEST(BaseTextTable, cutting_keeps_characters_whole) {
  EXPECT_EQ(cut_middle("αβγδεζ", 5), "αβ…εζ");
  EXPECT_EQ(cut_middle("abc", 5), "abc");
  EXPECT_EQ(cut_middle("center_of_mass [m/s²]", 15), "cent…ass [m/s²]");
}

TEST(BaseTextTable, sentences_are_wrapped_at_blanks_and_stay_indented) {
  EXPECT_EQ(wrapped("one two three four", 9), "one two\n  three\n  four\n");
  EXPECT_EQ(wrapped("  level 1: 3 of them\nnext", 12), "  level 1: 3\n    of them\nnext\n");
  EXPECT_EQ(wrapped("see out/a/very/long/path.h5 there", 10), "see\n  out/a/very/long/path.h5\n  there\n");
  EXPECT_EQ(wrapped("a\n\nb", 10), "a\n\nb\n");
  EXPECT_EQ(wrapped("up to 5 % of it", 8), "up to\n  5 % of\n  it\n") << "a number keeps its sign of percent";
  std::istringstream lines(wrapped(std::string(300, 'x') + " " + std::string(50, 'y') + " ± ∞ " + std::string(40, 'z')));
  for (std::string line; std::getline(lines, line);) EXPECT_TRUE(characters(line) <= 80 || line[0] == 'x') << line;
}

}  // namespace ALEATOR_FILE
}  // namespace aleator::core
