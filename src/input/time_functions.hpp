// Functions of one argument that expressions of time may have.
#pragma once

#include <cstddef>
#include <string_view>

namespace aleator::core::input {

struct TimeFunction {
  std::string_view name;
  double (*f)(double);
  void (*of_array)(const double* x, double* y, std::size_t n) = nullptr;  // the same, if there is one
};

// Nothing for a name that is none of them.
const TimeFunction* function_named(std::string_view name);

}  // namespace aleator::core::input
