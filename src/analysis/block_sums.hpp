// What the values of a block of realizations add up to, all at once: their rows are read once, a strip of columns after the other.
#pragma once

#include <span>

#include "analysis/moments.hpp"
#include "analysis/quantiles.hpp"

namespace aleator::core::analysis {

// Rows of `quantities` finite numbers. Moments and sketch, where there are any, are empty before; the sketch has room for all rows, and
// gets them halved so many times.
void sum_block(std::span<const double* const> rows, std::size_t quantities, Moments* moments, QuantileSketch* sketch,
               std::size_t halvings);

}  // namespace aleator::core::analysis
