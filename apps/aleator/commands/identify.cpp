// aleator identify STUDY.yaml: the uncertainty that explains the measurements.
#include <fmt/format.h>

#include <aleator/identification.hpp>

#include "cli/arguments.hpp"
#include "cli/progress_line.hpp"
#include "results/identification.hpp"
#include "text/identification.hpp"
#include "text/study_summary.hpp"

namespace aleator::app {
namespace {

struct IdentifyArguments {
  std::string file, out;
  std::vector<std::string> allowed;  // folders from which the model may take files, beside its own
  long samples = 0, evaluations = 0;
  long long seed = -1;
  int threads = 0;
  bool resume = false, no_report = false;

  std::string folder() const { return out.empty() ? "out/" + stem(file) : out; }
};

int identify_command(const IdentifyArguments& o, const std::string& line) {
  IdentificationStudy study = read_identification(o.file);
  study.samples = o.samples;
  study.evaluations = o.evaluations;
  study.seed = o.seed;
  study.load.allowed = o.allowed;
  ProgressLine progress;
  RunOptions options = terminal_options(progress, line);
  options.folder = o.folder();
  options.threads = o.threads;
  options.resume = o.resume;
  options.report = o.no_report ? "" : "report.html";
  const IdentificationResult found = identify(study, options);
  progress.clear();
  if (!found.data) {
    fmt::print(stderr, "interrupted{}\n",
               found.resumable ? fmt::format("; --resume continues with the evaluations in {}/evaluations.csv", o.folder()) : "");
    return exit_code::interrupted;
  }
  print_found(*found.data);
  int code = exit_code::done;
  if (found.study.data) {
    code = tell_result(found.study, options, o.no_report);
  } else if (!found.file.empty()) {
    fmt::print("\nwrote {}\n", found.file);
    if (!o.no_report) fmt::print("wrote {}/report.html\n", o.folder());
  }
  if (found.outcome == Outcome::interrupted) return exit_code::interrupted;
  if (code != exit_code::done && code != exit_code::some_failed) return code;
  return !found.data->sweeps.empty() || found.explained ? code : exit_code::differs;
}

}  // namespace

void add_identify(Command& c) {
  auto o = std::make_shared<IdentifyArguments>();
  c.option("STUDY", o->file, "Study file (YAML): the model, what was measured, what is free").required();
  add_allow_files(c, o->allowed);
  c.option("-o,--out", o->out, "Folder for the results (default out/NAME)").type("DIR");
  c.option("-n,--samples", o->samples, "Realizations for each evaluation of the likelihood").whole(20, most_samples).type("N");
  c.option("--evaluations", o->evaluations, "Evaluations of the likelihood, at most").whole(3, 1000000).type("N");
  c.option("--seed", o->seed, "Seed of the random numbers").whole(0, most_seed).type("S");
  add_threads(c, o->threads);
  c.flag("--resume", o->resume, "Continue an interrupted search");
  c.flag("--no-report", o->no_report, "Write only the results");
  c.run([o, &c] { return identify_command(*o, c.line()); });
}

}  // namespace aleator::app
