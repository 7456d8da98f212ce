// The legend of a figure.
#pragma once

#include <string>
#include <vector>

#include "report/figure.hpp"

namespace aleator::core::report {

struct LegendEntry {
  std::string name;
  bool filled = false;
  Colour colour = Colour::ink;
  Stroke stroke = Stroke::solid;
  double width = 1.6, opacity = 1;
};

// What the panel shows, without names that were there before.
std::vector<LegendEntry> legend_of(const Panel& panel);

struct Legends {
  std::vector<LegendEntry> common;                 // of several panels, or of the only one
  std::vector<std::vector<LegendEntry>> of_panel;  // [panels] of one alone
};
Legends legends_of(const Figure& figure);

}  // namespace aleator::core::report
