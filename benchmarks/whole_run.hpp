// Whole runs of the program, from its start to the last file.
#pragma once

#include <string>

namespace aleator::core::bench {

// five-body with `auto` at an accuracy of 1e-3, 10² … `most` samples, on all cores: time, processor time, memory, and which share of the
// processor time each phase takes, into growth-samples.csv. Statistics alone are kept; up to 10⁴ samples also all realizations.
void measure_whole_runs(long most, const std::string& folder);

}  // namespace aleator::core::bench
