// Folders in which a study cannot be written, from the beginning or from some moment on: what was there stays, what was finished
// is kept, and where there is room again the study ends as if nothing had happened.
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <thread>

#include "interrupted_runs.hpp"
#include "program.hpp"
#include "results/study_store.hpp"
#include "support/model_text.hpp"
#include "support/results_contents.hpp"

namespace aleator::core::test {
namespace ALEATOR_FILE {

namespace fs = std::filesystem;

// Few sizes; tests/long tries many.
TEST(NoRoom, a_full_disk) {
  const DiskFigures f = expect_survives_full_disk(five_body_study("samples: 20"), 6);
  if (f.sizes == 0) GTEST_SKIP() << "only root may have a file system of its own";
  EXPECT_GT(f.sizes - f.passed, 1);
}

TEST(NoRoom, a_limit_on_the_size_of_files) {
  const DiskFigures f = expect_survives_file_limit(five_body_study("samples: 20"), 1000, 20);
  EXPECT_GT(f.sizes - f.passed, 1);
}

TEST(NoRoom, a_folder_that_may_only_be_read) {
  const Folder folder;
  folder.write("m.yaml", five_body_study("samples: 2000"));
  SmallDisk disk(folder / "disk");
  if (!disk.is_there()) GTEST_SKIP() << "only root may have a file system of its own";
  disk.make_read_only(true);
  const Outcome refused = aleator({"run", "m.yaml", "--out", "disk/out"}, folder.path());
  EXPECT_EQ(refused.code, 6);
  EXPECT_NE(refused.err.find("Read-only file system"), std::string::npos) << refused.err;
  disk.make_read_only(false);
  // an unfinished run in it stays as it is
  ASSERT_EQ(aleator({"run", "m.yaml", "--out", "disk/out"}, folder.path(), 0.1, SIGKILL, "disk/out/unfinished.journal").code,
            1000 + SIGKILL);
  const std::string journal = text_of_file(folder / "disk/out/unfinished.journal");
  disk.make_read_only(true);
  EXPECT_EQ(aleator({"resume", "disk/out"}, folder.path()).code, 6);
  EXPECT_EQ(text_of_file(folder / "disk/out/unfinished.journal"), journal);
  disk.make_read_only(false);
  EXPECT_EQ(aleator({"resume", "disk/out"}, folder.path()).code, 0);
  ASSERT_EQ(aleator({"run", "m.yaml", "--out", "whole"}, folder.path()).code, 0);
  EXPECT_EQ(difference_of_results(folder / "whole/results.h5", folder / "disk/out/results.h5"), "");
}

TEST(NoRoom, a_folder_of_somebody_else) {
  if (geteuid() != 0) GTEST_SKIP() << "needs somebody else";
  const Folder folder;
  folder.write("m.yaml", five_body_study("samples: 20"));
  fs::create_directory(folder / "out");
  chmod(folder.path().c_str(), 0755);
  const auto as_nobody = [] {
    if (setgid(65534) != 0 || setuid(65534) != 0) _exit(125);
  };
  const Outcome o = aleator_after(as_nobody, {"run", folder / "m.yaml", "--out", folder / "out"}, folder.path());
  EXPECT_EQ(o.code, 6) << o.err;
  EXPECT_NE(o.err.find("Permission denied"), std::string::npos) << o.err;
}

TEST(NoRoom, a_folder_that_is_removed_meanwhile) {
  const Folder folder;
  folder.write("m.yaml", five_body_study("samples: 4000"));
  ASSERT_EQ(aleator({"run", "m.yaml", "--out", "whole"}, folder.path()).code, 0);
  std::thread remover([&] {
    while (!fs::exists(folder / "out/unfinished.journal")) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    fs::remove_all(folder / "out");
  });
  const Outcome o = aleator({"run", "m.yaml", "--out", "out"}, folder.path());
  remover.join();
  EXPECT_EQ(o.code, 0) << o.err;
  EXPECT_EQ(difference_of_results(folder / "whole/results.h5", folder / "out/results.h5"), "");
}

}  // namespace ALEATOR_FILE
}  // namespace aleator::core::test
