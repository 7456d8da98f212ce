// Numbers of several lanes side by side, as rows of each lane.
#pragma once

#include <cstddef>
#include <span>

namespace aleator::core {

// rows[lane][i] = lines[i · width + lane] for i < count; where a row is null, nobody wants it. At most `width` rows.
void lanes_to_rows(const double* lines, std::size_t count, std::size_t width, std::span<double* const> rows);

}  // namespace aleator::core
