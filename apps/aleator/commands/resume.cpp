// aleator resume FOLDER: goes on with the unfinished study there, from what it recorded when it began.
#include <fmt/format.h>

#include <filesystem>

#include "base/errors.hpp"
#include "input/text.hpp"
#include "make_report.hpp"
#include "results/read.hpp"
#include "results/version.hpp"
#include "study_run.hpp"

namespace aleator::core::app {
namespace {

namespace fs = std::filesystem;

struct ResumeArguments {
  std::string folder;
  long threads = 0;
  FailureArguments failures;
  bool force = false, no_report = false, profile = false;
};

bool exists(const std::string& path) {
  std::error_code ignored;
  return fs::exists(path, ignored);
}

// The text of a file as it is now. One that is gone has not changed: the record is enough to go on.
std::string text_now(const fs::path& file, const std::string& then) {
  if (!exists(file.string())) {
    fmt::print(stderr, "{}: note: it is no longer there; going on with its text as it was when the run began\n", file.string());
    return then;
  }
  return input::read_bytes(file.string());
}

RunRecord as_it_is_now(const RunRecord& then) {
  RunRecord now = then;
  now.version = results::version();
  now.sources.text = text_now(then.model_file, then.sources.text);
  const fs::path folder = fs::path(then.model_file).parent_path();
  for (input::ReferredFile& f : now.sources.files) f.text = text_now(folder / f.name, f.text);
  return now;
}

// Of a finished study: the page may be missing, or be of an earlier one, when its run was ended in between.
int tell_finished(const ResumeArguments& o) {
  const std::string results = o.folder + "/results.h5", page = report_beside(results);
  if (!results::StudyReader(results).complete()) throw results::ReadError(results, "it is not complete, and there is no journal");
  fmt::print("{} is complete: there is nothing to resume\n", results);
  if (!o.no_report && (!exists(page) || fs::last_write_time(page) < fs::last_write_time(results))) {
    make_report({results}, page);
    fmt::print("wrote {}\n", page);
  }
  return exit_code::done;
}

}  // namespace

RunArguments unfinished_in(const std::string& folder, bool force) {
  const RunRecord then = read_record(results::StudyStore::progress_in(folder).identity);
  if (!value_of(then.arguments, "identify").empty())
    throw results::ReadError(folder, "its unfinished run belongs to a search; `aleator identify STUDY --resume` continues it");
  const RunRecord now = as_it_is_now(then);
  const std::string change = difference(then, now);
  if (!change.empty() && !force)
    throw WriteError(folder,
                     "something changed since its run began; --force continues it with the model as it was then, "
                     "`aleator run` with --overwrite starts again:\n" +
                         change);
  RunArguments o = arguments_of(then);
  o.out = o.part.whole() ? folder : fs::path(folder).parent_path().parent_path().string();
  o.resume = true;
  o.force = force;
  if (!available(isa_of(o.isa)))
    throw WriteError(folder, fmt::format("its run began with {}, which this processor does not have", o.isa));
  if (then.sources.text != now.sources.text || then.sources.files != now.sources.files)
    o.remarks.push_back(
        "the model file has changed since the run began; all realizations are of the model as it was then, whose text is here");
  if (then.version != now.version)
    o.remarks.push_back(
        fmt::format("the run began with version {} of aleator and ended with version {}", then.version, now.version));
  for (const std::string& remark : o.remarks) fmt::print(stderr, "{}: note: {}\n", folder, remark);
  return o;
}

void add_resume(CLI::App& app, Action& action) {
  auto o = std::make_shared<ResumeArguments>();
  CLI::App* c = app.add_subcommand("resume", "Continue an unfinished run; its folder is enough");
  c->add_option("FOLDER", o->folder, "Folder of the run (out/NAME)")->required();
  c->add_option("--threads", o->threads, "Number of threads (default all)")->check(whole_number(1, 1024))->type_name("N");
  o->failures.add_to(*c);
  c->add_flag("--force", o->force, "Also when the model file or the version changed: with the model as it was");
  c->add_flag("--profile", o->profile, "Tell where the time goes");
  c->add_flag("--no-report", o->no_report, "Write results.h5 alone");
  c->callback([o, &action] {
    action.run = [o, &action] {
      while (o->folder.size() > 1 && o->folder.ends_with('/')) o->folder.pop_back();
      if (!exists(results::StudyStore::file_in(o->folder))) {
        if (exists(o->folder + "/results.h5")) return tell_finished(*o);
        throw results::ReadError(o->folder, exists(o->folder) ? "there is no run to resume in it" : "there is no such folder");
      }
      RunArguments run = unfinished_in(o->folder, o->force);
      run.threads = o->threads;
      if (!o->failures.on_failure.empty()) run.failures.on_failure = o->failures.on_failure;
      if (!o->failures.failed_at_most.empty()) run.failures.failed_at_most = o->failures.failed_at_most;
      run.profile = o->profile;
      run.no_report = o->no_report;
      return run_command(run, action.command_line);
    };
  });
}

}  // namespace aleator::core::app
