// Results without a checksum, or with a wrong one, as a user meets them.
#include <gtest/gtest.h>

#include "program.hpp"
#include "study_files.hpp"
#include "support/sealed_file.hpp"

namespace aleator::core::test {
namespace ALEATOR_FILE {

TEST(Trust, is_asked_for_where_a_checksum_is_missing) {
  const Folder folder;
  folder.write("m.yaml", oscillator());
  ASSERT_EQ(aleator({"run", "m.yaml", "--out", "o", "--no-report"}, folder.path()).code, 0);
  const std::string file = folder / "o/results.h5";
  const std::vector<unsigned char> bytes = unsealed(file);
  std::ofstream(file, std::ios::binary).write(reinterpret_cast<const char*>(bytes.data()), std::streamsize(bytes.size()));
  const std::vector<std::vector<std::string>> commands = {
      {"export", "o", "statistics"}, {"report", "o"}, {"plot", "o"}, {"compare", "o", "o"}, {"animate", "o", "--gltf", "a.glb"}};
  for (std::vector<std::string> command : commands) {
    const Outcome refused = aleator(command, folder.path());
    EXPECT_EQ(refused.code, 3) << command[0];
    EXPECT_NE(refused.err.find("results.h5': it has no checksum"), std::string::npos) << refused.err;
    command.push_back("--trust");
    EXPECT_EQ(aleator(command, folder.path()).code, 0) << command[0];
  }
}

TEST(Trust, does_not_help_a_damaged_file) {
  const Folder folder;
  folder.write("m.yaml", oscillator());
  ASSERT_EQ(aleator({"run", "m.yaml", "--out", "o", "--no-report"}, folder.path()).code, 0);
  std::fstream file(folder / "o/results.h5", std::ios::binary | std::ios::in | std::ios::out);
  file.seekp(5000);
  file.put('!').put('?');
  file.close();
  for (const bool trust : {false, true}) {
    std::vector<std::string> command = {"report", "o"};
    if (trust) command.push_back("--trust");
    const Outcome o = aleator(command, folder.path());
    EXPECT_EQ(o.code, 3);
    EXPECT_NE(o.err.find("results.h5': it is damaged: its checksum differs"), std::string::npos) << o.err;
  }
}

}  // namespace ALEATOR_FILE
}  // namespace aleator::core::test
