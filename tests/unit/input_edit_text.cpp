#include "input/edit_text.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "input/error.hpp"

namespace aleator::core::input {
namespace ALEATOR_FILE {

using Path = std::vector<std::string>;

const std::string model =
    "title: A   # its name\n"
    "uncertain:\n"
    "  # of the spring\n"
    "  k: {normal: {std: 1}}\n"
    "  a: {mass: {cov: 0.1}}\n"
    "\n"
    "# what is measured\n"
    "outputs: {x: {position: a}}\n";

TEST(EditText, an_entry_is_replaced_and_the_rest_stays) {
  EXPECT_EQ(with_entry(model, Path{"uncertain", "k"}, "{uniform: {lower: 1, upper: 2}}"),
            "title: A   # its name\n"
            "\n"
            "# what is measured\n"
            "outputs: {x: {position: a}}\n"
            "uncertain:\n"
            "  k: {uniform: {lower: 1, upper: 2}}\n"
            "  a: {mass: {cov: 0.1}}\n");
}

TEST(EditText, an_entry_is_added_with_its_section) {
  EXPECT_EQ(with_entry("title: A", Path{"uncertain", "a", "mass"}, "{\"cov\": 0.2}"),
            "title: A\nuncertain:\n  a: {mass: {cov: 0.2}}\n");
}

TEST(EditText, an_entry_is_removed_with_what_it_leaves_empty) {
  const std::string without = with_entry(model, Path{"uncertain", "a", "mass"}, "");
  EXPECT_NE(without.find("k: {normal"), std::string::npos);
  EXPECT_EQ(without.find("mass"), std::string::npos);
  EXPECT_EQ(with_entry(without, Path{"uncertain", "k"}, "").find("uncertain"), std::string::npos);
  EXPECT_EQ(with_entry(model, Path{"uncertain", "nothing"}, "").find("nothing"), std::string::npos);
}

// One mapping in brackets, and an anchor that another section needs: everything is written anew.
TEST(EditText, whatever_the_style) {
  EXPECT_EQ(with_entry("{title: 'a: b', uncertain: {k: {normal: {std: 1}}}}", Path{"uncertain", "k", "normal", "std"}, "2"),
            "title: \"a: b\"\nuncertain:\n  k: {normal: {std: 2}}\n");
  EXPECT_EQ(with_entry("uncertain: {k: &law {normal: {std: 1}}, m: 1}\nother: {l: *law}\n", Path{"uncertain", "k"}, "3"),
            "uncertain:\n  k: 3\n  m: 1\nother:\n  l: {normal: {std: 1}}\n");
}

TEST(EditText, wrong_text_is_refused) {
  EXPECT_THROW(with_entry("a: [", Path{"b"}, "1"), InputError);
  EXPECT_THROW(with_entry("a: 1", Path{"b"}, "{"), InputError);
}

}  // namespace ALEATOR_FILE
}  // namespace aleator::core::input
