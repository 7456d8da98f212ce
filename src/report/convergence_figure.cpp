#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "report/source.hpp"
#include "report/ticks.hpp"

namespace aleator::core::report {

Figure convergence_figure(std::span<const Source> sources, const std::vector<std::string>& outputs) {
  const bool instant = sources[0].file->time().size() == 1;  // of modes
  Figure figure{.title = title_of(*sources[0].file),
                .subtitle = subtitle_of(*sources[0].file) +
                            fmt::format("; ((1/n) Σ {})^½ of the first n realizations", instant ? "u²" : "∫u² dt")};
  Range n;
  for (const std::string& output : outputs) {
    Panel panel{.x = {"realizations n", "", 1, 1, true}, .y = {output, ""}};
    for (std::size_t k = 0; k < sources.size(); ++k) {
      const results::StudyReader& file = *sources[k].file;
      Curve curve{.name = label(sources, k, "root mean square"), .colour = source_colour(k)};
      if (file.has_convergence(output)) {
        const std::vector<long> counts = file.convergence_counts();
        curve.x.assign(counts.begin(), counts.end());
        curve.y = file.convergence(output);
      }
      if (curve.x.size() < 2)
        throw results::ReadError(
            file.path(), "it has no convergence curves: sampling studies have them (for example run --method monte-carlo)");
      panel.y.unit = unit_words(file.convergence_unit(output));
      n.take(curve.x);
      if (k == 0) panel.lines.push_back({.name = "of all realizations", .at = curve.y.back()});
      panel.curves.push_back(std::move(curve));
    }
    const Range r = range_of(panel);
    panel.y.low = r.low, panel.y.high = r.high;
    pad(panel.y.low, panel.y.high, 0.05);
    figure.panels.push_back(std::move(panel));
  }
  for (Panel& p : figure.panels) p.x.low = std::max(1., n.low), p.x.high = n.high;
  return figure;
}

}  // namespace aleator::core::report
