// What a device makes of a block of realizations, instead of their functions of time.
#pragma once

#include <vector>

#include "numerics/column_kernel.hpp"
#include "numerics/recorded_series.hpp"

namespace aleator::core {

// Statistics need the fourth power of a value, times the realizations, to be a number.
constexpr double largest_usable = 1e60;

struct DeviceBlock {
  int rows = 0, times = 0;
  RecordedSeries series;                  // of each realization
  std::vector<ColumnSums::Limit> limits;  // of all together, beside moments and sorted values
};

}  // namespace aleator::core
