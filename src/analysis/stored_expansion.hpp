// The expansion of a results file, to be evaluated without the model.
#pragma once

#include <string>
#include <vector>

#include "analysis/chaos.hpp"
#include "results/read.hpp"

namespace aleator::analysis {

struct StoredExpansion {
  Expansion expansion;
  std::vector<std::string> names, germs, laws;  // [variables]; germ: "value", "normal" or "uniform"
  std::vector<std::string> outputs;
  std::vector<double> times;
};

// Throws ReadError: there is none.
StoredExpansion read_expansion(const results::StudyReader& file);

}  // namespace aleator::analysis
