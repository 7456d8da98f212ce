// aleator design STUDY.yaml: parameters that are cheap and keep failures improbable.
#include <fmt/ranges.h>

#include "api/design_text.hpp"
#include "cli/arguments.hpp"
#include "cli/progress_line.hpp"

namespace aleator::app {
namespace {

struct DesignArguments {
  std::string file, out;
  std::vector<std::string> allowed;  // folders from which the model may take files, beside its own
  long evaluations = 0;
  int threads = 0;
  bool resume = false, no_report = false, json = false;
};

int design_command(const DesignArguments& o, const std::string& line) {
  DesignStudy study = read_design(o.file);
  study.evaluations = o.evaluations;
  study.load.allowed = o.allowed;
  ProgressLine progress;
  RunOptions options = terminal_options(progress, line);
  options.folder = o.out.empty() ? "out/" + stem(o.file) : o.out;
  options.threads = o.threads;
  options.resume = o.resume;
  options.report = o.no_report ? "" : "report.html";
  const DesignResult found = design(study, options);
  progress.clear();
  core::CommandOutcome outcome;
  if (found.data) {
    outcome.files = core::design_files(found, options);
    outcome.exit_code = found.verified ? exit_code::done : exit_code::differs;
    if (!o.json) say("{}\nwrote {}\n", core::design_text(*found.data), fmt::join(outcome.files, "\nwrote "));
  } else {
    outcome.exit_code = exit_code::interrupted;
    say(stderr, "interrupted{}\n", found.resumable ? "; --resume continues with " + options.folder + "/evaluations.csv" : "");
  }
  outcome.notes = progress.notes();
  if (o.json) print_raw(core::design_json(found, outcome));
  return outcome.exit_code;
}

}  // namespace

void add_design(Command& c) {
  auto o = std::make_shared<DesignArguments>();
  c.option("STUDY", o->file, "Design file (YAML): the model, what is chosen, the cost, the constraints").required();
  add_allow_files(c, o->allowed);
  c.option("-o,--out", o->out, "Folder for the results (default out/NAME)").type("DIR");
  c.option("--evaluations", o->evaluations, "Designs looked at, at most").whole(5, 2000).type("N");
  add_threads(c, o->threads);
  c.flag("--resume", o->resume, "Continue an interrupted search");
  c.flag("--no-report", o->no_report, "Write only the results");
  add_json(c, o->json);
  c.run([o, &c] { return design_command(*o, c.line()); });
}

}  // namespace aleator::app
