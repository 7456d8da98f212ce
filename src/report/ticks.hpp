// Where an axis has its marks, and what is written there.
#pragma once

#include <string>
#include <vector>

#include "report/figure.hpp"

namespace aleator::core::report {

struct Ticks {
  std::vector<double> at;  // values of the axis
  std::vector<std::string> labels;
  std::string title;  // of the axis, with the unit that the labels are in: "time (ms)"
};

// At most `most` marks, at multiples of 1, 2 or 5 times a power of ten.
Ticks ticks_of(const Axis& axis, int most);

// The step of 1, 2 or 5 times a power of ten with at most `most` multiples between low and high.
double nice_step(double low, double high, int most);

// low and high with some air around them; never empty, whatever they are.
void pad(double& low, double& high, double share);

}  // namespace aleator::core::report
