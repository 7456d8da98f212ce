// The expansion of a study evaluated again, without simulating: at given values of what is random, or everywhere.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "analysis/density.hpp"
#include "analysis/stored_expansion.hpp"
#include "model/model.hpp"

namespace aleator::core {

// [times][outputs]; what is not set is at its mean, or its median where a normal variable stands for it. Throws
// std::invalid_argument for names that are no variables of the expansion, and values that are impossible.
std::vector<double> response_at(const analysis::StoredExpansion& expansion, std::span<const Override> values);

struct DensityAt {
  double time = 0;
  analysis::Density density;  // nothing: it does not scatter there
};
// Of an output at the nearest time there is; NaN: where it scatters most. Throws std::invalid_argument.
DensityAt density_at(const analysis::StoredExpansion& expansion, const std::string& output, double time);

}  // namespace aleator::core
