// Messages: how an error names its place, and which known name it suggests.
#include "input/error_list.hpp"
#include "input/key_path.hpp"

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

std::string thrown(const ErrorList& errors) {
  try {
    errors.raise("m.yaml");
  } catch (const InputError& e) {
    return e.what();
  }
  return "";
}

TEST(ErrorList, throws_all_in_the_order_of_the_file) {
  ErrorList errors;
  errors.collect([&] {
    EXPECT_FALSE(errors.attempt([] { throw InputError({3, 1}, "third"); }));
    EXPECT_TRUE(errors.attempt([] {}));
    errors.attempt([] { throw InputError({1, 5}, "first"); });
    errors.attempt([] { throw InputError({2, 0}, "elsewhere").in_file("a.csv"); });
    errors.attempt([] { throw InputError({1, 5}, "first"); });
  });
  EXPECT_EQ(thrown(errors), "m.yaml:1:5: first\nm.yaml:3:1: third\na.csv:2: elsewhere");
}

TEST(ErrorList, is_silent_about_what_follows_from_another) {
  ErrorList errors;
  EXPECT_EQ(thrown(errors), "");
  errors.collect([&] { errors.attempt([] { throw Consequence(InputError({1, 1}, "unknown body 'a'")); }); });
  EXPECT_EQ(thrown(errors), "m.yaml:1:1: unknown body 'a'") << "there is no other";
  errors.collect([&] { errors.attempt([] { throw InputError({2, 1}, "'a' has no mass"); }); });
  EXPECT_EQ(thrown(errors), "m.yaml:2:1: 'a' has no mass");
}

TEST(ErrorList, ends_where_a_total_is_used_up) {
  ErrorList errors;
  errors.collect([&] {
    errors.attempt([] { throw InputError({2, 1}, "wrong"); });
    errors.attempt([] { throw LastError({3, 1}, "too much"); });
    ADD_FAILURE();
  });
  EXPECT_EQ(thrown(errors), "m.yaml:2:1: wrong\nm.yaml:3:1: too much");
}

TEST(ErrorList, shows_twenty_and_counts_the_others) {
  ErrorList errors;
  int tried = 0;
  errors.collect([&] {
    for (int i = 1; i <= 1000; ++i, ++tried) errors.attempt([&] { throw InputError({i, 1}, "wrong"); });
  });
  EXPECT_LT(tried, 300) << "each may take a search";
  try {
    errors.raise("m.yaml");
    FAIL();
  } catch (const InputError& e) {
    EXPECT_EQ(e.mistakes().size(), 20U);
    EXPECT_EQ(e.mistakes().back().line, 20);
    EXPECT_EQ(e.line(), 1);
    EXPECT_EQ(e.more(), 180U);
    EXPECT_TRUE(std::string(e.what()).ends_with("\nand 180 more"));
  }
}

TEST(InputError, of_several_has_a_key_for_each) {
  const std::string text = "bodies:\n  a: {mas: 1}\njoints: 3\n";
  const InputError both(
      std::vector<Mistake>{{"m.yaml", 2, 7, "", "unknown", ""}, {"m.yaml", 3, 9, "", "must be a mapping, found 3", ""}});
  const InputError keyed = with_key_paths(both, "m.yaml", text);
  EXPECT_EQ(keyed.key(), "bodies.a.mas");
  EXPECT_EQ(keyed.mistakes()[1].key, "joints");
  EXPECT_EQ(keyed.mistakes()[1].remedy, "must be a mapping");
}

TEST(Suggestion, knows_the_words_of_others) {
  EXPECT_EQ(suggestion("gaussian", Names{"uniform", "normal"}), " (did you mean 'normal'?)");
  EXPECT_EQ(suggestion("ball", Names{"box", "sphere"}), " (did you mean 'sphere'?)");
  EXPECT_EQ(suggestion("Ball", Names{"fixed", "spherical"}), " (did you mean 'spherical'?)");
  EXPECT_EQ(suggestion("gaussian", Names{"uniform"}), " (known: uniform)");
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
