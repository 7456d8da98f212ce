// Studies of rare events made up for tests of files and pages: a base-isolated building, plausible, with all that real ones may have.
#pragma once

#include <memory>
#include <string>

#include "results/reliability.hpp"
#include "results/study.hpp"

namespace aleator::core::test {

// "subset-simulation", "form", "enhanced-monte-carlo", "doubtful" (subset simulation whose sets disagree), "none" (no failure found).
results::StudyResult made_up_reliability(const std::string& kind);

}  // namespace aleator::core::test
