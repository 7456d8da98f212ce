// Realizations that failed for the same reason, together: a study may have thousands of them.
#pragma once

#include <limits>
#include <string>
#include <vector>

#include "results/study.hpp"

namespace aleator::core::report {

struct FailureGroup {
  std::string reason;  // numbers in which the reasons differ are written as "…"
  long count = 0;
  std::vector<long> realizations;                                     // the first of them
  long last = 0;                                                      // realization
  double from = std::numeric_limits<double>::quiet_NaN(), to = from;  // times up to which they could be computed; NaN: none began
};

// The largest group first.
std::vector<FailureGroup> failure_groups(const std::vector<results::Failure>& failures);

}  // namespace aleator::core::report
