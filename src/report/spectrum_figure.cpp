#include <algorithm>
#include <cmath>
#include <limits>

#include "report/source.hpp"
#include "report/study_figures.hpp"
#include "report/ticks.hpp"

namespace aleator::core::report {

namespace {

// Logarithmic axes have no place for what is not positive, and round-off is not worth looking at: eight decades at most. Few realizations
// have intervals without end.
void settle_range(Panel& panel) {
  Range means, ends;
  for (const Curve& c : panel.curves) means.take(c.y);
  for (const Band& band : panel.bands) ends.take(band.upper);
  if (!(means.high > 0)) means.low = means.high = 1;  // nothing moves
  const double high = panel.y.high = 1.5 * std::clamp(ends.high, means.high, 10 * means.high);
  const double low = panel.y.low = std::max(means.low / 1.5, 1e-8 * high);
  for (Curve& c : panel.curves)
    for (double& y : c.y)
      if (!(y >= low)) y = std::numeric_limits<double>::quiet_NaN();
  for (Band& band : panel.bands)
    for (auto* end : {&band.lower, &band.upper})
      for (double& y : *end) y = std::clamp(y, low, high);
}

}  // namespace

Figure spectrum_figure(std::span<const Source> sources, const std::vector<std::string>& outputs) {
  Figure figure{.title = title_of(*sources[0].file),
                .subtitle = subtitle_of(*sources[0].file) + "; power spectral density (Welch), one-sided"};
  Range f;
  for (const std::string& output : outputs) {
    Panel panel{.x = {"frequency", "Hz", 1, 10, true}, .y = {output, "", 1, 10, true}};
    for (std::size_t k = 0; k < sources.size(); ++k) {
      const results::StudyReader& file = *sources[k].file;
      const std::vector<std::string> there = file.spectra();
      if (std::find(there.begin(), there.end(), output) == there.end())
        throw results::ReadError(
            file.path(), "it has no spectrum of '" + output +
                             "'; give the output the key 'spectrum', as in 'spectrum: {from: 2}', and run the model again");
      const results::Spectrum s = file.spectrum(output);
      if (!s.lower.empty() && std::isfinite(s.lower[0]))
        panel.bands.push_back({.name = label(sources, k, "95 % confidence"),
                               .x = s.frequency,
                               .lower = s.lower,
                               .upper = s.upper,
                               .colour = source_colour(k)});
      panel.curves.push_back(
          {.name = label(sources, k, "mean of realizations"), .x = s.frequency, .y = s.mean, .colour = source_colour(k)});
      panel.y.unit = unit_words(file.spectrum_unit(output));
      f.take(s.frequency);
    }
    settle_range(panel);
    figure.panels.push_back(std::move(panel));
  }
  for (Panel& p : figure.panels) p.x.low = f.low, p.x.high = f.high;
  return figure;
}

}  // namespace aleator::core::report
