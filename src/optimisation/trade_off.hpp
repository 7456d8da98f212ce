// What another bound would cost: the best design for a range of bounds of one constraint, by interpolation alone.
#pragma once

#include <vector>

#include "optimisation/search.hpp"
#include "results/design.hpp"

namespace aleator::core::optimisation {

struct TradeOffRequest {
  const Problem& problem;
  const Search& search;
  size_t constraint = 0;
  std::vector<double> targets;  // bounds
  std::vector<double> shifts;   // [targets] of g: what the bound was, less what it is
};

// Without the values of parameters, which are in `places`.
std::vector<results::FoundDesign::TradeOff> trade_off(const TradeOffRequest& request, std::vector<Place>& places);

}  // namespace aleator::core::optimisation
