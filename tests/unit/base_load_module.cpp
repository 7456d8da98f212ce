#include "base/load_module.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

#include "base/build_id.hpp"
#include "base/errors.hpp"
#include "support/message_of.hpp"
#include "support/model_text.hpp"
#include "support/temporary_folder.hpp"
#include "uncertainty/distribution_module.hpp"

namespace aleator::core {
namespace ALEATOR_FILE {

namespace fs = std::filesystem;
using test::message_of;
using test::TemporaryFolder;
using test::text_of_file;

const std::string name = "aleator_openturns.so";

// The module of this build, as it lies in one of the folders where it is looked for.
std::string module_bytes() {
  for (const fs::path& folder : module_folders())
    if (fs::exists(folder / name)) return text_of_file(folder / name);
  return {};
}

TEST(LoadModule, LooksBesideTheProgramOnly) {
  const fs::path program = fs::read_symlink("/proc/self/exe").parent_path();
  EXPECT_EQ(module_folders(), (std::vector<fs::path>{program, program / "lib/aleator", program.parent_path() / "lib/aleator"}));
}

TEST(LoadModule, SaysWhereItLookedForOneThatIsMissing) {
  const TemporaryFolder a, b;
  const Module module = load_module("aleator_missing.so", "entry", false, {a.path(), b.path()});
  EXPECT_EQ(module.entry, nullptr);
  EXPECT_EQ(module.looked_in, a.path() + ", " + b.path());
}

TEST(LoadModule, PassesOverThoseOfAnotherBuild) {
  std::string bytes = module_bytes();
  if (bytes.empty()) GTEST_SKIP() << "built without OpenTURNS";
  const TemporaryFolder good, foreign;
  good.write(name, bytes);
  const std::string id(build_id());
  const std::size_t at = bytes.find(id);
  ASSERT_NE(at, std::string::npos);
  bytes[at + std::string("Aleator ").size()] = 'X';  // the first digit of the version
  ASSERT_EQ(bytes.find(id), std::string::npos) << "it is there once only";
  foreign.write(name, bytes);

  EXPECT_NE(load_module(name, distribution_module_entry, false, {foreign.path(), good.path()}).entry, nullptr);
  EXPECT_EQ(message_of<SimulationError>([&] { load_module(name, distribution_module_entry, false, {foreign.path()}); }),
            foreign / name + " belongs to another build of Aleator; this one is " + id);
}

TEST(LoadModule, RefusesWhatIsDamaged) {
  const TemporaryFolder folder;
  folder.write(name, "no library at all");
  EXPECT_NE(message_of<SimulationError>([&] { load_module(name, "entry", false, {folder.path()}); }).find("another build"),
            std::string::npos);
  folder.write(name, "no library, but " + std::string(build_id()));
  EXPECT_NE(message_of<SimulationError>([&] {
              load_module(name, "entry", false, {folder.path()});
            }).find("the module aleator_openturns.so does not load: "),
            std::string::npos);
  std::string bytes = module_bytes();
  if (bytes.empty()) return;
  folder.write(name, bytes);
  EXPECT_EQ(message_of<SimulationError>([&] { load_module(name, "no_such_entry", false, {folder.path()}); }),
            folder / name + " has no function no_such_entry");
}

TEST(LoadModule, BuildIsNamedByVersionCommitAndCompiler) {
  const std::string id(build_id());
  EXPECT_EQ(id.find("Aleator "), 0u);
  EXPECT_EQ(std::count(id.begin(), id.end(), '\0'), 0);
  EXPECT_NE(id.find(__VERSION__), std::string::npos);
}

}  // namespace ALEATOR_FILE
}  // namespace aleator::core
