// How cost grows: with the size of a mechanism, and with the number of samples.
#pragma once

#include <string>

namespace aleator::core::bench {

// Time of one step of chains and beams of 10 … 1,000 parts, into growth-parts.csv.
void measure_growth_with_parts(const std::string& folder);
// Whole runs of the program, five-body with 10² … `most` samples on all cores: time, processor time and memory, into
// growth-samples.csv.
void measure_growth_with_samples(long most, const std::string& folder);

}  // namespace aleator::core::bench
