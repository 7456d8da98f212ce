// aleator resume FOLDER: goes on with the unfinished study there, from what it recorded when it began.
#include <aleator/study.hpp>

#include "cli/arguments.hpp"
#include "cli/progress_line.hpp"
#include "cli/ranks.hpp"
#include "text/study_summary.hpp"

namespace aleator::app {
namespace {

struct ResumeArguments {
  std::string folder, on_failure, failed_at_most;
  int threads = 0;
  bool force = false, no_report = false, profile = false;
};

int resume(const ResumeArguments& o, const std::string& line, Ranks& ranks) {
  ProgressLine progress;
  RunOptions options = terminal_options(progress, line);
  options.folder = o.folder;
  while (options.folder.size() > 1 && options.folder.ends_with('/')) options.folder.pop_back();
  options.force = o.force;
  options.threads = o.threads;
  options.profile = o.profile;
  options.ranks = &ranks;
  options.report = o.no_report ? "" : "report.html";
  const double failed_at_most = o.failed_at_most.empty() ? -1 : share_of("--failed-at-most", o.failed_at_most);
  const StudyResult result = resume_study(options, o.on_failure, failed_at_most);
  progress.clear();
  return tell_result(result, options, o.no_report).exit_code;
}

}  // namespace

void add_resume(Command& c) {
  auto o = std::make_shared<ResumeArguments>();
  c.option("FOLDER", o->folder, "Folder of the run (out/NAME)").required();
  add_threads(c, o->threads);
  add_failures(c, o->on_failure, o->failed_at_most);
  c.flag("--force", o->force, "Even if the model file or the version has changed: with the model as it was");
  c.flag("--profile", o->profile, "Print a time profile");
  c.flag("--no-report", o->no_report, "Write only results.h5");
  c.run([o, &c] { return with_ranks([&](Ranks& ranks) { return resume(*o, c.line(), ranks); }); });
}

}  // namespace aleator::app
