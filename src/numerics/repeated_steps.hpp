// Where steps of a program repeat themselves.
#pragma once

#include <vector>

#include "numerics/program.hpp"

namespace aleator::core {

// Steps first … first + length − 1 are done `turns` times, one turn after the other: the same operations, on operands of the same kind. A result of the
// loop is used in its own turn, in the next one, or after the loop; the same in all turns.
struct Repetition {
  int first, length, turns;
  int end() const { return first + length * turns; }
};

std::vector<Repetition> repeated_steps(const Program& program);  // in their order

}  // namespace aleator::core
