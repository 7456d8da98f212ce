// Messages: how an error names its place, and which known name it suggests.
#include "input/error.hpp"

#include <gtest/gtest.h>

namespace aleator::core::input {
namespace ALEATOR_FILE {

using Names = std::vector<std::string>;

TEST(InputError, names_file_line_and_column) {
  const InputError bare({14, 5}, "wrong");
  EXPECT_STREQ(bare.what(), "14:5: wrong");
  EXPECT_STREQ(bare.in_file("model.yaml").what(), "model.yaml:14:5: wrong");
  EXPECT_EQ(bare.in_file("model.yaml").message(), "wrong");
  EXPECT_EQ(bare.in_file("model.yaml").where().line, 14);
}

TEST(InputError, leaves_out_what_it_does_not_know) {
  EXPECT_STREQ(InputError({}, "wrong").what(), "wrong");
  EXPECT_STREQ(InputError({}, "wrong").in_file("a.csv").what(), "a.csv: wrong");
  EXPECT_STREQ(InputError({3, 0}, "wrong").in_file("a.csv").what(), "a.csv:3: wrong");
}

TEST(InputError, keeps_the_file_it_has) {
  EXPECT_STREQ(InputError({3, 0}, "wrong").in_file("a.csv").in_file("model.yaml").what(), "a.csv:3: wrong");
}

TEST(Suggestion, is_the_nearest_name) {
  EXPECT_EQ(suggestion("rb55", Names{"rb1", "rb5", "ground"}), " (did you mean 'rb5'?)");
  EXPECT_EQ(suggestion("hieght", Names{"height", "weight"}), " (did you mean 'height'?)");
  EXPECT_EQ(suggestion("Mass", Names{"mass", "maps"}), " (did you mean 'mass'?)");
  EXPECT_EQ(suggestion("center-of-mass", Names{"center_of_mass"}), " (did you mean 'center_of_mass'?)");
}

TEST(Suggestion, understands_abbreviations) {
  EXPECT_EQ(suggestion("accel", Names{"acceleration"}), " (did you mean 'acceleration'?)");
}

TEST(Suggestion, lists_a_few_names_when_none_is_near) {
  EXPECT_EQ(suggestion("wheel", Names{"rb1", "ground"}), " (known: rb1, ground)");
  EXPECT_EQ(suggestion("a", Names{"b"}), " (known: b)") << "one letter is no slip of another";
}

TEST(Suggestion, is_silent_when_it_would_not_help) {
  EXPECT_EQ(suggestion("wheel", Names{}), "");
  EXPECT_EQ(suggestion("wheel", Names(11, "rb1")), "");
}

TEST(Suggestion, survives_very_long_names) {
  const std::string monster(1 << 20, 'x');
  EXPECT_EQ(suggestion(monster, Names{"rb1"}), " (known: rb1)");
}

}  // namespace ALEATOR_FILE
}  // namespace aleator::core::input
