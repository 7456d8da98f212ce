// Figures of what was identified from measurements.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "report/source.hpp"
#include "report/text.hpp"
#include "report/ticks.hpp"
#include "results/identification.hpp"

namespace aleator::core::report {
namespace {

constexpr std::size_t most_specimens = 60;  // in a figure: more lines are none to be told apart

using results::FreeParameter;
using results::Identification;

std::string of(const Identification& x) {
  return fmt::format("{}, {} specimen{}{}", x.method, x.measured.specimens.size(), x.measured.specimens.size() == 1 ? "" : "s",
                     x.explained || !x.sweeps.empty() ? "" : "; the data are not explained: do not use");
}

// "0.155 … 0.275", "≥ 1.24" where the data do not bound it above.
std::string interval(const FreeParameter& p) {
  if (!std::isfinite(p.lower) || !std::isfinite(p.upper)) return "";
  if (p.open_below && p.open_above) return " (not bounded by the data)";
  if (p.open_below) return fmt::format(" (≤ {})", short_number(p.upper, 3));
  if (p.open_above) return fmt::format(" (≥ {})", short_number(p.lower, 3));
  return fmt::format(" ({} … {})", short_number(p.lower, 3), short_number(p.upper, 3));
}

// The pieces of a curve that are not below the panel, up to where they leave it.
Curve from_above(const std::vector<double>& x, const std::vector<double>& y, double low) {
  Curve c{.name = "profile likelihood"};
  const auto add = [&](double a, double b) { c.x.push_back(a), c.y.push_back(b); };
  for (std::size_t i = 0; i < x.size(); ++i) {
    if (i > 0 && (y[i] < low) != (y[i - 1] < low)) {
      const double edge = x[i - 1] + (x[i] - x[i - 1]) * (low - y[i - 1]) / (y[i] - y[i - 1]);
      add(edge, low);
      if (y[i] < low) add(edge, std::nan(""));
    }
    if (y[i] >= low) add(x[i], y[i]);
  }
  return c;
}

Panel profile_panel(const Identification& x, const FreeParameter& p) {
  const double drop = results::confidence_drop(x.confidence, 1, int(x.parameters.size()), x.measured.specimens.size());
  Panel panel;
  panel.x = {p.name, p.unit == "-" || p.unit == "1" ? "" : p.unit, p.profile_at.front(), p.profile_at.back()};
  panel.y = {fmt::format("{}: {}{}", p.name, short_number(p.estimate), interval(p)), "", -2.4 * drop, 0.1 * drop};
  panel.curves.push_back(from_above(p.profile_at, p.profile, panel.y.low));
  if (std::isfinite(p.lower) && std::isfinite(p.upper))
    panel.bands.push_back({.name = percent(x.confidence) + " confidence interval",
                           .x = {p.lower, p.upper},
                           .lower = {panel.y.low, panel.y.low},
                           .upper = {panel.y.high, panel.y.high},
                           .opacity = 0.12});
  panel.lines.push_back({.name = fmt::format("{} below the largest", short_number(drop, 3)), .at = -drop});
  panel.lines.push_back({.name = "estimate", .at = p.estimate, .upright = true, .stroke = Stroke::solid});
  if (std::isfinite(p.written))
    panel.lines.push_back(
        {.name = "in the model", .at = p.written, .upright = true, .colour = Colour::vermillion, .stroke = Stroke::dashed});
  return panel;
}

void add_specimens(Panel& panel, const results::Measurements& m, std::size_t channel, const Window& window) {
  const std::size_t channels = m.channels.size(), every = 1 + (m.specimens.size() - 1) / most_specimens;
  const double opacity = std::clamp(1.6 / std::sqrt(double(m.specimens.size()) / double(every)), 0.15, 0.8);
  for (std::size_t k = 0; k < m.specimens.size(); k += every) {
    const results::Specimen& s = m.specimens[k];
    Curve c{.name = k == 0 ? "measured" : "", .x = s.times, .y = {}, .colour = Colour::ink, .width = 0.7, .opacity = opacity};
    for (std::size_t t = 0; t < s.times.size(); ++t) c.y.push_back(s.values[t * channels + channel]);
    window.cut(c.x, {&c.y});
    panel.curves.push_back(std::move(c));
  }
}

Panel measured_panel(const results::StudyReader& file, const Identification& x, const std::string& output, const Window& window) {
  const std::size_t c =
      std::size_t(std::find(x.measured.channels.begin(), x.measured.channels.end(), output) - x.measured.channels.begin());
  Panel panel;
  panel.x = {"time", "s", window.from, window.to};
  const std::string unit = file.identified_unit(output);
  panel.y = {output, unit == "-" || unit == "1" ? "" : unit};
  if (c < x.coverage.size())
    panel.heading = fmt::format("{} inside ({} to {} expected)", percent(x.coverage[c].share), percent(x.coverage[c].lower),
                                percent(x.coverage[c].upper));
  const bool predicted = c < x.bands.size();
  if (predicted && !x.bands[c].lower.empty()) {
    Band band{percent(x.band_confidence) + " predicted", x.times, x.bands[c].lower, x.bands[c].upper};
    window.cut(band.x, {&band.lower, &band.upper});
    panel.bands.push_back(std::move(band));
  }
  add_specimens(panel, x.measured, c, window);
  if (predicted) {
    Curve mean{.name = x.bands[c].lower.empty() ? "fitted" : "predicted mean", .x = x.times, .y = x.bands[c].mean, .width = 1.8};
    window.cut(mean.x, {&mean.y});
    panel.curves.push_back(std::move(mean));
  }
  const Range r = range_of(panel);
  panel.y.low = r.low, panel.y.high = r.high;
  pad(panel.y.low, panel.y.high, 0.04);
  return panel;
}

Identification identification_of(const results::StudyReader& file) {
  const auto found = results::read_identification(file);
  if (!found) throw results::ReadError(file.path(), "nothing was identified there; aleator identify writes such files");
  return *found;
}

}  // namespace

std::vector<std::string> with_profiles(const results::StudyReader& file) {
  std::vector<std::string> names;
  for (const FreeParameter& p : identification_of(file).parameters)
    if (p.profile.size() > 1) names.push_back(p.name);
  if (names.empty())
    throw results::ReadError(file.path(), "it has no profile likelihoods: the methods maximum-likelihood and bayesian have them");
  return names;
}

std::vector<std::string> measured_outputs(const results::StudyReader& file) {
  const Identification x = identification_of(file);
  if (x.measured.specimens.empty()) throw results::ReadError(file.path(), "nothing was measured there");
  return x.measured.channels;
}

Figure profile_figure(const Source& source, const std::vector<std::string>& parameters) {
  const Identification x = identification_of(*source.file);
  Figure figure{.title = title_of(*source.file), .subtitle = of(x) + "; log-likelihood less the largest", .shared_x = false};
  for (const std::string& name : parameters)
    for (const FreeParameter& p : x.parameters)
      if (p.name == name && p.profile.size() > 1) figure.panels.push_back(profile_panel(x, p));
  return figure;
}

Figure measured_figure(const Source& source, const std::vector<std::string>& outputs, const View& view) {
  const Identification x = identification_of(*source.file);
  const Window window = window_of(std::span(&source, 1), view);
  Figure figure{.title = title_of(*source.file), .subtitle = of(x)};
  const std::size_t all = x.measured.specimens.size(), every = 1 + (all - 1) / most_specimens;
  if (every > 1) figure.subtitle += fmt::format(", every {}{} shown", every, every == 2 ? "nd" : every == 3 ? "rd" : "th");
  for (const std::string& output : outputs) figure.panels.push_back(measured_panel(*source.file, x, output, window));
  return figure;
}

}  // namespace aleator::core::report
