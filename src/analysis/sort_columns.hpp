// Sorts many columns of numbers at once, a column in each lane: networks of compare-and-exchange, which have no branch to
// mispredict, and do the same whatever the numbers are.
#pragma once

#include <cstddef>

namespace aleator::core::analysis {

inline constexpr std::size_t columns_at_once = 8;

// x is [rows][columns_at_once], aligned to a row; any number of rows. No number may be NaN.
void sort_columns(double* x, std::size_t rows);

// The same where each `run` rows, one after the other, are sorted already: less work where that is a power of two from 16 on.
void merge_columns(double* x, std::size_t rows, std::size_t run);

}  // namespace aleator::core::analysis
