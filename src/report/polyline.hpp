// Curves with thousands of points as polylines of a picture: no more points than can be seen.
#pragma once

#include <functional>
#include <span>
#include <vector>

namespace aleator::core::report {

struct Point {
  double x, y;  // px
};
using Polyline = std::vector<Point>;

// The pieces between gaps: where x or y is not finite a piece ends.
std::vector<Polyline> pieces(std::span<const double> x, std::span<const double> y,
                             const std::function<Point(double, double)>& place);

// First, lowest, highest and last point of each column of `width` px: what is drawn covers the same pixels. x does not fall.
Polyline thinned(const Polyline& line, double width);

// Leaves out points that the line through the others passes within `tolerance` px, measured upright.
Polyline straightened(const Polyline& line, double tolerance);

// Both, with numbers below what a screen or a printer shows.
Polyline simplified(const Polyline& line);

}  // namespace aleator::core::report
