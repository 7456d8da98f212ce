// What a user loses, and is told: output that cannot be written, a terminal that goes away, a folder that another run has taken, names
// that a terminal would obey, files that end the library that reads them.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <thread>

#include "program.hpp"
#include "study_files.hpp"
#include "support/model_text.hpp"
#include "support/sealed_file.hpp"

namespace aleator::core::test {
namespace ALEATOR_FILE {

namespace fs = std::filesystem;

void onto_full_disk() {
  const int full = open("/dev/full", O_WRONLY);
  if (full < 0 || dup2(full, STDOUT_FILENO) < 0) _exit(125);
}

TEST(LostOutput, is_an_error_of_every_command) {
  const Folder folder;
  folder.write("m.yaml", oscillator());
  ASSERT_EQ(aleator({"run", "m.yaml", "--out", "o", "--no-report"}, folder.path()).code, 0);
  const std::vector<std::vector<std::string>> commands = {{"check", "m.yaml"},
                                                          {"modes", "m.yaml"},
                                                          {"schema"},
                                                          {"--help"},
                                                          {"--version"},
                                                          {"run", "--help"},
                                                          {"simulate", "m.yaml"},
                                                          {"run", "m.yaml", "--out", "p", "--no-report"},
                                                          {"compare", "o", "o"},
                                                          {"export", "o", "statistics"}};
  for (const std::vector<std::string>& command : commands) {
    const Outcome o = aleator_after(onto_full_disk, command, folder.path());
    EXPECT_EQ(o.code, 6) << command[0];
    EXPECT_NE(o.err.find("cannot write 'standard output': No space left"), std::string::npos) << command[0] << ": " << o.err;
  }
  EXPECT_TRUE(fs::exists(folder / "p/results.h5")) << "files are written all the same";
}

TEST(LostOutput, a_terminal_that_goes_away_saves_what_is_there) {
  const Folder folder;
  folder.write("m.yaml", oscillator("samples: 10000000, keep: statistics"));
  const Outcome o = aleator({"run", "m.yaml", "--out", "o"}, folder.path(), 0.3, SIGHUP, "o/unfinished.journal");
  EXPECT_EQ(o.code, 130) << o.err;
  EXPECT_TRUE(fs::exists(folder / "o/partial.h5"));
}

TEST(LostOutput, nohup_goes_on) {
  const Folder folder;
  folder.write("m.yaml", oscillator("samples: 20000"));
  const auto ignored = [] { std::signal(SIGHUP, SIG_IGN); };
  // the program sends the signal to itself as soon as it is there, from a second process
  const Outcome o = aleator_after(
      [&] {
        ignored();
        if (fork() == 0) {
          const pid_t parent = getppid();
          usleep(200000);
          kill(parent, SIGHUP);
          _exit(0);
        }
      },
      {"run", "m.yaml", "--out", "o", "--no-report"}, folder.path());
  EXPECT_EQ(o.code, 0) << o.err;
}

// Another run's journal stands for another run: its process need not live.
TEST(LostOutput, a_folder_that_another_run_has_taken_is_left_to_it) {
  const Folder folder;
  folder.write("m.yaml", oscillator("samples: 60000"));
  std::thread other([&] {
    while (!fs::exists(folder / "o/unfinished.journal")) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    fs::remove_all(folder / "o");
    fs::create_directory(folder / "o");
    std::ofstream(folder / "o/results.h5") << "theirs";
  });
  const Outcome o = aleator({"run", "m.yaml", "--out", "o", "--no-report"}, folder.path());
  other.join();
  EXPECT_EQ(o.code, 6) << o.err;
  EXPECT_NE(o.err.find("another run now writes into it"), std::string::npos) << o.err;
  EXPECT_EQ(o.err.find("resume"), std::string::npos) << "nothing is there to go on with: " << o.err;
  EXPECT_EQ(text_of_file(folder / "o/results.h5"), "theirs");
}

TEST(LostOutput, a_folder_that_was_removed_is_made_again_and_can_be_resumed) {
  const Folder folder;
  folder.write("m.yaml", oscillator("samples: 60000"));
  ASSERT_EQ(aleator({"run", "m.yaml", "--out", "whole", "--no-report"}, folder.path()).code, 0);
  std::thread remover([&] {
    while (!fs::exists(folder / "o/unfinished.journal")) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    fs::remove_all(folder / "o");
    std::ofstream(folder / "removed") << "yes";
  });
  const Outcome o = aleator({"run", "m.yaml", "--out", "o", "--no-report"}, folder.path(), 0.1, SIGINT, "removed");
  remover.join();
  if (o.code == 0) GTEST_SKIP() << "it had finished before the signal";
  EXPECT_EQ(o.code, 130) << o.err;
  ASSERT_EQ(aleator({"resume", "o"}, folder.path()).code, 0) << "as the message promised: " << o.err;
  EXPECT_EQ(bits_of(folder / "o/results.h5"), bits_of(folder / "whole/results.h5"));
}

TEST(LostOutput, no_control_characters_in_messages) {
  const Folder folder;
  const std::string evil =
      "a\x1b[31m\x07\xc2\x9b"
      "2J\xe2\x80\xae\x9b"
      "b\r";
  folder.write("m.yaml", replaced(oscillator(), "title: Oscillator", "title: \"a\\e[31m\\a\\x9b2J\\u202eb\\r\""));
  const auto expect_harmless = [](const std::string& text) {
    for (const char* bad : {"\x1b", "\x07", "\xc2\x9b", "\xe2\x80\xae", "\r"})
      EXPECT_EQ(text.find(bad), std::string::npos) << text;
    for (size_t i = 0; i < text.size(); ++i) EXPECT_TRUE(text[i] != '\x9b' || (i > 0 && (text[i - 1] & 0x80))) << "a byte alone";
  };
  for (const std::vector<std::string>& command : std::vector<std::vector<std::string>>{{"check", "m.yaml"},
                                                                                       {"check", evil},
                                                                                       {evil},
                                                                                       {"run", "m.yaml", "--set", evil + "=1"},
                                                                                       {"run", "m.yaml", "--method", evil},
                                                                                       {"export", evil, "statistics"},
                                                                                       {"simulate", "m.yaml"}}) {
    const Outcome o = aleator(command, folder.path());
    expect_harmless(o.out);
    expect_harmless(o.err);
  }
}

TEST(LostOutput, an_output_is_not_called_time) {
  const Folder folder;
  folder.write("m.yaml",
               replaced(replaced(oscillator(), "  x: {position", "  time: {position"), "{maximum: x}", "{maximum: time}"));
  const Outcome o = aleator({"check", "m.yaml"}, folder.path());
  EXPECT_EQ(o.code, 3);
  EXPECT_NE(o.err.find("output 'time': this name is reserved for the time"), std::string::npos) << o.err;
}

// Bytes throughout the file changed, without a checksum: shown or refused, never a crash.
TEST(LostOutput, trusted_files_that_are_damaged_end_in_a_message) {
  const Folder folder;
  folder.write("m.yaml", oscillator("samples: 4"));
  ASSERT_EQ(aleator({"run", "m.yaml", "--out", "o", "--no-report"}, folder.path()).code, 0);
  const std::vector<unsigned char> sound = unsealed(folder / "o/results.h5");
  long refused = 0;
  for (size_t k = 0; k < 12; ++k) {
    std::vector<unsigned char> bytes = sound;
    for (size_t i = 600 + 7 * k; i < bytes.size(); i += 997 + 13 * k) bytes[i] = static_cast<unsigned char>(bytes[i] + 1 + k);
    std::ofstream(folder / "d.h5", std::ios::binary)
        .write(reinterpret_cast<const char*>(bytes.data()), std::streamsize(bytes.size()));
    const Outcome o = aleator({"export", "d.h5", "statistics", "--trust"}, folder.path());
    EXPECT_LT(o.code, 100) << k << ": " << o.err;
    refused += o.code == 3;
  }
  EXPECT_GT(refused, 0);
}

// With less address space than it needs it says so, whatever it is doing then.
TEST(LostOutput, too_little_memory_is_a_message) {
  const Folder folder;
  folder.write("m.yaml", oscillator());
  for (const long megabytes : {120, 200, 260, 300}) {
    const auto limited = [=] {
      const rlimit most{rlim_t(megabytes) << 20, rlim_t(megabytes) << 20};
      setrlimit(RLIMIT_AS, &most);
    };
    for (const std::vector<std::string>& command :
         std::vector<std::vector<std::string>>{{"check", "m.yaml"},
                                               {"run", "m.yaml", "--out", "o", "--overwrite"},
                                               {"run", "m.yaml", "--out", "o", "--overwrite", "--threads", "32"},
                                               {"simulate", "m.yaml"}}) {
      const Outcome o = aleator_after(limited, command, folder.path());
      EXPECT_LT(o.code, 100) << megabytes << " MB, " << command[0] << ": " << o.err;
      EXPECT_TRUE(o.code == 0 || !o.err.empty()) << megabytes << " MB, " << command[0];
    }
  }
}

}  // namespace ALEATOR_FILE
}  // namespace aleator::core::test
