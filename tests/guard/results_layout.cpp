// One table of the layout of results files: layout.md is what it says, and no other module knows places in the file.
#include "results/layout.hpp"
#include "support/places.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <regex>
#include <set>
#include <string>
#include <vector>

namespace aleator::core::results {
namespace ALEATOR_FILE {

namespace fs = std::filesystem;

const std::string root = test::source_folder();
// Folders in which no text names a place in a results file.
const std::vector<std::string> without_places = {"src", "apps"};
const std::string that_knows_them = root + "/src/results/";

std::string text_of_file(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

TEST(ResultsLayout, the_page_is_the_table) {
  const std::string page = text_of_file(root + "/src/results/layout.md");
  EXPECT_TRUE(with_layout_tables(page) == page) << "src/results/layout.md differs; run docs/update-reference.sh";
}

// "/statistics", "/samples", …
std::set<std::string> groups() {
  std::set<std::string> names;
  for (const LayoutRow& row : layout_table()) {
    const std::string where = row.where;
    if (where != "/") names.insert(where.substr(0, where.find('/', 1)));
  }
  return names;
}

// Texts of the file that begin with a group of the layout: "file:line: text".
std::vector<std::string> places_in(const std::string& file, const std::string& text) {
  static const std::regex literal("\"(/[a-z_]+)[/\"]");
  std::vector<std::string> found;
  int line = 1;
  std::size_t at = 0;
  for (std::sregex_iterator i(text.begin(), text.end(), literal), end; i != end; ++i) {
    if (!groups().contains((*i)[1])) continue;
    line += int(std::count(text.begin() + long(at), text.begin() + i->position(), '\n'));
    at = std::size_t(i->position());
    found.push_back(file + ":" + std::to_string(line) + ": " + i->str());
  }
  return found;
}

TEST(ResultsLayout, is_known_to_one_module_alone) {
  for (const std::string& folder : without_places)
    for (const fs::directory_entry& entry : fs::recursive_directory_iterator(root + "/" + folder)) {
      const std::string path = entry.path();
      if (!entry.is_regular_file() || path.starts_with(that_knows_them)) continue;
      if (entry.path().extension() != ".cpp" && entry.path().extension() != ".hpp") continue;
      for (const std::string& place : places_in(path, text_of_file(path)))
        ADD_FAILURE() << place << ": use an accessor of StudyReader (src/results/read.hpp)";
    }
}

TEST(ResultsLayout, the_check_for_places_finds_them) {
  EXPECT_EQ(places_in("f", "a\nb(\"/statistics/x\")").size(), 1u);
  EXPECT_EQ(places_in("f", "r.has(\"/sobol\")").size(), 1u);
  EXPECT_TRUE(places_in("f", "server.routes[\"/data.json\"], \"/results.h5\", \"and /time\"").empty());
}

TEST(ResultsLayout, rows_are_found_by_path_and_dimensions) {
  ASSERT_TRUE(layout_row("/statistics/any name/mean", "", 1));
  EXPECT_STREQ(layout_row("/statistics/any name/mean", "", 1)->dimensions[0].label, "time");
  EXPECT_FALSE(layout_row("/statistics/x/none", "", 1));
  EXPECT_FALSE(layout_row("/statistics", "", 1));
  EXPECT_EQ(layout_row("/laws/quantities/a/mean", "", 2)->dimensions.size(), 2u);
  EXPECT_EQ(layout_row("/laws/quantities/a/mean", "", 0)->dimensions.size(), 0u);
  EXPECT_STREQ(layout_row("/samples/inputs", "laws", 1)->dimensions[0].label, "quantity");
  EXPECT_TRUE(is_own_scale(*layout_row("/time", "", 1)));
  EXPECT_FALSE(is_own_scale(*layout_row("/convergence/count", "", 1)));  // an output may have this name
}

}  // namespace ALEATOR_FILE
}  // namespace aleator::core::results
