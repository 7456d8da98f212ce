// aleator run MODEL: the study; writes results.h5 and the report.
#include <aleator/study.hpp>

#include "cli/arguments.hpp"
#include "cli/progress_line.hpp"
#include "cli/ranks.hpp"
#include "commands/simulate.hpp"
#include "ensemble/device_report.hpp"
#include "study/loaded_model.hpp"
#include "study/part.hpp"
#include "text/study_summary.hpp"

namespace aleator::app {
namespace {

struct RunArguments : StudyArguments {
  std::string isa, device, part;
  int threads = 0;
  bool resume = false, overwrite = false, force = false, no_report = false, profile = false, json = false, fast_math = false;
};

int run(const RunArguments& o, const std::string& line, Ranks& ranks) {
  const Model model = o.model.load();
  ProgressLine progress;
  if (!model.uncertain() && o.study(model).what == "modes")
    throw UsageError("run", "nothing is uncertain: `aleator modes` prints the modes of the nominal model");
  if (!model.uncertain()) {
    for (const std::string& note : model.compiled().random().notes())
      progress.note(fmt::format("{}: note: {}", o.model.file, note));
    progress.note(o.model.file + ": nothing is uncertain; computing the nominal model");
    if (!o.part.empty()) throw UsageError("--part", "nothing is uncertain: there are no parts");
    return simulate_command({o.model, o.out, "", !o.no_report, o.json, o.profile}, progress, line);
  }
  RunOptions options = terminal_options(progress, line);
  options.folder = o.folder();
  options.resume = o.resume;
  options.overwrite = o.overwrite;
  options.force = o.force;
  options.threads = o.threads;
  options.isa = o.isa;
  options.device = o.device;
  options.fast_math = o.fast_math;
  options.profile = o.profile;
  options.ranks = &ranks;
  options.report = o.no_report ? "" : "report.html";
  if (!o.part.empty()) options.part = usage_of("--part", [&] { return core::part_of(o.part); });
  const StudyResult result = run_study(model, o.study(model), options);
  progress.clear();
  if (o.samples > 0 && result.fixed_size && result.done != o.samples)
    progress.note(fmt::format("{}: note: {} takes {} realizations", o.model.file, result.method, result.done));
  core::CommandOutcome outcome = tell_result(result, options, o.no_report, o.json);
  outcome.notes = progress.notes();
  if (o.json) print_raw(core::study_json(result, options.part, outcome));
  return outcome.exit_code;
}

}  // namespace

void add_run(Command& c) {
  auto o = std::make_shared<RunArguments>();
  o->add_to(c);
  add_threads(c, o->threads);
  add_isa(c, o->isa, "Instruction set (default the widest this processor has)", true);
  c.option("--device", o->device, "Where realizations are computed: cpu, gpu (gpu:1 is the second), auto (default cpu)")
      .check([](const std::string& name) { return core::is_device(name) ? "" : "expects cpu, gpu, gpu:N or auto"; })
      .type("NAME");
  c.flag("--fast-math", o->fast_math,
         "Quotients and roots on a GPU to the last bit or two: faster, but not bitwise what the processor computes");
  c.flag("--profile", o->profile, "Print a time profile, and what time stepping did to the energy");
  c.flag("--no-report", o->no_report, "Write only results.h5");
  c.option("--part", o->part, "Compute only this part, into its own file: 3/16").type("K/N");
  const Option resume = c.flag("--resume", o->resume, "Continue an unfinished run");
  c.flag("--force", o->force, "Continue even if the model file, settings or version have changed: as it was started")
      .needs(resume);
  c.flag("--overwrite", o->overwrite, "Start from the beginning, deleting an unfinished run").excludes(resume);
  add_json(c, o->json);
  c.run([o, &c] { return with_ranks([&](Ranks& ranks) { return run(*o, c.line(), ranks); }, o->json ? "run" : ""); });
}

}  // namespace aleator::app
