// Where there is no room: see interrupted_runs.hpp.
#include <gtest/gtest.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/statvfs.h>

#include <algorithm>
#include <filesystem>

#include "interrupted_runs.hpp"
#include "program.hpp"
#include "results/read.hpp"
#include "results/study_store.hpp"
#include "support/model_text.hpp"
#include "support/results_contents.hpp"

namespace aleator::core::test {
namespace fs = std::filesystem;

SmallDisk::SmallDisk(std::string folder) : folder_(std::move(folder)) {
  fs::create_directories(folder_);
  mounted_ = mount("tmpfs", folder_.c_str(), "tmpfs", 0, "size=64m") == 0;
  bytes_ = 64L << 20;
}

SmallDisk::~SmallDisk() {
  if (mounted_) umount2(folder_.c_str(), MNT_DETACH);
}

void SmallDisk::resize(long bytes) {
  bytes_ = bytes;
  const std::string size = "size=" + std::to_string(bytes_);
  ASSERT_EQ(mount("tmpfs", folder_.c_str(), "tmpfs", MS_REMOUNT, size.c_str()), 0);
}

void SmallDisk::make_read_only(bool yes) {
  const std::string size = "size=" + std::to_string(bytes_);
  ASSERT_EQ(mount("tmpfs", folder_.c_str(), "tmpfs", MS_REMOUNT | (yes ? MS_RDONLY : 0), size.c_str()), 0);
}

namespace {

constexpr long page = 4096, plenty = 64L << 20;

long used(const std::string& folder) {
  struct statvfs s {};
  statvfs(folder.c_str(), &s);
  return long((s.f_blocks - s.f_bfree) * s.f_frsize);
}

// What is under a final name is whole: the earlier results, byte for byte, or new ones that are complete.
void expect_whole_files(const std::string& out, const std::string& earlier_results, const std::string& earlier_page) {
  const std::string results = text_of_file(out + "/results.h5"), report = text_of_file(out + "/report.html");
  EXPECT_TRUE(results == earlier_results || results::StudyReader(out + "/results.h5").complete());
  EXPECT_TRUE(report == earlier_page || report.ends_with("</html>\n")) << report.substr(report.size() - 20);
  const std::string partial = out + "/partial.h5";
  EXPECT_TRUE(!fs::exists(partial) || !results::StudyReader(partial).numbers("/time").empty());
  for (const auto& entry : fs::directory_iterator(out))
    EXPECT_NE(entry.path().extension(), ".partial") << "left behind: " << entry.path();
}

void count_place(const Outcome& o, DiskFigures& figures) {
  const auto says = [&](const char* name) { return o.err.find(name) != std::string::npos; };
  if (o.code == 0)
    ++figures.passed;
  else if (says("report.html'"))
    ++figures.in_report;
  else if (says("results.h5'") || says("partial.h5'"))
    ++figures.in_results;
  else if (says("unfinished.journal'"))
    ++figures.in_journal;
  else
    ++figures.without_journal;
}

// One study in `out`, where something ends too early: `narrow` runs it there, `wide` continues it.
template <class Narrow, class Wide>
void expect_goes_on(const Folder& folder, const std::string& out, const std::string& reason, Narrow&& narrow, Wide&& wide,
                    DiskFigures& figures) {
  const std::string results = text_of_file(out + "/results.h5"), page_text = text_of_file(out + "/report.html");
  const Outcome o = narrow();
  ++figures.sizes;
  count_place(o, figures);
  if (o.code != 0) {
    EXPECT_EQ(o.code, 6) << o.err;
    EXPECT_NE(o.err.find(reason), std::string::npos) << o.err;
  }
  expect_whole_files(out, results, page_text);
  wide();
  const bool begun = fs::exists(results::StudyStore::file_in(out)) || text_of_file(out + "/results.h5") != results;
  const Outcome again = aleator(
      begun ? std::vector<std::string>{"resume", out} : std::vector<std::string>{"run", "m.yaml", "--out", out}, folder.path());
  EXPECT_EQ(again.code, 0) << again.err;
  EXPECT_EQ(difference_of_results(folder / "whole/results.h5", out + "/results.h5"), "");
  EXPECT_FALSE(fs::exists(results::StudyStore::file_in(out)));
  EXPECT_GE(fs::last_write_time(out + "/report.html"), fs::last_write_time(out + "/results.h5"));
}

void begin(const Folder& folder, const std::string& model) {
  folder.write("m.yaml", model);
  ASSERT_EQ(aleator({"run", "m.yaml", "--out", "whole"}, folder.path()).code, 0);
  ASSERT_EQ(aleator({"run", "m.yaml", "--seed", "77", "--samples", "3", "--out", "earlier"}, folder.path()).code, 0);
}

}  // namespace

DiskFigures expect_survives_full_disk(const std::string& model, double factor) {
  const Folder folder;
  begin(folder, model);
  DiskFigures figures;
  for (long pages = 1; figures.passed < 2 && !::testing::Test::HasFailure();
       pages = std::max(pages + 1, long(double(pages) * factor))) {
    SmallDisk disk(folder / "disk");
    if (!disk.is_there()) break;
    const std::string out = folder / "disk/out";
    fs::copy(folder / "earlier", out);
    disk.resize(used(out) + pages * page);
    expect_goes_on(
        folder, out, "No space left on device",
        [&] {
          return aleator({"run", "m.yaml", "--out", out}, folder.path());
        },
        [&] { disk.resize(plenty); }, figures);
  }
  return figures;
}

DiskFigures expect_survives_file_limit(const std::string& model, long least, double factor) {
  const Folder folder;
  begin(folder, model);
  DiskFigures figures;
  for (double bytes = double(least); figures.passed < 1 && !::testing::Test::HasFailure(); bytes *= factor) {
    const std::string out = folder / "out";
    fs::remove_all(out);
    fs::copy(folder / "earlier", out);
    const auto limit = [&] {
      const rlimit most{rlim_t(bytes), rlim_t(bytes)};
      setrlimit(RLIMIT_FSIZE, &most);
    };
    expect_goes_on(
        folder, out, "File too large",
        [&] {
          return aleator_after(limit, {"run", "m.yaml", "--out", out}, folder.path());
        },
        [] {}, figures);
  }
  return figures;
}

}  // namespace aleator::core::test
