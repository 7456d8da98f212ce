// Everything that is larger than input/limits.hpp says is refused, with its place and what would be right; nothing is allocated
// for it first. Limits of a mechanism and of studies are tried in model_limits.cpp.
#include "input/limits.hpp"

#include <sys/stat.h>

#include <fmt/format.h>

#include <filesystem>
#include <fstream>

#include "input/csv.hpp"
#include "input/text.hpp"
#include "input_language.hpp"
#include "support/message_of.hpp"
#include "support/model_text.hpp"
#include "support/places.hpp"
#include "support/temporary_folder.hpp"

namespace aleator::core::input {
namespace ALEATOR_FILE {

std::string repeated(const std::string& text, std::size_t times) {
  std::string all;
  all.reserve(text.size() * times);
  for (std::size_t i = 0; i < times; ++i) all += text;
  return all;
}

TEST(InputLimits, expressions_that_are_too_long_or_too_deep) {
  const auto parameter = [](const std::string& expression) { return error_of("parameters: {a: \"" + expression + "\"}"); };
  const std::string sum = "1" + repeated("+1", limits::expression_length / 2 - 1);
  EXPECT_EQ(parameter(sum), "no error");
  EXPECT_EQ(parameter(sum + "+1"),
            "m.yaml:1:17: parameter 'a' is too long for an expression: 10001 characters, at most 10000 are read");
  const auto nested = [](std::size_t depth) { return repeated("(", depth) + "1" + repeated(")", depth); };
  EXPECT_EQ(parameter(nested(limits::expression_depth)), "no error");
  EXPECT_EQ(parameter(nested(limits::expression_depth + 1)), "m.yaml:1:218: parameter 'a' has more than 200 nested parentheses");
  EXPECT_EQ(parameter(repeated("(1)+", 1000) + "1"), "no error") << "beside each other, not in each other";
}

TEST(InputLimits, expressions_that_are_too_many) {
  const auto places = [](std::size_t count) {
    return error_of(force_being("bushing: [a, b]") + "outputs: {o: {force: f, position: [" + repeated("1+1,\n", count) + "]}}");
  };
  EXPECT_EQ(places(limits::expressions), "no error");
  EXPECT_NE(places(limits::expressions + 1).find("'position' is one expression too many: a file has at most 50000"),
            std::string::npos);
}

TEST(InputLimits, entries_that_are_too_many) {
  std::string text = "parameters:\n";
  for (std::size_t i = 0; i < limits::entries + 1; ++i) text += fmt::format(" p{}: 1\n", i);
  EXPECT_EQ(error_of(text), "m.yaml:20002:2: 'parameters' has 20001 entries, at most 20000 are read");
}

TEST(InputLimits, expressions_that_are_too_much_together) {
  const std::string sum = "1" + repeated("+1", limits::expression_length / 2 - 1);
  std::string text = "parameters:\n";
  for (std::size_t i = 0; i < (limits::expressions_mib << 20) / sum.size() + 1; ++i) text += fmt::format(" p{}: {}\n", i, sum);
  EXPECT_NE(error_of(text).find("is too much: all expressions of a file have at most 4 MiB"), std::string::npos);
}

TEST(InputLimits, expressions_reach_nothing_outside) {
  const auto error = [](const std::string& expression) { return error_of("parameters: {b: 1, a: '" + expression + "'}"); };
  for (const char* text : {"b = 2",    "b += 2",   "b := 2",     "b; 2",     "getenv(\"HOME\")",
                           "`ls`",     "$HOME",    "\"text\"",   "{b}",      "b[0]",
                           "#include", "b\\n",     "include(b)", "while(1)", "rnd()",
                           "sum(1,2)", "avg(1,2)", "_pi",        "0x10",     "b @ 2",
                           "b & 2",    "b | 2",    "!b",         "~b"})
    EXPECT_NE(error(text), "no error") << text;
  EXPECT_NE(error("1, 2").find("must be one number"), std::string::npos);
  EXPECT_NE(error("(b = 2, 3)").find("has a single '='"), std::string::npos);
  EXPECT_NE(error("min(b, c)").find("unknown name 'c'"), std::string::npos) << "no variable is made by being used";
}

TEST(InputLimits, tables_that_are_too_long) {
  std::string csv;
  for (std::size_t i = 0; i <= limits::table_rows; ++i) csv += fmt::format("{},0\n", i);
  try {
    parse_csv(csv, "f.csv");
    FAIL();
  } catch (const InputError& e) {
    EXPECT_STREQ(e.what(), "f.csv:1000001: a table has at most 1000000 rows");
  }
}

TEST(InputLimits, polygons_with_too_many_corners) {
  const std::string corners = repeated("[0, 0], ", limits::polygon_corners + 1);
  EXPECT_EQ(error_of("bodies: {a: {mass: 1, at: [0, 0, 0], outline: [" + corners + "]}}"),
            "m.yaml:1:47: body 'a': 'outline' has 10001 corners, at most 10000 are read");
}

// --- what a model refers to -------------------------------------------------------------------------------------------------

class References : public testing::Test {
 protected:
  void SetUp() override {
    for (const char* name : {"model", "model/data", "other"}) std::filesystem::create_directory(folder / name);
    for (const char* name : {"model/data/in.csv", "other/out.csv", "out.csv"}) std::ofstream(folder / name) << "0,1\n2,3\n";
    std::filesystem::create_symlink("../other/out.csv", folder / "model/link.csv");
    std::filesystem::create_symlink("data/in.csv", folder / "model/inner.csv");
    std::filesystem::create_directory_symlink("../other", folder / "model/linked");
  }

