// Realizations per second and core at stated accuracy, of everybody who takes part.
#pragma once

#include <string>
#include <vector>

namespace aleator::core::bench {

struct ThroughputOptions {
  std::vector<std::string> cases;
  int turns = 7;
  double seconds = 0.5;  // of one turn of one contender, about
};
// Writes throughput.csv into the folder, and prints a table.
void measure_throughput(const ThroughputOptions& options, const std::string& folder);

// For every contender of a case: error and time over a ladder of its knob, from fine to coarse, until the bounds are broken.
void tune(const std::string& case_name, const std::string& contender);

}  // namespace aleator::core::bench
