// What a search for a design leaves as CSV files.
#pragma once

#include <string>

#include "results/design.hpp"

namespace aleator::core::optimisation {

// bound, cost, its error bars, the design. Throws WriteError. An older file goes where there is no curve.
void write_trade_off(const std::string& path, const results::FoundDesign& design);

}  // namespace aleator::core::optimisation
