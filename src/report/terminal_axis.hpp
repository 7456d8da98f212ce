// The axes of a figure in a terminal: marks at the characters in which a value is drawn, and the numbers at these marks.
#pragma once

#include <string>
#include <vector>

#include "report/figure.hpp"

namespace aleator::core::report {

// From 0 to 1 along the axis.
double along(const Axis& axis, double value);

// What is left and right of the axis: `gutter` characters for the numbers of the other axis and a blank, the line of that axis, `columns`
// characters of the plot, each of them `dots` wide.
struct AxisPlace {
  std::size_t gutter = 0;
  int columns = 0, dots = 2;
  bool ascii = false;
};

// The line under a plot, its numbers, each centred under its mark, and the name of the axis, in the last gap between numbers that is wide
// enough or below them. The first and the last number are always there.
std::vector<std::string> x_axis_lines(const Axis& axis, const AxisPlace& place);

// By row from the top, the number of the mark in it; empty: there is none.
std::vector<std::string> y_axis_labels(const Axis& axis, int rows, const AxisPlace& place);

}  // namespace aleator::core::report
