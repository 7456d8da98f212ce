#include <algorithm>
#include <cmath>

#include "report/source.hpp"
#include "report/study_figures.hpp"
#include "report/ticks.hpp"

namespace aleator::core::report {

namespace {

// Logarithmic axes have no place for what is not positive.
Range positive_range(const Panel& panel) {
  Range all;
  std::vector<double> positive;
  const auto take = [&](const std::vector<double>& values) {
    for (const double v : values)
      if (v > 0 && std::isfinite(v)) positive.push_back(v);
  };
  for (const Curve& c : panel.curves) take(c.y);
  all.take(positive);
  return all;
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
    const Range r = positive_range(panel);
    panel.y.low = r.low / 1.5, panel.y.high = r.high * 1.5;
    figure.panels.push_back(std::move(panel));
  }
  for (Panel& p : figure.panels) p.x.low = f.low, p.x.high = f.high;
  return figure;
}

}  // namespace aleator::core::report
