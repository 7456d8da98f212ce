#include "failure_policy.hpp"

#include <fmt/format.h>

#include <cmath>

namespace aleator::core::app {

void FailureArguments::add_to(CLI::App& c) {
  c.add_option("--on-failure", on_failure, "When a realization fails: stop, retry with a smaller step, or skip it")
      ->check(CLI::IsMember({"stop", "retry", "skip"}))
      ->type_name("WHAT");
  c.add_option("--failed-at-most", failed_at_most, "Stop when a larger share of the realizations has failed (0.05, or 5%)")
      ->type_name("X");
}

std::string failure_words(const results::Failure& f) {
  const std::string when = std::isnan(f.time) ? "" : fmt::format(" at t = {:.6g} s", f.time);
  return fmt::format("realization {} failed{}: {}", f.realization, when, f.why);
}

std::string ended_by_failures(const Study& study, const results::StudyResult& result, long of) {
  const auto& failures = result.failures;
  if (failures.empty()) return "";
  if (study.on_failure == "stop") return failure_words(failures.front());
  if (double(failures.size()) <= study.failed_at_most * double(of)) return "";
  return fmt::format("{} realizations of {} failed, more than {:.3g} %; the first: {}", failures.size(), of,
                     100 * study.failed_at_most, failure_words(failures.front()));
}

std::string after_failures(const Study& study, const results::StudyResult& result, const std::string& folder) {
  return fmt::format("`aleator rerun {} {}` repeats it with a full log; `aleator resume {} {}` goes on without it", folder,
                     result.failures.front().realization, folder,
                     study.on_failure == "stop" ? "--on-failure retry" : "--failed-at-most 100%");
}

}  // namespace aleator::core::app
