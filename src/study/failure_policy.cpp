#include "study/failure_policy.hpp"

#include <fmt/format.h>

#include <cmath>

namespace aleator::core {

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

}  // namespace aleator::core
