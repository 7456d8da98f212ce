#include "report/legend.hpp"

#include <algorithm>

namespace aleator::core::report {
namespace {

bool has(const std::vector<LegendEntry>& entries, const std::string& name) {
  return std::any_of(entries.begin(), entries.end(), [&](const LegendEntry& e) { return e.name == name; });
}

}  // namespace

std::vector<LegendEntry> legend_of(const Panel& panel) {
  std::vector<LegendEntry> all;
  const auto add = [&](const LegendEntry& e) {
    if (!e.name.empty() && !has(all, e.name)) all.push_back(e);
  };
  for (const Band& b : panel.bands) add({b.name, true, b.colour, Stroke::solid, 0, b.opacity});
  for (const Curve& c : panel.curves) add({c.name, false, c.colour, c.stroke, std::max(c.width, 1.2), c.opacity});
  for (const Line& l : panel.lines) add({l.name, false, l.colour, l.stroke, 1.4, 1});
  return all;
}

Legends legends_of(const Figure& figure) {
  std::vector<std::vector<LegendEntry>> all;
  for (const Panel& p : figure.panels) all.push_back(legend_of(p));
  Legends out;
  out.of_panel.resize(all.size());
  for (std::size_t i = 0; i < all.size(); ++i)
    for (const LegendEntry& e : all[i]) {
      const auto panels = std::count_if(all.begin(), all.end(), [&](const auto& other) { return has(other, e.name); });
      if (panels == 1 && all.size() > 1)
        out.of_panel[i].push_back(e);
      else if (!has(out.common, e.name))
        out.common.push_back(e);
    }
  return out;
}

}  // namespace aleator::core::report
