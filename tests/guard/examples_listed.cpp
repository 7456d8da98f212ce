// Every model of examples/ has its line in examples/README.md and in the gallery, there with a picture, and every line its model.
#include <gtest/gtest.h>

#include <filesystem>
#include <regex>
#include <set>

#include "support/model_text.hpp"
#include "support/places.hpp"

namespace aleator::core::test {
namespace ALEATOR_FILE {

namespace fs = std::filesystem;

const fs::path folder = fs::path(source_folder()) / "examples", docs = fs::path(source_folder()) / "docs";

std::multiset<std::string> models() {
  std::multiset<std::string> names;
  for (const auto& entry : fs::directory_iterator(folder))
    if (entry.path().extension() == ".yaml") names.insert(entry.path().filename().string());
  return names;
}

TEST(ExamplesListed, every_model_has_one_line) {
  std::multiset<std::string> listed;
  const std::string page = text_of_file((folder / "README.md").string());
  const std::regex line("\n\\| \\[([^\\]]*)\\]\\(([^)]*\\.yaml)\\) \\|");
  for (std::sregex_iterator i(page.begin(), page.end(), line), end; i != end; ++i) {
    listed.insert((*i)[2]);
    EXPECT_EQ((*i)[1].str() + ".yaml", (*i)[2]);
  }
  EXPECT_EQ(listed, models());
}

TEST(ExamplesListed, every_model_has_one_line_and_a_small_picture_in_the_gallery) {
  std::multiset<std::string> listed;
  const std::string page = text_of_file((docs / "gallery.md").string());
  const std::regex line("\n\\| \\[([^\\]]*)\\]\\(\\.\\./examples/([^)]*\\.yaml)\\)(.*)"), picture("!\\[[^\\]]+\\]\\(([^)]+)\\)");
  for (std::sregex_iterator i(page.begin(), page.end(), line), end; i != end; ++i) {
    listed.insert((*i)[2]);
    EXPECT_EQ((*i)[1].str() + ".yaml", (*i)[2]);
    const std::string rest = (*i)[3];
    int pictures = 0;
    for (std::sregex_iterator p(rest.begin(), rest.end(), picture); p != end; ++p, ++pictures) {
      const fs::path file = docs / (*p)[1].str();
      ASSERT_TRUE(fs::exists(file)) << file;
      EXPECT_LE(fs::file_size(file), 40000u) << file;
    }
    EXPECT_GE(pictures, 1) << (*i)[2];
  }
  EXPECT_EQ(listed, models());
}

}  // namespace ALEATOR_FILE
}  // namespace aleator::core::test
