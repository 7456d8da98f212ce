// aleator identify STUDY.yaml: the uncertainty that explains the measurements.
#include "identify.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/atomic_file.hpp"
#include "base/folder_lock.hpp"
#include "inference/read_measurements.hpp"
#include "make_report.hpp"
#include "model/language.hpp"
#include "nominal.hpp"
#include "results/write.hpp"
#include "study_run.hpp"
#include "uncertainty/stream.hpp"

namespace aleator::core::app {

using inference::IdentificationStudy;
using Way = IdentificationStudy::Method;

std::string IdentifyArguments::folder() const { return out.empty() ? "out/" + stem(file) : out; }

inference::Uniform uniforms(std::uint64_t seed, const std::string& purpose) {
  return [stream = Stream(seed, 0, quantity_key(purpose))]() mutable { return stream.uniform(); };
}

std::uint64_t another_seed(std::uint64_t seed, const std::string& purpose) {
  return quantity_key(fmt::format("{} {}", seed, purpose));
}

void warn_of_failures(IdentifyTask& task) {
  const double share = task.free.failed();
  if (share > 0.001)
    task.found.warnings.push_back(fmt::format("{:.2g} % of all simulations failed and were left out", 100 * share));
}

namespace {

bool is_model(const std::string& file, const std::vector<std::string>& allowed) {
  try {
    input::read_file(file, language(), allowed);
    return true;
  } catch (const input::InputError&) {
    return false;
  }
}

IdentificationStudy read_study_file(const std::string& file, const std::vector<std::string>& allowed) {
  try {
    return inference::read_identification_file(file);
  } catch (const input::InputError&) {
    if (!is_model(file, allowed)) throw;
    throw input::InputError({},
                            fmt::format("this is a model; `identify` reads a study file, which names it (model: {}), what was "
                                        "measured (data: …) and what is free (free: …)",
                                        file))
        .in_file(file);
  }
}

IdentificationStudy study_of(const IdentifyArguments& o) {
  IdentificationStudy study = read_study_file(o.file, o.allowed);
  if (o.samples > 0) study.samples = o.samples;
  if (o.evaluations > 0) study.evaluations = o.evaluations;
  if (o.seed >= 0) study.seed = std::uint64_t(o.seed);
  return study;
}

// The identified model as an ordinary study, with what was found beside it.
int write_study_at(const IdentifyTask& task, const std::string& command_line) {
  RunArguments run;
  run.model.file = task.study.model;
  run.model.allowed = task.arguments.allowed;
  run.model.settings = task.free.settings(task.estimate);
  run.out = task.arguments.folder();
  run.threads = task.arguments.threads;
  run.seed = (long long)(task.study.seed);
  run.overwrite = true;
  Model model = run.model.load();
  model.settings = task.free.model().settings;
  const RandomModel random(model, run.model.overrides());
  return run_study(run, command_line, model, random, std::make_shared<const results::Identification>(task.found));
}

int write_nominal_at(const IdentifyTask& task, const std::string& command_line) {
  ModelArguments arguments;
  arguments.file = task.study.model;
  arguments.allowed = task.arguments.allowed;
  arguments.settings = task.free.settings(task.estimate);
  Model model = arguments.load();
  model.settings = task.free.model().settings;
  const std::string file = task.arguments.folder() + "/nominal.h5";
  create_folder(task.arguments.folder());
  results::write_nominal(file, nominal_run(model), provenance_of(model, arguments, command_line), &task.found);
  fmt::print("\nwrote {}\n", file);
  return exit_code::done;
}

int identify_command(const IdentifyArguments& o, const std::string& command_line) {
  watch_interrupts();
  IdentificationStudy study = study_of(o);
  FreeModel free(study, int(o.threads), o.allowed);
  IdentifyTask task{o, study, free, {}, {}};
  results::Identification& found = task.found;
  found.method = name_of(study.method);
  found.confidence = study.confidence;
  if (study.data.at.line > 0)
    found.measured = inference::read_measurements(study, free.outputs(), free.times().back());
  else
    found.measured.channels = free.outputs();
  found.measured.noise.resize(found.measured.channels.size(), 0.0);
  // The density must be known the better, the more specimens add up its errors.
  if (study.samples == 0) task.study.samples = std::max<long>(2000, 20 * long(found.measured.specimens.size()));
  free.observe(found.measured.channels);
  create_folder(o.folder());
  const FolderLock lock(o.folder());
  try {
    if (study.method == Way::sweep)
      sweep(task);
    else if (study.method == Way::least_squares)
      calibrate(task);
    else
      find_most_likely(task);
  } catch (const Interrupted&) {
    const bool keeps_evaluations = study.method != Way::sweep && study.method != Way::least_squares;
    fmt::print(
        stderr, "interrupted{}\n",
        keeps_evaluations ? fmt::format("; --resume continues with the evaluations in {}/evaluations.csv", o.folder()) : "");
    return exit_code::interrupted;
  }
  print_found(task);
  const bool one_model = study.method == Way::least_squares;
  const int code = one_model ? write_nominal_at(task, command_line) : write_study_at(task, command_line);
  if (code != exit_code::done && code != exit_code::some_failed) return code;
  if (!o.no_report) {
    const std::string results = o.folder() + (one_model ? "/nominal.h5" : "/results.h5"), page = report_beside(results);
    make_report({results}, page);
    fmt::print("wrote {}\n", page);
  }
  return study.method == Way::sweep || found.explained ? code : exit_code::differs;
}

}  // namespace

void add_identify(CLI::App& app, Action& action) {
  auto o = std::make_shared<IdentifyArguments>();
  CLI::App* c =
      app.add_subcommand("identify", "Find the uncertainty that explains measurements; writes results.h5 and report.html");
  c->add_option("STUDY", o->file, "Study file (YAML): the model, what was measured, what is free")->required();
  add_allow_files(*c, o->allowed);
  c->add_option("--out", o->out, "Folder for the results (default out/NAME)")->type_name("DIR");
  c->add_option("--samples", o->samples, "Realizations for each evaluation of the likelihood")
      ->check(whole_number(20, most_samples))
      ->type_name("N");
  c->add_option("--evaluations", o->evaluations, "Evaluations of the likelihood, at most")
      ->check(whole_number(3, 1000000))
      ->type_name("N");
  c->add_option("--seed", o->seed, "Seed of the random numbers")->check(whole_number(0, most_seed))->type_name("S");
  c->add_option("--threads", o->threads, "Number of threads (default all)")->check(whole_number(1, 1024))->type_name("N");
  c->add_flag("--resume", o->resume, "Continue an interrupted search");
  c->add_flag("--no-report", o->no_report, "Write results alone");
  c->callback([o, &action] { action.run = [o, &action] { return identify_command(*o, action.command_line); }; });
}

}  // namespace aleator::core::app
