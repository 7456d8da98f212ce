// When failed realizations end a study: `on_failure: stop`, `failed_at_most`.
#pragma once

#include <string>

#include "commands.hpp"
#include "design/study.hpp"
#include "results/study.hpp"

namespace aleator::core::app {

// Why a study has to end, from the realizations that have failed so far; empty: it goes on. `of` realizations are planned.
std::string ended_by_failures(const Study& study, const results::StudyResult& result, long of);

// What else to do about it than to read the reason.
std::string after_failures(const Study& study, const results::StudyResult& result, const std::string& folder);

// --on-failure and --failed-at-most, in place of what the model says; both empty: as it says.
struct FailureArguments {
  std::string on_failure, failed_at_most;
  void add_to(CLI::App& command);
};

std::string failure_words(const results::Failure& failure);  // "realization 3 failed at t = 0.5 s: …"

}  // namespace aleator::core::app
