#include "base/json.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <limits>
#include <vector>

namespace aleator::core {
namespace ALEATOR_FILE {

std::string quoted(std::string_view text) { return Json().string(text).take(); }
std::string written(double x) { return Json().number(x).take(); }

TEST(Json, ObjectsAndArraysNest) {
  Json j;
  j.object().key("a").number(1).key("list").array().number(2).string("x").object().end().array().end().end();
  j.key("yes").boolean(true).key("no").boolean(false).key("none").null().end();
  EXPECT_EQ(j.take(), R"({"a":1,"list":[2,"x",{},[]],"yes":true,"no":false,"none":null})");
  EXPECT_EQ(j.array().number(1).number(2).end().take(), "[1,2]") << "after take() it begins anew";
}

TEST(Json, ListsOfNumbers) {
  const std::vector<double> d = {1, 0.1, -2.5};
  const std::vector<float> f = {0.1F, 3};
  EXPECT_EQ(Json().object().key("d").numbers(d).key("f").numbers(f).end().take(), R"({"d":[1,0.1,-2.5],"f":[0.1,3]})");
  EXPECT_EQ(Json().numbers(std::vector<double>{}).take(), "[]");
}

TEST(Json, NumbersAreShortAndComeBackExactly) {
  using Limits = std::numeric_limits<double>;
  EXPECT_EQ(written(0.1), "0.1");
  EXPECT_EQ(written(1e5), "100000") << "counts have neither point nor exponent";
  for (const double x : {1.0 / 3, 2e-5 * 7, Limits::max(), Limits::min(), Limits::denorm_min(), 1 + Limits::epsilon()})
    EXPECT_EQ(std::strtod(written(x).c_str(), nullptr), x);
}

TEST(Json, WhatIsNoNumberIsNull) {
  const double nan = std::numeric_limits<double>::quiet_NaN(), infinity = std::numeric_limits<double>::infinity();
  EXPECT_EQ(Json().numbers(std::vector<double>{nan, infinity, -infinity}).take(), "[null,null,null]");
}

TEST(Json, EscapesWhatJsonForbids) {
  EXPECT_EQ(quoted("a\"b\\c/d"), R"("a\"b\\c/d")");
  EXPECT_EQ(quoted(std::string_view("\0\t\n\x1f", 4)), R"("\u0000\u0009\u000a\u001f")");
  EXPECT_EQ(Json().object().key("a\"\n").null().end().take(), R"({"a\"\u000a":null})");
}

TEST(Json, EscapesWhatPagesForbid) {
  EXPECT_EQ(quoted("</script><!-- &amp;"), R"("\u003c/script\u003e\u003c!-- \u0026amp;")");
  EXPECT_EQ(quoted("\u2028|\u2029"), R"("\u2028|\u2029")");
  EXPECT_EQ(quoted("\u2027\u202a"), "\"\u2027\u202a\"") << "their neighbours stay";
}

TEST(Json, KeepsUtf8) {
  for (const char* text : {"Kurbel ä", "σ → ∞", "\U0001F600", "\u0080\u07ff\u0800\ud7ff\ue000\uffff\U00010000\U0010ffff"})
    EXPECT_EQ(quoted(text), "\"" + std::string(text) + "\"");
}

// One U+FFFD per byte that belongs to no character.
TEST(Json, ReplacesWhatIsNoUtf8) {
  const std::string r = "\uFFFD";
  EXPECT_EQ(quoted("a\xff"
                   "b"),
            "\"a" + r + "b\"");
  EXPECT_EQ(quoted("\xe2\x86"), "\"" + r + r + "\"") << "cut off";
  EXPECT_EQ(quoted("\x86z"), "\"" + r + "z\"") << "a continuation alone";
  EXPECT_EQ(quoted("\xc0\xaf"), "\"" + r + r + "\"") << "overlong";
  EXPECT_EQ(quoted("\xe0\x80\xbc"), "\"" + r + r + r + "\"") << "overlong";
  EXPECT_EQ(quoted("\xed\xa0\x80"), "\"" + r + r + r + "\"") << "a surrogate";
  EXPECT_EQ(quoted("\xf4\x90\x80\x80"), "\"" + r + r + r + r + "\"") << "above U+10FFFF";
}

// What fits on a line stays on one; the key before a value does not count.
TEST(Json, ReadableTextsAreIndentedWhereALineIsTooLong) {
  const std::string a(50, 'a'), b(54, 'b');
  const auto written = [](const std::string& first, const std::string& second) {
    Json j(Json::Layout::readable);
    j.object().key("list").array().string(first).string(second).end().key("more").object().key("yes").boolean(true).end().end();
    return j.take();
  };
  EXPECT_EQ(written("a", "b"), R"({"list": ["a", "b"], "more": {"yes": true}})");
  EXPECT_EQ(written(a, b),  // 112 characters and an indentation of 2
            "{\n  \"list\": [\"" + a + "\", \"" + b + "\"],\n  \"more\": {\"yes\": true}\n}");
  EXPECT_EQ(written(a + a, b),
            "{\n  \"list\": [\n    \"" + a + a + "\",\n    \"" + b + "\"\n  ],\n  \"more\": {\"yes\": true}\n}");
}

TEST(Json, ReadableTextsEscapeOnlyWhatJsonForbids) {
  EXPECT_EQ(Json(Json::Layout::readable).string("a < \"b\" & \\").take(), R"("a < \"b\" & \\")");
  EXPECT_EQ(Json(Json::Layout::readable).numbers(std::vector<float>{0.1F, 3}).take(), "[0.1, 3]");
}

TEST(JsonValue, IsWrittenInTheOrderItWasFilled) {
  JsonValue v = JsonValue::object({{"b", 1}, {"a", JsonValue::array({"x", true, JsonValue::object()})}});
  v.set("c", "last").set("b", 2);
  EXPECT_EQ(v.text(Json::Layout::compact), R"({"b":2,"a":["x",true,{}],"c":"last"})");
  EXPECT_EQ(v.text(Json::Layout::readable), R"({"b": 2, "a": ["x", true, {}], "c": "last"})");
  v.remove("a");
  EXPECT_EQ(v.find("a"), nullptr);
  EXPECT_EQ(v.find("c")->as_string(), "last");
}

}  // namespace ALEATOR_FILE
}  // namespace aleator::core
