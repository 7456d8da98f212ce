// What a program computes from numbers that are the same in all lanes (functions of time, the size of the step): sines and cosines of a drive, quotients
// and roots are computed once by the host and come to the lanes of a device in a row of numbers with each run of the program.
#pragma once

#include <vector>

#include "numerics/program.hpp"

namespace aleator::core {

// [steps] whose results are masks: all bits of a lane set or none.
std::vector<char> masks_of(const Program& program);
// Whether an operand is a constant, and then which.
inline const Program::Place* constant_of(const Program& program, int operand) {
  if (operand >= 0 || operand < -int(program.places.size())) return nullptr;
  const Program::Place& p = program.places[size_t(-1 - operand)];
  return p.is_constant ? &p : nullptr;
}
// Operands of a step, at most three; others are not there.
struct Operands {
  int count = 0;
  int at[3] = {};
  const int* begin() const { return at; }
  const int* end() const { return at + count; }
};
Operands operands_of(const Program& program, const Program::Step& step);

class UniformPart {
 public:
  // `uniform`: [slots] those that are the same in all lanes; no program writes to them.
  UniformPart(const Program& program, const std::vector<char>& uniform);

  // Steps that lanes compute: not those the host does for them, nor what only these need.
  bool in_lanes(int step) const { return in_lanes_[size_t(step)] != 0; }
  // Where in the row a place or a step is; −1: not there.
  int column_of_place(int place) const { return of_place_[size_t(place)]; }
  int column_of_step(int step) const { return of_step_[size_t(step)]; }
  int columns() const { return columns_; }

  // The row, from the numbers in the slots.
  void evaluate(const std::vector<double>& slots, std::vector<double>& row) const;

 private:
  const Program& program_;
  std::vector<char> by_host_;   // [steps] computed by the host, for the row or for what is in the row
  std::vector<char> in_lanes_;  // [steps]
  std::vector<int> of_place_, of_step_;
  int columns_ = 0;
  mutable std::vector<double> values_;
};

}  // namespace aleator::core
