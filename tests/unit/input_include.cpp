// `include:`: sections of several files joined, with the right file and line in every message, and everything recorded.
#include "input/include.hpp"

#include <fmt/format.h>

#include <filesystem>

#include "input_language.hpp"
#include "support/temporary_folder.hpp"

namespace aleator::core::input {
namespace ALEATOR_FILE {

struct Files {
  test::TemporaryFolder folder;
  Files() { std::filesystem::create_directories(folder / "parts"); }
  Description read(const std::string& model) const { return read_file(folder.write("m.yaml", model), small_language()); }
  // With the name of the folder left out.
  std::string error(const std::string& model) const {
    std::string text = test::message_of<InputError>([&] { read(model); });
    for (std::size_t at; (at = text.find(folder.path() + "/")) != std::string::npos;) text.erase(at, folder.path().size() + 1);
    return text;
  }
};

std::vector<std::string> names(const Description& d, std::string_view section) {
  std::vector<std::string> all;
  for (const Item& item : d.section(section)) all.push_back(item.name);
  return all;
}

const std::string body = "{mass: 1, at: [0, 0, 0]}";

TEST(Include, sections_are_joined_and_included_entries_come_first) {
  Files f;
  f.folder.write("parts/leg.yaml", "include: foot.yaml\nparameters: {l: 2}\nbodies:\n  thigh: {mass: 2*l, at: [0, 0, 0]}\n");
  f.folder.write("parts/foot.yaml", "bodies: {foot: " + body + "}\ntitle: foot\n");
  f.folder.write("wheel.yaml", "bodies: {wheel: " + body + "}\ntitle: foot\n");
  const Description d =
      f.read("include: [parts/leg.yaml, wheel.yaml]\nparameters: {k: l + 1}\nbodies: {hull: {mass: k, at: [0, 0, 0]}}\n");
  EXPECT_EQ(names(d, "bodies"), (std::vector<std::string>{"foot", "thigh", "wheel", "hull"}));
  EXPECT_EQ(values(d, {d.section("bodies")[3].find("mass")->number}), std::vector<double>{3});
  EXPECT_EQ(d.top.find("title")->word, "foot") << "both say the same";
  ASSERT_EQ(d.files.size(), 3u);
  EXPECT_EQ(d.files[0].name, "parts/leg.yaml");
  EXPECT_EQ(d.files[1].name, "parts/foot.yaml");
}

TEST(Include, the_including_file_wins_and_files_that_disagree_are_refused) {
  Files f;
  f.folder.write("a.yaml", "title: A\ngravity: [0, 0, -1]\n");
  f.folder.write("b.yaml", "\ntitle: B\n");
  EXPECT_EQ(f.read("include: a.yaml\ntitle: mine\n").top.find("title")->word, "mine");
  EXPECT_EQ(f.error("include: [a.yaml, b.yaml]\n"),
            "b.yaml:2:1: 'title' differs from that in a.yaml:1:1: only the file that includes both may decide it");
  EXPECT_EQ(f.read("include: [a.yaml, b.yaml]\ntitle: mine\n").top.find("title")->word, "mine") << "it was decided";
}

TEST(Include, a_file_that_several_include_is_read_once) {
  Files f;
  f.folder.write("common.yaml", "parameters: {k: 2}\n");
  f.folder.write("a.yaml", "include: common.yaml\nbodies: {a: " + body + "}\n");
  f.folder.write("b.yaml", "include: ./common.yaml\nbodies: {b: " + body + "}\n");
  EXPECT_EQ(names(f.read("include: [a.yaml, b.yaml]\n"), "bodies"), (std::vector<std::string>{"a", "b"}));
}

TEST(Include, messages_name_the_file_and_the_line) {
  Files f;
  f.folder.write("parts/leg.yaml", "bodies:\n  thigh: {mass: -2, at: [0, 0, 0]}\n  shank: {mas: 2, at: [0, 0, 0]}\n");
  EXPECT_EQ(f.error("include: parts/leg.yaml\ngravity: 3\n"),
            "m.yaml:2:10: 'gravity' must be a vector of 3 numbers, found '3'\n"
            "parts/leg.yaml:2:17: body 'thigh': 'mass' must be positive, found -2\n"
            "parts/leg.yaml:3:11: body 'shank': unknown key 'mas' (did you mean 'mass'?)");
  f.folder.write("parts/leg.yaml", "bodies: {thigh: " + body + "}\n");
  EXPECT_EQ(f.error("include: parts/leg.yaml\nbodies:\n  thigh: " + body + "\n"),
            "m.yaml:3:3: 'thigh' is given twice (also in parts/leg.yaml:1:10)");
  f.folder.write("parts/leg.yaml", "bodies: {thigh: [}\n");
  EXPECT_EQ(f.error("include: parts/leg.yaml\n").substr(0, 17), "parts/leg.yaml:1:");
  f.folder.write("parts/leg.yaml", "- 1\n");
  EXPECT_EQ(f.error("include: parts/leg.yaml\n"),
            "parts/leg.yaml:1:1: an included file must be a mapping of sections, found a list of 1");
  f.folder.write("parts/leg.yaml", "joint: {}\n");
  EXPECT_EQ(f.error("include: parts/leg.yaml\n"), "parts/leg.yaml:1:1: unknown key 'joint' (did you mean 'joints'?)");
}

TEST(Include, files_that_are_not_there_circles_and_other_folders) {
  Files f;
  f.folder.write("a.yaml", "include: b.yaml\n");
  f.folder.write("b.yaml", "title: x\ninclude: a.yaml\n");
  EXPECT_EQ(f.error("include: a.yaml\n"), "b.yaml:2:10: 'include' is a circle: a.yaml -> b.yaml -> a.yaml");
  EXPECT_EQ(f.error("include: m.yaml\n"), "m.yaml:1:10: 'include' is a circle: m.yaml is the model itself");
  EXPECT_EQ(f.error("include: [none.yaml]\n").substr(0, 42), "m.yaml:1:11: 'include' cannot be read: non");
  EXPECT_EQ(f.error("include: /etc/hostname\n").substr(0, 62), "m.yaml:1:10: 'include' is outside the folder of the model, fou");
  EXPECT_EQ(f.error("include: {a: 1}\n"),
            "m.yaml:1:10: 'include' must be the name of a file, or a list of names, found a mapping");
  EXPECT_EQ(f.error("includes: a.yaml\n"), "m.yaml:1:1: unknown key 'includes' (did you mean 'include'?)");
}

TEST(Include, too_deep_and_too_much) {
  Files f;
  for (std::size_t i = 0; i <= limits::include_depth; ++i)
    f.folder.write(fmt::format("f{}.yaml", i), fmt::format("include: f{}.yaml\n", i + 1));
  EXPECT_EQ(f.error("include: f0.yaml\n"), "f19.yaml:1:10: 'include' goes more than 20 files deep");
  // Aliases of aliases: each file is below the limit of values, all of them together are not.
  std::string bomb = "a: &a [1,1,1,1,1,1,1,1,1,1]\n";
  for (char c = 'b'; c < 'f'; ++c)
    bomb += fmt::format("{0}: &{0} [*{1},*{1},*{1},*{1},*{1},*{1},*{1},*{1},*{1},*{1}]\n", c, char(c - 1));
  std::string list;
  for (int i = 0; i < 20; ++i) {
    f.folder.write(fmt::format("bomb{}.yaml", i), bomb);
    list += fmt::format("{}bomb{}.yaml", i ? ", " : "", i);
  }
  EXPECT_NE(f.error("include: [" + list + "]\n").find("'include' is too much: all files have at most 2000000 values"),
            std::string::npos);
}

// Tables of an included file are in its folder; what was recorded is enough to read the model again.
TEST(Include, names_of_files_are_relative_to_the_file_they_are_in) {
  Files f;
  f.folder.write("parts/law.csv", "0,0\n1,2\n");
  f.folder.write("parts/spring.yaml", "forces: {f: {bushing: [a, b], law: {file: law.csv}}}\n");
  const std::string text = "include: parts/spring.yaml\nbodies: {a: " + body + ", b: " + body + "}\n";
  const Description d = f.read(text);
  ASSERT_EQ(d.files.size(), 2u);
  EXPECT_EQ(d.files[1].name, "parts/law.csv");
  const Description again = read_text(text, "elsewhere/m.yaml", small_language(), {}, &d.files);
  EXPECT_EQ(values(again, field(again, "forces", "law").numbers), (std::vector<double>{0, 0, 1, 2}));
  EXPECT_EQ(again.files, d.files);
}

}  // namespace ALEATOR_FILE
}  // namespace aleator::core::input
