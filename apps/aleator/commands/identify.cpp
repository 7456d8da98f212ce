// aleator identify STUDY.yaml: the uncertainty that explains the measurements.
#include <fmt/ranges.h>

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
  bool resume = false, no_report = false, json = false;

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
  if (!found.data)
    say(stderr, "interrupted{}\n",
        found.resumable ? fmt::format("; --resume continues with the evaluations in {}/evaluations.csv", o.folder()) : "");
  core::CommandOutcome outcome;
  if (found.data && !o.json) print_found(*found.data);
  if (found.study.data) {
    outcome = tell_result(found.study, options, o.no_report, o.json);
  } else if (!found.file.empty()) {
    outcome.files = {found.file};
    if (!o.no_report) outcome.files.push_back(o.folder() + "/report.html");
    if (!o.json) say("\nwrote {}\n", fmt::join(outcome.files, "\nwrote "));
  }
  const bool done = outcome.exit_code == exit_code::done || outcome.exit_code == exit_code::some_failed;
  if (found.outcome == Outcome::interrupted)
    outcome.exit_code = exit_code::interrupted;
  else if (done && found.data->sweeps.empty() && !found.explained)
    outcome.exit_code = exit_code::differs;
  outcome.notes = progress.notes();
  if (o.json) print_raw(core::identification_json(found, outcome));
  return outcome.exit_code;
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
  add_json(c, o->json);
  c.run([o, &c] { return identify_command(*o, c.line()); });
}

}  // namespace aleator::app
