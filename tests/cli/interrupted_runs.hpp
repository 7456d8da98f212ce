// Campaigns of interruptions: a study is ended again and again, continued, and must end as if nothing had happened.
#pragma once

#include <string>
#include <vector>

namespace aleator::core::test {

// Rows in the journal of an unfinished study; 0 when there is none.
long rows_in(const std::string& folder);

struct KillCampaign {
  std::string model;  // its text
  int kills = 5;
  unsigned seed = 1;                        // of the moments
  std::vector<std::string> arguments = {};  // of `run`
};

// What became of it; the tests print it.
struct KillFigures {
  int kills = 0, finished = 0;                                                 // processes; studies that ended between kills
  int before_journal = 0, while_simulating = 0, while_writing = 0, after = 0;  // when they were killed
};

// Kills `run` and `resume` (SIGKILL) at moments that are uniform over the duration of a run, until there are as many kills as
// asked for and the last study is finished. After each: what is there under its final name opens, no row that was there is lost.
// Every finished study is compared with an uninterrupted one. Fails as a test does.
KillFigures expect_survives_kills(const KillCampaign& campaign);

// A file system of its own in a folder, as large as one likes. Only root may have one.
class SmallDisk {
 public:
  explicit SmallDisk(std::string folder);
  ~SmallDisk();
  SmallDisk(const SmallDisk&) = delete;
  SmallDisk& operator=(const SmallDisk&) = delete;
  bool is_there() const { return mounted_; }
  void resize(long bytes);  // whole pages
  void make_read_only(bool yes);

 private:
  std::string folder_;
  bool mounted_ = false;
  long bytes_ = 0;
};

struct DiskFigures {
  int sizes = 0;                                                                       // of the file system that were tried
  int without_journal = 0, in_journal = 0, in_results = 0, in_report = 0, passed = 0;  // where it was full
};

// Runs a study where room ends after some pages, ever more of them (by `factor`) until there is enough. It must say so (exit code
// 6), leave whole files alone under final names, among them those of an earlier study in the same folder, and with more room end
// as if nothing had happened.
DiskFigures expect_survives_full_disk(const std::string& model, double factor);

// The same with a limit on the size of files, from `least` bytes on.
DiskFigures expect_survives_file_limit(const std::string& model, long least, double factor);

struct PowerFigures {
  int requests = 0;                                 // to the file system that were recorded
  int states = 0;                                   // that a loss of power could have left
  int empty = 0, unfinished = 0, with_results = 0;  // what they had: nothing to go on with, a journal, results
  long rows = 0;                                    // all states: that were found again
};

// Records what a run asks of the file system, and makes from it what a loss of power at some moment could leave: of everything
// that was not synchronised by then some is there, some is not, some is torn or zeros, names as well as bytes. Each state must go
// on to the uninterrupted result, and have what was synchronised. Empty figures: it cannot be recorded here.
PowerFigures expect_survives_power_loss(const std::string& model, int states, unsigned seed);

}  // namespace aleator::core::test
