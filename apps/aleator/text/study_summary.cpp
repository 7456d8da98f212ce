#include "text/study_summary.hpp"

#include <filesystem>
#include <system_error>

#include "api/output_json.hpp"
#include "api/report_input.hpp"
#include "api/study_summary.hpp"
#include "api/study_text.hpp"
#include "base/words.hpp"
#include "cli/colour.hpp"
#include "cli/command.hpp"
#include "study/session.hpp"
#include "text/profile.hpp"

namespace aleator::app {
namespace {

using namespace core;

// What the run wrote. A page that is there and was not written anew shows other results.
std::vector<std::string> written_files(const StudyResult& r, const RunOptions& options, bool no_report) {
  if (r.file.empty() || (!options.part.of && !(r.data && r.data->statistics))) return {};
  std::vector<std::string> files = {r.file};
  if (options.part.of > 0 || r.outcome != Outcome::complete) return files;
  const std::string page = report_beside(r.file, options.report.empty() ? "report.html" : options.report);
  std::error_code ignored;
  if (no_report)
    std::filesystem::remove(page, ignored);
  else if (!options.report.empty() && std::filesystem::exists(page, ignored))
    files.push_back(page);
  return files;
}

int code_of(const StudyResult& r, const StudyPart& part) {
  if (r.outcome == Outcome::interrupted) return exit_code::interrupted;
  if (!r.data || (part.of == 0 && !r.data->statistics)) return exit_code::done;  // it was finished before
  if (r.outcome == Outcome::stopped || !r.concluded) return exit_code::simulation_failed;
  return (part.of > 0 ? r.failures.empty() : r.failed == 0) ? exit_code::done : exit_code::some_failed;
}

}  // namespace

// Only where something was computed.
static void print_summary(const StudyResult& r, bool details) {
  const results::StudyResult& all = r.data->result;
  tell("{}: {} realization{}{} in {}", name_of(*r.data), all.done, all.done == 1 ? "" : "s",
       r.simulated == all.done ? "" : fmt::format(" ({} simulations now)", r.simulated), duration_words(r.seconds));
  say("{}", study_text(r.data->study, all, details));
}

// What else to do about failures than to read the reason.
static std::string after_failures(const StudyResult& r, const std::string& folder) {
  const char* const on = r.data->study.on_failure == "stop" ? "--on-failure retry" : "--failed-at-most 100%";
  if (r.failures.empty()) return fmt::format("`aleator resume {} {}` continues without it", folder, on);
  return fmt::format("`aleator rerun {} {}` repeats it with a full log; `aleator resume {} {}` continues without it", folder,
                     r.failures.front().realization, folder, on);
}

// What went wrong, on stderr whatever is printed on stdout.
static void tell_trouble(const StudyResult& r, const RunOptions& options) {
  const std::string& file = r.data->provenance.model_file;
  const bool part = options.part.of > 0;
  const std::string words =
      part ? fmt::format("part {} of {} ({} realizations): ", options.part.number, options.part.of, r.planned) : "";
  if (!part) say(stderr, "{}", failures_text(r.data->result));
  if (part && r.outcome == Outcome::complete && !r.failures.empty()) say(stderr, "{} of them failed\n", r.failures.size());
  if (r.outcome == Outcome::stopped) say(stderr, "{}: {}stopped: {}\n", file, words, r.reason);
  if (r.outcome == Outcome::stopped && !part) say(stderr, "{}\n", after_failures(r, options.folder));
  if (r.outcome != Outcome::interrupted) return;
  if (part)
    say(stderr, "{}: {}interrupted after {} of them; --resume continues\n", file, words, r.done);
  else
    say(stderr, "interrupted after {} of {} realizations;{} --resume continues\n", r.done, r.planned,
        r.file.empty() ? "" : fmt::format(" what was finished is in {}, and", r.file));
}

static void print_result(const StudyResult& r, const RunOptions& options, const std::vector<std::string>& files) {
  const bool part = options.part.of > 0;
  if (!part)
    print_summary(r, options.profile);
  else if (r.outcome == Outcome::complete)
    say("{}: part {} of {} ({} realizations) in {}\n", name_of(*r.data), options.part.number, options.part.of, r.planned,
        duration_words(r.seconds));
  for (const std::string& file : files) say("{}wrote {}\n", &file == &files.front() && !part ? "\n" : "", file);
  if (options.profile && !part) print_profile(r.data->profile);
}

core::CommandOutcome tell_result(const StudyResult& r, const RunOptions& options, bool no_report, bool quiet) {
  core::CommandOutcome outcome{code_of(r, options.part), written_files(r, options, no_report)};
  if (!r.data || (options.part.of == 0 && !r.data->statistics)) return outcome;  // read, not computed
  if (!quiet) print_result(r, options, outcome.files);
  tell_trouble(r, options);
  return outcome;
}

}  // namespace aleator::app
