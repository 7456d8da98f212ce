// Shares of the variance, correlations: by cause over time.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "report/source.hpp"

namespace aleator::core::report {
namespace {

const Colour cycle[] = {Colour::blue,   Colour::amber,      Colour::green, Colour::purple,
                        Colour::yellow, Colour::vermillion, Colour::sky};

using Causes = results::StudyReader::Causes;

// The rows of causes × times.
std::vector<std::vector<double>> rows(const std::vector<double>& all, std::size_t causes) {
  const std::size_t times = causes == 0 ? 0 : all.size() / causes;
  std::vector<std::vector<double>> out;
  for (std::size_t c = 0; c < causes; ++c)
    out.emplace_back(all.begin() + std::ptrdiff_t(c * times), all.begin() + std::ptrdiff_t((c + 1) * times));
  return out;
}

Figure begin(const results::StudyReader& file) { return {.title = title_of(file), .subtitle = subtitle_of(file)}; }

// Estimates of sampling may be a little below zero, and together a little above one.
Panel shares_panel(const results::StudyReader& file, const std::string& output, const std::vector<std::string>& causes,
                   const Window& window) {
  Panel panel{.heading = output, .x = {"time", "s", window.from, window.to}, .y = {"Sobol index", "", 0, 1}, .stacked = true};
  const auto first = rows(file.curves(Causes::sobol, output, "first"), causes.size());
  const std::vector<double> time = file.time();
  std::vector<double> below(time.size(), 0.);
  const auto lay = [&](const std::string& name, Colour colour, double opacity, std::vector<double> above) {
    Band band{.name = name, .x = time, .lower = below, .upper = above, .colour = colour, .opacity = opacity};
    window.cut(band.x, {&band.lower, &band.upper});
    panel.bands.push_back(std::move(band));
    below = std::move(above);
  };
  for (std::size_t c = 0; c < causes.size(); ++c) {
    std::vector<double> above = below;
    for (std::size_t t = 0; t < time.size(); ++t) above[t] = std::min(1., below[t] + std::max(first[c][t], 0.) + 0 * first[c][t]);
    lay(causes[c], cycle[c % std::size(cycle)], 0.8, std::move(above));
  }
  std::vector<double> whole(time.size(), 1.);
  for (std::size_t t = 0; t < time.size(); ++t) whole[t] += 0 * below[t];  // nothing where nothing scatters
  lay("interactions", Colour::ink, 0.12, std::move(whole));
  return panel;
}

// The columns with the largest correlations with any of the outputs, at most as many as there are colours.
std::vector<std::size_t> foremost(const results::StudyReader& file, const std::vector<std::string>& outputs,
                                  std::size_t columns) {
  std::vector<double> largest(columns, -1.);
  for (const std::string& output : outputs) {
    const std::vector<double> of = file.integrals(Causes::correlations, output, "spearman");
    for (std::size_t c = 0; c < std::min(columns, of.size()); ++c)
      if (of[c] > largest[c]) largest[c] = of[c];
  }
  std::vector<std::size_t> order(columns);
  std::iota(order.begin(), order.end(), std::size_t(0));
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return largest[a] > largest[b]; });
  order.resize(std::min(columns, std::size(cycle)));
  std::sort(order.begin(), order.end());
  return order;
}

}  // namespace

Figure shares_figure(const Source& source, const std::vector<std::string>& outputs, const View& view) {
  const results::StudyReader& file = *source.file;
  if (!file.has(Causes::sobol))
    throw results::ReadError(file.path(), "it has no Sobol indices; compute them with run --sensitivity");
  Figure figure = begin(file);
  const Window window = window_of({&source, 1}, view);
  const std::vector<std::string> causes = file.causes(Causes::sobol);
  for (const std::string& output : outputs) figure.panels.push_back(shares_panel(file, output, causes, window));
  return figure;
}

Figure correlations_figure(const Source& source, const std::vector<std::string>& outputs, const View& view) {
  const results::StudyReader& file = *source.file;
  if (!file.has(Causes::correlations))
    throw results::ReadError(
        file.path(), "it has no correlations: sampling studies that keep their realizations have them, without --sensitivity");
  Figure figure = begin(file);
  const Window window = window_of({&source, 1}, view);
  const std::vector<std::string> columns = file.causes(Causes::correlations);
  const std::vector<std::size_t> shown = foremost(file, outputs, columns.size());
  figure.subtitle += "; rank correlation (Spearman)";
  if (shown.size() < columns.size())
    figure.subtitle += fmt::format(" with the {} most correlated of {} random numbers", shown.size(), columns.size());
  for (const std::string& output : outputs) {
    Panel panel{.heading = output, .x = {"time", "s", window.from, window.to}, .y = {"rank correlation", "", -1, 1}};
    const auto all = rows(file.curves(Causes::correlations, output, "spearman"), columns.size());
    for (std::size_t k = 0; k < shown.size(); ++k) {
      Curve curve{.name = columns[shown[k]], .x = file.time(), .y = all[shown[k]], .colour = cycle[k]};
      window.cut(curve.x, {&curve.y});
      panel.curves.push_back(std::move(curve));
    }
    figure.panels.push_back(std::move(panel));
  }
  return figure;
}

}  // namespace aleator::core::report
