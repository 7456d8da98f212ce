// The simulation could not be done: when, where and what to try.
#pragma once

#include <limits>
#include <stdexcept>
#include <string>

namespace aleator::core {

struct SimulationError : std::runtime_error {
  explicit SimulationError(const std::string& what, double at = std::numeric_limits<double>::quiet_NaN())
      : std::runtime_error(what), time(at) {}

  double time;  // up to which it could be computed; NaN: it did not begin
};

}  // namespace aleator::core
