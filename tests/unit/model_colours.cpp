#include "model/colours.hpp"

#include <gtest/gtest.h>

#include "support/message_of.hpp"
#include "support/run.hpp"

namespace aleator::core::test {
namespace ALEATOR_FILE {

std::string with(const std::string& colour) {
  return "bodies:\n  ball: {shape: {sphere: {radius: 0.1}}, mass: 1, color: " + colour + "}\nsimulation: {duration: 1}\n";
}

std::string read(const std::string& colour) {
  const Model m = model_from(with(colour));
  return colour_of(m.description.section("bodies")[0]);
}

TEST(Colours, names_and_digits) {
  EXPECT_EQ(read("steelblue"), "#4682b4");
  EXPECT_EQ(read("SteelBlue"), "#4682b4");
  EXPECT_EQ(read("\"#4682B4\""), "#4682b4");
  EXPECT_EQ(read("'#f80'"), "#ff8800");
  EXPECT_EQ(read("navy"), "#000080");
}

TEST(Colours, none_is_given) {
  const Model m = model_from("bodies:\n  ball: {shape: {sphere: {radius: 0.1}}, mass: 1}\nsimulation: {duration: 1}\n");
  EXPECT_EQ(colour_of(m.description.section("bodies")[0]), "");
}

TEST(Colours, of_beams) {
  const Model m = model_from(
      "bodies:\n  bar: {beam: [[0, 0, 0], [1, 0, 0]], section: {circle: {radius: 0.01}}, material: steel, color: gold}\n"
      "simulation: {duration: 1}\n");
  EXPECT_EQ(colour_of(m.description.section("bodies")[0]), "#ffd700");
}

TEST(Colours, what_is_none_is_refused_with_its_place) {
  const auto message = [](const std::string& colour) { return message_of<input::InputError>([&] { model_from(with(colour)); }); };
  EXPECT_NE(message("stealblue")
                .find("2:58: body 'ball': 'color' must be a colour name of CSS, such as steelblue, or "
                      "\"#rrggbb\", not 'stealblue' (did you mean 'steelblue'?)"),
            std::string::npos)
      << message("stealblue");
  for (const char* wrong : {"'#12345'", "'#gg0000'", "0.5", "'url(http://x)'", "''"})
    EXPECT_NE(message(wrong).find("'color' must be a colour name of CSS"), std::string::npos) << wrong << ": " << message(wrong);
}

TEST(Colours, without_quotes_a_hash_is_a_comment) {
  const std::string text =
      "bodies:\n  ball:\n    shape: {sphere: {radius: 0.1}}\n    mass: 1\n    color: #ff8000\nsimulation: {duration: 1}\n";
  EXPECT_EQ(input_message_of([&] { model_from(text); }),
            "body 'ball': 'color' has no value (text that begins with '#' must be in quotes)");
}

}  // namespace ALEATOR_FILE
}  // namespace aleator::core::test
