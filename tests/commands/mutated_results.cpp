// Results files with a right checksum and wrong contents, some hundred of them: every command that reads results shows what it
// can, or says what is wrong with the file. Nothing else is thrown, and nothing is larger or takes longer than such a file.
#include <gtest/gtest.h>

#include <filesystem>
#include <map>
#include <random>

#include "commands/silence.hpp"
#include "results/campbell.hpp"
#include "results/write.hpp"
#include "support/full_study.hpp"
#include "support/in_memory_file.hpp"
#include "support/results_mutation.hpp"
#include "support/sealed_file.hpp"
#include "support/temporary_folder.hpp"

namespace aleator::core::test {
namespace ALEATOR_FILE {

struct Files {
  test::TemporaryFolder folder;
  std::string good = folder / "results.h5";
  std::vector<unsigned char> bytes;
  Files() {
    const FullStudy study;
    results::write_study(good, study.result, study.provenance);
    bytes = unsealed(good);
  }
};

TEST(MutatedResults, what_is_right_is_read_by_all_commands) {
  const Files files;
  for (const auto& command : reading_commands(files.good, files.good, files.folder / ".")) {
    const Silence silence;
    EXPECT_EQ(run_command(command), 0) << command[0] << " " << command.back();
  }
}

// The same of Campbell diagrams, which a report shows.
TEST(MutatedResults, diagrams_are_shown_or_refused) {
  const test::TemporaryFolder folder;
  results::Campbell d{.parameter = "speed", .unit = "rpm", .about = "steady", .values = {0, 10, 20}, .order_hertz = 1};
  d.modes = {{"disc z", {1, 2, 3}, {0.1, 0.2, 0.3}, {1, 1, 1}}, {"disc x", {4, 5, 6}, {0, 0, 0}, {1, 1, 1}}};
  d.orders = {1};
  d.crossings = {{0, 1, 12, 3, 0.1}, {1, 1, 15, 4, 0.1}};
  d.phases = 2;
  d.shapes.assign(2 * 2 * 7, 1);
  results::Run run;
  run.time = {0};
  run.bodies = {{"disc", {{"sphere", {0.1}, {}, {}}}, 1, ""}};
  run.poses = {1, 2, 3, 1, 0, 0, 0};
  const std::string good = folder / "campbell.h5";
  results::write_campbell(good, d, run, {});
  const std::vector<unsigned char> bytes = unsealed(good);
  std::map<int, long> codes;
  std::mt19937 random(20261119);
  const long count = mutations(200);
  for (long k = 0; k < count; ++k) {
    std::vector<std::uint8_t> decisions(4 + random() % 40);
    for (std::uint8_t& choice : decisions) choice = std::uint8_t(random());
    Choices choices(decisions);
    std::string what;
    const std::vector<unsigned char> wrong = mutated(bytes, choices, what);
    const InMemoryFile file;
    file.add(wrong);
    file.add(results::trailer_of(wrong));
    try {
      const Silence silence;
      ++codes[run_command({"report", file.path(), "--out", folder / "page.html"})];
    } catch (const std::exception& e) {
      ADD_FAILURE() << k << ": " << e.what() << what;
    }
  }
  for (const auto& [code, n] : codes) EXPECT_TRUE(code == 0 || code == 3) << code;
  EXPECT_GT(codes[0], count / 20);
  EXPECT_GT(codes[3], count / 20);
}

TEST(MutatedResults, are_shown_or_refused) {
  const Files files;
  const long count = mutations(400);
  std::map<int, long> codes;
  std::mt19937 random(20261116);
  for (long k = 0; k < count; ++k) {
    std::vector<std::uint8_t> decisions(4 + random() % 40);
    for (std::uint8_t& d : decisions) d = std::uint8_t(random());
    Choices choices(decisions);
    std::string what;
    const std::vector<unsigned char> wrong = mutated(files.bytes, choices, what);
    const InMemoryFile file;
    file.add(wrong);
    file.add(results::trailer_of(wrong));
    const auto commands = reading_commands(file.path(), files.good, files.folder / ".");
    for (int i = 0; i < 3; ++i) {
      const auto& command = commands[random() % commands.size()];
      try {
        const Silence silence;
        ++codes[run_command(command)];
      } catch (const std::exception& e) {
        ADD_FAILURE() << k << ": " << command[0] << " … " << command.back() << ": " << e.what() << what;
      }
    }
  }
  for (const auto& [code, n] : codes) {
    EXPECT_TRUE(code == 0 || code == 2 || code == 3) << code;
    RecordProperty("exit_code_" + std::to_string(code), std::to_string(n));
  }
  EXPECT_GT(codes[0], count / 10);
  EXPECT_GT(codes[3], count / 10);
}

}  // namespace ALEATOR_FILE
}  // namespace aleator::core::test
