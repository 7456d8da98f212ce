#include "report/campbell_figure.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace aleator::core::report {

Figure campbell_figure(const results::Campbell& d, const std::string& title) {
  const Colour colours[] = {Colour::blue, Colour::vermillion, Colour::green, Colour::purple, Colour::amber, Colour::sky};
  Figure figure{.title = title, .subtitle = fmt::format("natural frequencies over {}", d.parameter)};
  Panel panel{.x = {d.parameter, d.unit, d.values.front(), d.values.back()}, .y = {"natural frequency", "Hz", 0, 1}};
  double highest = 0;
  for (size_t k = 0; k < d.modes.size(); ++k) {
    const std::vector<double>& f = d.modes[k].frequency;
    panel.curves.push_back(
        {.name = fmt::format("mode {}", k + 1), .x = d.values, .y = f, .colour = colours[k % std::size(colours)]});
    for (const double y : f)
      if (std::isfinite(y)) highest = std::max(highest, y);
  }
  panel.y.high = highest > 0 ? 1.08 * highest : 1;
  for (size_t k = 0; k < d.orders.size(); ++k) {
    // Cut off where it leaves the panel.
    const double slope = d.orders[k] * d.order_hertz, top = panel.y.high;
    Curve line{.name = fmt::format("{:g}×", d.orders[k]),
               .colour = Colour::ink,
               .stroke = k % 2 == 0 ? Stroke::dashed : Stroke::dotted,
               .width = 1};
    for (const double x : {d.values.front(), -top / slope, 0., top / slope, d.values.back()})
      if (x >= d.values.front() && x <= d.values.back() && std::abs(slope * x) <= top * (1 + 1e-12))
        line.x.push_back(x), line.y.push_back(std::abs(slope * x));
    panel.curves.push_back(std::move(line));
  }
  // Short strokes upright
  for (const results::Campbell::Crossing& c : d.crossings) {
    const double half = 0.012 * panel.y.high;
    panel.curves.push_back({.name = "critical speed",
                            .x = {c.value, c.value},
                            .y = {std::max(0., c.frequency - half), c.frequency + half},
                            .colour = Colour::ink,
                            .width = 2.5});
  }
  figure.panels.push_back(std::move(panel));
  return figure;
}

}  // namespace aleator::core::report
