#include "report/polyline.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace aleator::core::report {

std::vector<Polyline> pieces(std::span<const double> x, std::span<const double> y,
                             const std::function<Point(double, double)>& place) {
  std::vector<Polyline> all;
  bool open = false;
  for (std::size_t i = 0; i < std::min(x.size(), y.size()); ++i) {
    const Point p = place(x[i], y[i]);
    const bool there = std::isfinite(p.x) && std::isfinite(p.y);
    if (there && !open) all.emplace_back();
    if (there) all.back().push_back(p);
    open = there;
  }
  return all;
}

Polyline thinned(const Polyline& line, double width) {
  Polyline out;
  for (std::size_t first = 0, end; first < line.size(); first = end) {
    const double column = std::floor(line[first].x / width);
    std::size_t lowest = first, highest = first;
    for (end = first; end < line.size() && std::floor(line[end].x / width) == column; ++end) {
      if (line[end].y < line[lowest].y) lowest = end;
      if (line[end].y > line[highest].y) highest = end;
    }
    std::size_t keep[] = {first, std::min(lowest, highest), std::max(lowest, highest), end - 1};
    for (int i = 0; i < 4; ++i)
      if (i == 0 || keep[i] != keep[i - 1]) out.push_back(line[keep[i]]);
  }
  return out;
}

// From the last point kept, all slopes that pass the points since within the tolerance are an interval. When it becomes empty, the
// point before is kept.
Polyline straightened(const Polyline& line, double tolerance) {
  if (line.size() < 3) return line;
  constexpr double infinity = std::numeric_limits<double>::infinity();
  Polyline out = {line[0]};
  double least = -infinity, most = infinity;
  for (std::size_t i = 1; i < line.size(); ++i) {
    const double dx = line[i].x - out.back().x, dy = line[i].y - out.back().y;
    const bool passes = dx > 0 && dy / dx >= least && dy / dx <= most;
    if (!passes && i > 1 && (out.back().x != line[i - 1].x || out.back().y != line[i - 1].y)) {
      out.push_back(line[i - 1]);
      least = -infinity, most = infinity;
    }
    const double step = line[i].x - out.back().x, rise = line[i].y - out.back().y;
    if (step > 0) {
      least = std::max(least, (rise - tolerance) / step);
      most = std::min(most, (rise + tolerance) / step);
    } else {
      out.push_back(line[i]);
      least = -infinity, most = infinity;
    }
  }
  if (out.back().x != line.back().x || out.back().y != line.back().y) out.push_back(line.back());
  return out;
}

Polyline simplified(const Polyline& line) { return straightened(thinned(line, 1), 0.06); }

}  // namespace aleator::core::report
