// From bytes to a tree: text that is not text, YAML that is not YAML, and YAML that is too much.
#include "input_language.hpp"
#include "support/message_of.hpp"

namespace aleator::core::input {
namespace ALEATOR_FILE {

const std::string good = "title: x\nbodies:\n  rb1: {mass: 1, at: [0, 0, 0]}\n";

TEST(InputYaml, byte_order_mark_and_windows_lines_are_fine) {
  EXPECT_EQ(read("\xEF\xBB\xBF" + good).section("bodies").size(), 1U);
  std::string windows;
  for (const char c : good) windows += c == '\n' ? "\r\n" : std::string(1, c);
  EXPECT_EQ(read(windows).section("bodies").size(), 1U);
  EXPECT_EQ(error_of("title: x\r\n\r\nbodys: {}\r\n"), "m.yaml:3:1: unknown key 'bodys' (did you mean 'bodies'?)");
}

TEST(InputYaml, bytes_that_are_not_text_are_refused) {
  EXPECT_EQ(error_of(std::string("title: a\0b\n", 11)), "m.yaml:1:9: the file is not text: it contains a NUL byte");
  EXPECT_EQ(error_of("title: a\nbodies: \xFF\n"), "m.yaml:2:9: byte 0xFF is not valid UTF-8");
  EXPECT_EQ(error_of("title: \xC0\x80\n"), "m.yaml:1:8: byte 0xC0 is not valid UTF-8") << "overlong form";
  EXPECT_EQ(error_of("title: \xED\xA0\x80\n"), "m.yaml:1:8: byte 0xED is not valid UTF-8") << "surrogate";
  EXPECT_EQ(error_of("title: \xF0\x9F\n"), "m.yaml:1:8: byte 0xF0 is not valid UTF-8") << "cut off";
  EXPECT_EQ(error_of("title: \x07\n"), "m.yaml:1:8: control character 0x07 in the text");
  EXPECT_EQ(error_of("\xFF\xFEt\0"), "m.yaml:1:1: the file is not UTF-8 text (it looks like UTF-16)");
}

TEST(InputYaml, columns_count_characters_not_bytes) {
  EXPECT_EQ(error_of("{title: größer, bodys: {}}\n"), "m.yaml:1:17: unknown key 'bodys' (did you mean 'bodies'?)");
}

TEST(InputYaml, an_empty_file_is_refused) {
  EXPECT_EQ(error_of(""), "m.yaml:1:1: the file is empty");
  EXPECT_EQ(error_of("\n# nothing\n"), "m.yaml:1:1: the file is empty");
  EXPECT_EQ(error_of("---\n"), "m.yaml:1:1: the file is empty");
}

TEST(InputYaml, a_model_is_a_mapping) {
  EXPECT_EQ(error_of("hello\n"),
            "m.yaml:1:1: a model must be a mapping of sections, found 'hello': its lines begin with keys, such as 'title:'");
  EXPECT_EQ(error_of("- 1\n- 2\n"),
            "m.yaml:1:1: a model must be a mapping of sections, found a list of 2: its lines begin with keys, such as 'title:'");
}

TEST(InputYaml, syntax_errors_have_a_place) {
  EXPECT_EQ(error_of("title: x\ngravity: [0, 0\n"), "m.yaml:2:10: this '[' is never closed: ']' is missing: 'gravity: [0, 0'");
  EXPECT_EQ(error_of("title: a: b\n"),
            "m.yaml:1:9: a second colon in one line: 'title: a: b'; put a text with a colon in quotes, entries on lines of their "
            "own or "
            "in braces {…}");
}

TEST(InputYaml, two_documents_are_refused) {
  EXPECT_EQ(error_of("title: x\n---\ntitle: y\n"), "m.yaml:2:1: a file holds one model, here a second YAML document begins");
  EXPECT_EQ(error_of("%YAML 1.2\n---\ntitle: x\n...\n"), "no error");
}

TEST(InputYaml, a_key_given_twice_is_refused) {
  EXPECT_EQ(error_of("title: x\ngravity: [0, 0, 0]\ntitle: y\n"), "m.yaml:3:1: 'title' is given twice (first in line 1)");
  EXPECT_EQ(error_of("bodies:\n  rb1: {mass: 1, at: [0, 0, 0]}\n  rb1: {mass: 1, at: [0, 0, 0]}\n"),
            "m.yaml:3:3: 'rb1' is given twice (first in line 2)");
}

TEST(InputYaml, keys_are_words) {
  EXPECT_EQ(error_of("[1, 2]: x\n"), "m.yaml:1:1: a key must be a word, found a list of 2");
  EXPECT_EQ(error_of("~: x\n"), "m.yaml:1:1: a key must be a word, found nothing");
}

TEST(InputYaml, tags_are_refused) {
  EXPECT_EQ(error_of("title: !!int 3\n"), "m.yaml:1:8: YAML tags are not allowed in a model, found 'tag:yaml.org,2002:int'");
}

TEST(InputYaml, aliases_repeat_a_value) {
  const Description model = read("bodies:\n  a: {mass: &m 2, at: &p [1, 2, 3]}\n  b: {mass: *m, at: *p}\n");
  EXPECT_EQ(model.section("bodies")[1].find("mass")->number.constant, 2);
  EXPECT_EQ(values(model, model.section("bodies")[1].find("at")->numbers), (std::vector<double>{1, 2, 3}));
}

TEST(InputYaml, merge_keys_take_over_what_is_not_given) {
  const Description model =
      read("bodies:\n  a: &a {mass: 2, at: [1, 2, 3]}\n  b: {<<: *a, mass: 5}\n  c: {<<: [{mass: 7}, *a]}\n");
  EXPECT_EQ(model.section("bodies")[1].find("mass")->number.constant, 5);
  EXPECT_EQ(values(model, model.section("bodies")[1].find("at")->numbers), (std::vector<double>{1, 2, 3}));
  EXPECT_EQ(model.section("bodies")[2].find("mass")->number.constant, 7);
  EXPECT_EQ(error_of("bodies: {<<: 3}\n"), "m.yaml:1:14: '<<' must be a mapping, found '3'");
}

TEST(InputYaml, aliases_cannot_explode) {
  std::string text = "a0: &a0 [x, x, x, x, x, x, x, x, x]\n";
  for (int i = 1; i < 12; ++i) {
    text += "a" + std::to_string(i) + ": &a" + std::to_string(i) + " [";
    for (int k = 0; k < 9; ++k) text += "*a" + std::to_string(i - 1) + (k < 8 ? ", " : "]\n");
  }
  EXPECT_NE(error_of(text).find("more than 2000000 values in the file"), std::string::npos) << error_of(text);
}

TEST(InputYaml, an_alias_cannot_contain_itself) {
  EXPECT_EQ(error_of("title: &a [*a]\n"), "m.yaml:1:12: this alias refers to the value that contains it");
  EXPECT_EQ(error_of("title: *a\n"),
            "m.yaml:1:8: nothing above is marked '&a', to which '*a' refers; a text that begins with * needs quotes");
}

TEST(InputYaml, deep_nesting_is_refused_before_it_hurts) {
  const auto many = [](const std::string& piece) {
    std::string text;
    for (int i = 0; i < 100'000; ++i) text += piece;
    return text;
  };
  EXPECT_EQ(error_of(many("- ")), "m.yaml:1:129: nested more than 64 levels deep");
  EXPECT_EQ(error_of(many("? ")), "m.yaml:1:129: nested more than 64 levels deep");
  for (const char* open : {"[", "{", "[{", "a: ["})
    EXPECT_NE(error_of(many(open)).find(": nested more than 64 levels deep"), std::string::npos) << open;
}

TEST(InputYaml, nesting_by_aliases_counts_too) {
  std::string text = "a0: &a0 [x]\n";
  for (int i = 1; i < 100; ++i)
    text += "a" + std::to_string(i) + ": &a" + std::to_string(i) + " [*a" + std::to_string(i - 1) + "]\n";
  EXPECT_EQ(error_of(text), "m.yaml:63:12: nested more than 64 levels deep");
}

TEST(InputYaml, a_huge_text_is_refused) {
  EXPECT_EQ(error_of(std::string((std::size_t{64} << 20) + 1, ' ')), "m.yaml: is larger than 64 MiB");
}

TEST(InputYaml, files_that_cannot_be_read_say_why) {
  const auto error = [](const std::string& file) -> std::string {
    return test::message_of<InputError>([&] { read_file(file, small_language()); });
  };
  EXPECT_EQ(error("/nowhere/model.yaml"), "/nowhere/model.yaml: cannot be opened: No such file or directory");
  EXPECT_EQ(error("/tmp"), "/tmp: is a folder, not a file");
}

}  // namespace ALEATOR_FILE
}  // namespace aleator::core::input
