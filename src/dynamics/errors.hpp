// The simulation could not be done: when, where and what to try.
#pragma once

#include <stdexcept>
#include <string>

namespace aleator {

struct SimulationError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

}  // namespace aleator
