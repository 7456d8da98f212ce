// When failed realizations end a study: `on_failure: stop`, `failed_at_most`.
#pragma once

#include <string>

#include <aleator/study.hpp>

#include "results/study.hpp"

namespace aleator::core {

// Why a study has to end, from the realizations that have failed so far; empty: it goes on. `of` realizations are planned.
std::string ended_by_failures(const Study& study, const results::StudyResult& result, long of);

std::string failure_words(const results::Failure& failure);  // "realization 3 failed at t = 0.5 s: …"

}  // namespace aleator::core
