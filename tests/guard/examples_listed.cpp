// Every model of examples/ has its line in examples/README.md, and every line its model.
#include <gtest/gtest.h>

#include <filesystem>
#include <regex>
#include <set>

#include "support/model_text.hpp"
#include "support/places.hpp"

namespace aleator::core::test {
namespace ALEATOR_FILE {

TEST(ExamplesListed, every_model_has_one_line) {
  const std::filesystem::path folder = std::filesystem::path(source_folder()) / "examples";
  std::multiset<std::string> there, listed;
  for (const auto& entry : std::filesystem::directory_iterator(folder))
    if (entry.path().extension() == ".yaml") there.insert(entry.path().filename().string());
  const std::string page = text_of_file((folder / "README.md").string());
  const std::regex line("\n\\| \\[([^\\]]*)\\]\\(([^)]*\\.yaml)\\) \\|");
  for (std::sregex_iterator i(page.begin(), page.end(), line), end; i != end; ++i) {
    listed.insert((*i)[2]);
    EXPECT_EQ((*i)[1].str() + ".yaml", (*i)[2]);
  }
  EXPECT_EQ(listed, there);
}

}  // namespace ALEATOR_FILE
}  // namespace aleator::core::test
