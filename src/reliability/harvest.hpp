// The realizations a method for rare events leaves behind: a weighted sample of the law of the model, dense where failure is.
// The probability of an event is the sum of the weights of its members; curves, failure samples and distributions given failure rest on them.
#pragma once

#include <vector>

#include "reliability/procedure.hpp"

namespace aleator::core::reliability {

struct Harvest {
  struct Member {
    Point point;                 // of members that do not fail perhaps only the named coordinates: those of processes are many
    std::vector<double> excess;  // [limits]
    double weight = 0;
  };
  std::vector<Member> members;  // their weights sum to 1; to less, if simulations failed or parts of the space are left out
};

}  // namespace aleator::core::reliability
