// What was measured: time series of some outputs, on one or several specimens.
#pragma once

#include <string>
#include <vector>

namespace aleator::core::results {

struct Specimen {
  std::string name;  // "specimen-07", of its file
  std::vector<double> times;
  std::vector<double> values;  // [times][channels]; NaN: a gap
};

struct Measurements {
  std::vector<std::string> channels;  // names of outputs of the model
  std::vector<double> noise;          // [channels] standard deviation of the measuring error; 0: none
  std::vector<Specimen> specimens;
};

}  // namespace aleator::core::results