  // What reading a model says that refers to this file.
  std::string error(const std::string& reference, const std::vector<std::string>& allowed = {}) const {
    const std::string text =
        "bodies: {a: {mass: 1, at: [0, 0, 0]}}\nforces: {f: {bushing: [a, ground], law: {file: '" + reference + "'}}}";
    return test::input_message_of([&] { read_text(text, (folder / "model/m.yaml").string(), small_language(), allowed); });
  }

  test::TemporaryFolder temporary;
  std::filesystem::path folder = std::filesystem::path(temporary / "model").parent_path();
};

TEST_F(References, stay_inside_the_folder_of_the_model) {
  for (const char* inside : {"data/in.csv", "./data/../data/in.csv", "../model/data/in.csv", "inner.csv"})
    EXPECT_EQ(error(inside), "no error") << inside;
  EXPECT_EQ(error((folder / "model/data/in.csv").string()), "no error");
  const std::string other = (folder / "other/out.csv").string();
  for (const char* outside : {"../out.csv", "../other/out.csv", "data/../../out.csv", "link.csv", "linked/out.csv", other.c_str(),
                              "/etc/passwd", "/proc/self/environ", "/dev/zero", "/dev/stdin"})
    EXPECT_NE(error(outside).find("is outside the folder of the model"), std::string::npos) << outside;
  EXPECT_EQ(error("/etc/passwd"),
            "force 'f': 'law.file' is outside the folder of the model, found '/etc/passwd' (--allow-files /etc allows it)");
}

TEST_F(References, may_leave_it_where_the_user_says_so) {
  const std::string other = (folder / "other").string();
  EXPECT_EQ(error("../other/out.csv", {other}), "no error");
  EXPECT_EQ(error("../other/out.csv", {"/nowhere", other + "/"}), "no error");
  EXPECT_EQ(error("link.csv", {other}), "no error");
  EXPECT_NE(error("../out.csv", {other}), "no error");
  std::filesystem::create_directory(folder / "other-one");
  std::filesystem::copy_file(folder / "out.csv", folder / "other-one/out.csv");
  EXPECT_NE(error("../other-one/out.csv", {other}), "no error") << "a name that begins alike is another folder";
}

TEST_F(References, are_ordinary_files) {
  ASSERT_EQ(mkfifo((folder / "model/pipe").c_str(), 0600), 0);
  EXPECT_NE(error("pipe").find("is not a regular file"), std::string::npos) << "would wait for ever";
  EXPECT_NE(error("/dev/zero", {"/"}).find("is not a regular file"), std::string::npos) << "would never end";
  EXPECT_NE(error("data").find("is a folder"), std::string::npos);
  EXPECT_NE(error("none.csv").find("cannot be opened"), std::string::npos);
}

TEST_F(References, to_one_file_count_each_time) {
  std::ofstream(folder / "model/long.csv") << "0,1\n2,3\n#" << std::string(40 << 20, ' ');
  std::string text = "bodies: {a: {mass: 1, at: [0, 0, 0]}}\nforces:\n";
  for (int i = 0; i < 7; ++i) text += fmt::format("  f{}: {{bushing: [a, ground], law: {{file: long.csv}}}}\n", i);  // 280 MiB
  try {
    read_text(text, (folder / "model/m.yaml").string(), small_language());
    FAIL();
  } catch (const InputError& e) {
    EXPECT_EQ(e.message(), "force 'f6': 'law.file' is too much: all tables in files have at most 256 MiB");
  }
}

TEST(InputLimits, files_that_are_too_large) {
  const test::TemporaryFolder folder;
  const std::string file = folder / "large";
  std::ofstream(file) << "x";
  std::filesystem::resize_file(file, (limits::file_mib << 20) + 1);  // a hole: takes no space
  EXPECT_THROW(input::read_bytes(file), InputError);
}

// --- the table for users ----------------------------------------------------------------------------------------------------

// 10,000 for 10000, as docs/limits.md has it.
std::string with_commas(long long n) {
  std::string digits = std::to_string(n);
  for (int i = int(digits.size()) - 3; i > 0; i -= 3) digits.insert(std::size_t(i), ",");
  return digits;
}

TEST(InputLimits, are_documented) {
  const std::string page = test::text_of_file(test::source_folder() + "/docs/limits.md");
  const auto has = [&](const std::string& row) { EXPECT_NE(page.find(row), std::string::npos) << row; };
  has(fmt::format("a table of a function | {} MiB |", limits::file_mib));
  has(fmt::format("a measured specimen | {} MiB |", limits::measured_mib));
  has(fmt::format("specimens of an identification | {} files |", with_commas(limits::specimens)));
  has(fmt::format("nesting of lists and mappings | {} |", limits::nesting));
  has(fmt::format("(`*name`) again | {} |", with_commas(limits::values)));
  has(fmt::format("`parameters` …) | {} |", with_commas(limits::entries)));
  has(fmt::format("the name of a parameter | {} characters |", limits::name_length));
  has(fmt::format("an expression | {} characters |", with_commas(limits::expression_length)));
  has(fmt::format("nesting of parentheses | {} |", limits::expression_depth));
  has(fmt::format("in decimals) | {}, with {} MiB together |", with_commas(limits::expressions), limits::expressions_mib));
  has(fmt::format("rows of all tables of a model | {} |", with_commas(limits::table_rows)));
  has(fmt::format("files with tables, together | {} MiB |", limits::table_files_mib));
  has(fmt::format("coefficients of a `polynomial` | {} |", limits::polynomial_terms));
  has(fmt::format("for all functions of a model | {} |", with_commas(limits::function_pieces)));
  has(fmt::format("corners of a polygon | {} |", with_commas(limits::polygon_corners)));
  has(fmt::format("vertices of a polyhedron (`center_of_mass`) | {} |", limits::polyhedron_points));
  has(fmt::format("elements of a beam | {} |", with_commas(limits::beam_elements)));
  has(fmt::format("elements of all beams | {} |", with_commas(limits::all_beam_elements)));
  has("(duration / step) | 1e9 |");
  has("(duration / output_step) | 1e7 |");
  has("output times × channels | 2e8 numbers |");
  static_assert(limits::steps == 1e9 && limits::output_times == 1e7 && limits::output_numbers == 2e8);
  has(fmt::format("samples | {} |", with_commas(limits::samples)));
  has(fmt::format("`halton` sequence | {} |", with_commas(limits::sequence_numbers)));
  has(fmt::format("order of an expansion | {} |", limits::chaos_order));
  has(fmt::format("evaluations of an expansion | {} |", with_commas(limits::chaos_evaluations)));
  has(fmt::format("trajectories of `morris` | {} |", with_commas(limits::trajectories)));
  has(fmt::format("Gauss points in each variable, and checks, of `univariate-reduction` | {}; {} |",
                  with_commas(limits::univariate_order), with_commas(limits::univariate_checks)));
}

}  // namespace ALEATOR_FILE
}  // namespace aleator::core::input
