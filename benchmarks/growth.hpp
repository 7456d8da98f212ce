// How cost grows with the size of a mechanism.
#pragma once

#include <string>

namespace aleator::core::bench {

// Time of one step of chains and beams of 10 … 1,000 parts, into growth-parts.csv.
void measure_growth_with_parts(const std::string& folder);

}  // namespace aleator::core::bench
