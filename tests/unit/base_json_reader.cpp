// JSON of other programs: what the standard allows is read, everything else is refused with its place.
#include "base/json_reader.hpp"

#include <gtest/gtest.h>

#include <random>

namespace aleator::core {
namespace ALEATOR_FILE {

std::string why_not(const std::string& text) {
  try {
    read_json(text);
  } catch (const JsonError& e) {
    return e.what();
  }
  return "";
}

TEST(JsonReader, reads_values) {
  const JsonInput v =
      read_json(R"( {"a": [1, -2.5e-3, 0, 1E2], "b": {"c": null, "d": true, "e": false}, "f": "x\n\u00e9\ud83d\ude00\/"} )");
  ASSERT_TRUE(v.is(JsonInput::Kind::object));
  const JsonInput& a = *v.find("a");
  ASSERT_EQ(a.elements.size(), 4u);
  EXPECT_EQ(a.elements[1].number, -2.5e-3);
  EXPECT_EQ(a.elements[3].number, 100);
  EXPECT_TRUE(v.find("b")->find("c")->is(JsonInput::Kind::null));
  EXPECT_EQ(v.find("b")->find("d")->number, 1);
  EXPECT_EQ(v.find("b")->find("e")->number, 0);
  EXPECT_EQ(v.find("f")->text, "x\n\u00e9\U0001F600/");
  EXPECT_EQ(v.find("g"), nullptr);
  EXPECT_EQ(read_json("0.1").number, 0.1);
  EXPECT_EQ(read_json("1e-400").number, 0);
  EXPECT_TRUE(read_json("[]").elements.empty());
  EXPECT_TRUE(read_json("{}").members.empty());
}

TEST(JsonReader, says_what_is_wrong_and_where) {
  EXPECT_EQ(why_not("[1,\n 2 3]"), "line 2, column 4: expected ',' or ']'");
  EXPECT_EQ(why_not("[NaN]"), "line 1, column 2: NaN is no number in JSON");
  EXPECT_EQ(why_not("{\"a\": 1, \"a\": 2}"), "line 1, column 13: 'a' is twice in this object");
  EXPECT_EQ(why_not(""), "line 1, column 1: expected a value, and the text ends");
}

TEST(JsonReader, refuses_what_is_no_json) {
  for (const char* text : {"[1,]",
                           "{\"a\":}",
                           "{a: 1}",
                           "'a'",
                           "01",
                           "1.",
                           ".5",
                           "+1",
                           "1e",
                           "--1",
                           "0x10",
                           "tru",
                           "nul",
                           "[1 2]",
                           "\"",
                           "\"\\x\"",
                           "\"\\u12\"",
                           "\"\\ud800\"",
                           "\"\\ud800\\u0041\"",
                           "\"\t\"",
                           "\"\xff\"",
                           "[",
                           "{",
                           "{\"a\"",
                           "[]]",
                           "1 2",
                           "Infinity",
                           "1e999",
                           "-1e999",
                           "\\",
                           "\"\\"})
    EXPECT_NE(why_not(text), "") << text;
  EXPECT_NE(why_not(std::string("[1\0]", 4)), "");
  EXPECT_EQ(why_not(std::string(60, '[') + std::string(60, ']')), "");
  EXPECT_NE(why_not(std::string(100000, '[')).find("nested more than 64 deep"), std::string::npos);
}

// Bytes as they come, and texts with some changed: read, or refused.
TEST(JsonReader, survives_nonsense) {
  const std::string right = R"({"name": "forward", "input": [[1.5, -2e3], []], "config": {"times": [0.5], "x": "\u00e9\n"}})";
  std::mt19937 random(3);
  for (int k = 0; k < 20000; ++k) {
    std::string wrong = right;
    for (unsigned i = 1 + random() % 4; i-- > 0 && !wrong.empty();) {
      const std::size_t at = random() % wrong.size();
      if (random() % 2)
        wrong[at] = char(random());
      else
        wrong.erase(at, random() % 9);
    }
    why_not(wrong);
  }
}

}  // namespace ALEATOR_FILE
}  // namespace aleator::core
