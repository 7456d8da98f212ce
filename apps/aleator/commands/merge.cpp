// aleator merge PARTS: joins the parts of a study, each computed for itself (`run --part K/N`), to its results.
#include <aleator/study.hpp>

#include "cli/arguments.hpp"
#include "cli/progress_line.hpp"
#include "text/study_summary.hpp"

namespace aleator::app {
namespace {

struct MergeArguments {
  std::vector<std::string> files;
  std::string out;
  int threads = 0;
  bool no_report = false;
};

int merge(const MergeArguments& o, const std::string& line) {
  ProgressLine progress;
  RunOptions options = terminal_options(progress, line);
  options.threads = o.threads;
  options.report = o.no_report ? "" : "report.html";
  const StudyResult result = merge_study(o.files, o.out, options);
  progress.clear();
  if (result.outcome == Outcome::interrupted && result.file.empty()) {
    say(stderr, "interrupted: nothing was written, and the parts are as they were\n");
    return exit_code::interrupted;
  }
  return tell_result(result, options, o.no_report).exit_code;
}

}  // namespace

void add_merge(Command& c) {
  auto o = std::make_shared<MergeArguments>();
  c.option("PARTS", o->files, "Files of all parts (out/NAME/parts/*.h5)").required();
  c.option("-o,--out", o->out, "File of the results (default results.h5 beside the folder of the parts)").type("FILE");
  add_threads(c, o->threads);
  c.flag("--no-report", o->no_report, "Write only the results");
  c.run([o, &c] { return merge(*o, c.line()); });
}

}  // namespace aleator::app
