// Sorts many columns of numbers at once, a column in each lane: networks of compare-and-exchange, which have no branch to
// mispredict, and do the same whatever the numbers are.
#pragma once

#include <cstddef>

namespace aleator::core::analysis {

inline constexpr std::size_t columns_at_once = 8;

// x is [rows][columns_at_once], aligned to a row; any number of rows. No number may be NaN.
void sort_columns(double* x, std::size_t rows);

// The same where rows are sorted already, those 0, ways, 2 ways, … and so on from every row below `ways`, a power of two.
void merge_columns(double* x, std::size_t rows, std::size_t ways = 2);

}  // namespace aleator::core::analysis
