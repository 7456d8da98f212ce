// A measured value seen from the model: one output at a time that may lie between two of the model's.
#pragma once

#include <string>
#include <vector>

namespace aleator::core::inference {

struct ObservedPoint {
  int before = 0;     // time of the model
  double beyond = 0;  // part of the way to the next
  int channel = 0;

  // Linear interpolation of what is given at the times of the model: value(time).
  template <class F>
  double of(const F& value) const {
    return beyond > 0 ? (1 - beyond) * value(before) + beyond * value(before + 1) : value(before);
  }
};

// Throws std::invalid_argument if t is outside the times, by more than rounding; `name`: of the specimen.
ObservedPoint observed_point(const std::vector<double>& times, double t, int channel, const std::string& name);

}  // namespace aleator::core::inference
