// The expansion of a results file, to be evaluated without the model.
#pragma once

#include <string>
#include <vector>

#include "analysis/chaos.hpp"
#include "results/read.hpp"
#include "results/study.hpp"

namespace aleator::core::analysis {

struct StoredExpansion {
  Expansion expansion;
  std::vector<results::Chaos::Variable> variables;
  std::vector<std::string> outputs;
  std::vector<double> times;
};

// Throws ReadError: there is none.
StoredExpansion read_expansion(const results::StudyReader& file);

}  // namespace aleator::core::analysis
