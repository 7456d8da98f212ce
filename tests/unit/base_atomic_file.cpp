#include "base/atomic_file.hpp"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include <csignal>
#include <filesystem>
#include <fstream>
#include <thread>

#include "base/errors.hpp"
#include "support/message_of.hpp"
#include "support/model_text.hpp"
#include "support/temporary_folder.hpp"

namespace aleator::core::results {
namespace ALEATOR_FILE {

using test::message_of;
using test::TemporaryFolder;
using test::text_of_file;

using Names = std::vector<std::string>;

TEST(AtomicFile, AppearsOnlyWhenCommitted) {
  const TemporaryFolder folder;
  AtomicFile file(folder / "a.txt");
  file.write("hello");
  EXPECT_FALSE(std::filesystem::exists(folder / "a.txt"));
  file.commit();
  EXPECT_EQ(text_of_file(folder / "a.txt"), "hello");
  EXPECT_EQ(folder.files(), Names{"a.txt"});
}

TEST(AtomicFile, KeepsTheOlderFileWhenAbandoned) {
  const TemporaryFolder folder;
  std::ofstream(folder / "a.txt") << "old";
  { AtomicFile(folder / "a.txt").write("new"); }
  EXPECT_EQ(text_of_file(folder / "a.txt"), "old");
  EXPECT_EQ(folder.files(), Names{"a.txt"});
}

TEST(AtomicFile, HasTheUsualPermissions) {
  const TemporaryFolder folder;
  const mode_t mask = umask(022);
  AtomicFile(folder / "a.txt").commit();
  umask(mask);
  struct stat status {};
  ASSERT_EQ(stat((folder / "a.txt").c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777, 0644U);
}

TEST(AtomicFile, FollowsLinks) {
  const TemporaryFolder folder;
  std::filesystem::create_directory(folder / "elsewhere");
  std::ofstream(folder / "elsewhere/real.txt") << "old";
  std::filesystem::create_symlink("elsewhere/real.txt", folder / "link.txt");
  AtomicFile file(folder / "link.txt");
  file.write("new");
  file.commit();
  EXPECT_TRUE(std::filesystem::is_symlink(folder / "link.txt"));
  EXPECT_EQ(text_of_file(folder / "elsewhere/real.txt"), "new");
}

TEST(AtomicFile, WritesIntoAPipeInsteadOfReplacingIt) {
  const TemporaryFolder folder;
  ASSERT_EQ(mkfifo((folder / "pipe").c_str(), 0600), 0);
  std::string received;
  std::thread reader([&] { received = text_of_file(folder / "pipe"); });
  AtomicFile file(folder / "pipe");
  file.write("through");
  file.commit();
  reader.join();
  EXPECT_EQ(received, "through");
  EXPECT_TRUE(std::filesystem::is_fifo(folder / "pipe"));
}

TEST(AtomicFile, SaysWhyItCannotBeCreated) {
  const TemporaryFolder folder;
  const std::string missing = folder / "no/such/a.txt";
  EXPECT_EQ(message_of<WriteError>([&] { AtomicFile file(missing); }),
            "cannot write '" + missing + "': No such file or directory");
  std::filesystem::create_directory(folder / "d");
  EXPECT_EQ(message_of<WriteError>([&] { AtomicFile file(folder / "d"); }),
            "cannot write '" + (folder / "d") + "': Is a directory");
  std::ofstream(folder / "file") << "x";
  const std::string below = folder / "file/a.txt";
  EXPECT_EQ(message_of<WriteError>([&] { AtomicFile file(below); }), "cannot write '" + below + "': Not a directory");
  EXPECT_EQ(message_of<WriteError>([] { AtomicFile file(""); }), "cannot write '': No such file or directory");
}

// Permissions do not bind the administrator; a folder of the kernel that takes no files does.
TEST(AtomicFile, RefusesAnUnwritableFolder) {
  const TemporaryFolder folder;
  std::string path = "/proc/self/a.txt";
  if (geteuid() != 0) {
    std::filesystem::create_directory(folder / "closed");
    std::filesystem::permissions(folder / "closed", std::filesystem::perms::owner_read | std::filesystem::perms::owner_exec);
    path = folder / "closed/a.txt";
  }
  EXPECT_THROW(AtomicFile file(path), WriteError);
}

TEST(AtomicFile, ReportsAFullDevice) {
  AtomicFile file("/dev/full");
  EXPECT_EQ(message_of<WriteError>([&] { file.write("x"); }), "cannot write '/dev/full': No space left on device");
}

// A limit on the size of files stands for a full disk: the write fails half-way.
TEST(AtomicFile, LeavesNothingBehindWhenTheDiskIsFull) {
  const TemporaryFolder folder;
  rlimit before{};
  getrlimit(RLIMIT_FSIZE, &before);
  const auto handler = std::signal(SIGXFSZ, SIG_IGN);
  const rlimit small{1000, before.rlim_max};
  setrlimit(RLIMIT_FSIZE, &small);
  const std::string message = message_of<WriteError>([&] {
    AtomicFile file(folder / "a.txt");
    file.write(std::string(5000, 'x'));
    file.commit();
  });
  setrlimit(RLIMIT_FSIZE, &before);
  std::signal(SIGXFSZ, handler);
  EXPECT_EQ(message, "cannot write '" + (folder / "a.txt") + "': File too large");
  EXPECT_TRUE(folder.files().empty());
}

TEST(CreateFolder, MakesParentsAndAcceptsWhatIsThere) {
  const TemporaryFolder folder;
  create_folder(folder / "out/five-body");
  create_folder(folder / "out/five-body");
  EXPECT_TRUE(std::filesystem::is_directory(folder / "out/five-body"));
}

TEST(CreateFolder, SaysWhyItCannot) {
  const TemporaryFolder folder;
  std::ofstream(folder / "out") << "x";
  EXPECT_EQ(message_of<WriteError>([&] { create_folder(folder / "out"); }),
            "cannot write '" + (folder / "out") + "': Not a directory");
  EXPECT_EQ(message_of<WriteError>([&] { create_folder(folder / "out/a"); }),
            "cannot write '" + (folder / "out") + "': Not a directory");
}

}  // namespace ALEATOR_FILE
}  // namespace aleator::core::results
