#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "report/source.hpp"
#include "report/text.hpp"
#include "report/ticks.hpp"

namespace aleator::core::report {
namespace {

using Statistics = results::ChannelStatistics;

// What is drawn about one name of one source.
struct Sample {
  std::string heading, unit;
  std::vector<double> values;
  double mean = std::nan(""), lower = mean, upper = mean, nominal = mean;
};

// Rows of quadratures, differences and trajectories are points of a plan, not draws.
void check_realizations(const results::StudyReader& file) {
  if (!file.is_study())
    throw results::ReadError(file.path(), "it is one motion without a distribution; compute a study with aleator run");
  if (file.samples() == 0)
    throw results::ReadError(
        file.path(), "it keeps no realizations, only their statistics; a distribution needs `keep: all`, or another method");
  if (file.realizations() == 0)
    throw results::ReadError(file.path(), "all its realizations failed; there is nothing to show the distribution of");
  if (!file.rows_follow_law())
    throw results::ReadError(file.path(),
                             fmt::format("its realizations are points of the design, not a random sample{}",
                                         file.has_chaos() ? "; `aleator evaluate --density` has the distribution" : ""));
}

std::vector<double> finite(std::vector<double> values) {
  std::erase_if(values, [](double x) { return !std::isfinite(x); });
  return values;
}

Sample scalar_sample(const results::StudyReader& file, const std::string& name) {
  if (!file.has_scalar_values(name))
    throw results::ReadError(file.path(), "it keeps only statistics, no scalars of realizations");
  const results::ScalarStatistics x = file.scalar(name);
  return {name, unit_words(x.unit), finite(file.scalar_values(name)), x.mean.value, x.lower.value, x.upper.value, x.nominal};
}

long time_index(const results::StudyReader& file, const std::string& output, double at) {
  const std::vector<double> time = file.time(), std = file.statistics(output, &Statistics::std);
  if (time.empty()) throw results::ReadError(file.path(), "it has no times");
  std::size_t best = 0;
  for (std::size_t i = 1; i < time.size(); ++i)
    if (std::isnan(at) ? std[i] > std[best] || std::isnan(std[best]) : std::abs(time[i] - at) < std::abs(time[best] - at))
      best = i;
  return long(best);
}

Sample output_sample(const results::StudyReader& file, const std::string& output, double at) {
  const long i = time_index(file, output, at);
  const double time = file.time().at(std::size_t(i));
  const std::string when = ticks_of({"t", "s", 0, time}, 2).title;  // ms when it is short
  const bool ms = when.find("ms") != std::string::npos;
  const bool one = file.time().size() == 1;  // of numbers, as frequencies
  Sample s{one ? output
               : fmt::format("{} at {} {}{}", output, short_number(ms ? 1e3 * time : time), ms ? "ms" : "s",
                             std::isnan(at) ? ", the time of the largest scatter" : ""),
           unit_words(file.unit(output)), finite(file.responses_at(output, i))};
  const auto value = [&](std::vector<double> Statistics::*column) { return file.statistics(output, column).at(std::size_t(i)); };
  s.mean = value(&Statistics::mean), s.nominal = value(&Statistics::nominal);
  s.lower = value(&Statistics::lower), s.upper = value(&Statistics::upper);
  return s;
}

bool is_scalar(const results::StudyReader& file, const std::string& name) { return file.has_scalar(name); }

Sample sample_of(const results::StudyReader& file, const std::string& name, double at) {
  return is_scalar(file, name) ? scalar_sample(file, name) : output_sample(file, name, at);
}

// The largest number of an output of this unit, at any time.
double size_of(const results::StudyReader& file, const std::string& unit) {
  Range all;
  for (const std::string& output : file.outputs())
    if (unit_words(file.unit(output)) == unit)
      all.take(file.statistics(output, &Statistics::minimum)), all.take(file.statistics(output, &Statistics::maximum));
  return std::max(std::abs(all.low), std::abs(all.high));
}

// By more than round-off.
bool scatters(const results::StudyReader& file, const std::string& name, const Sample& s) {
  Range r;
  r.take(s.values);
  const double size = is_scalar(file, name) ? std::max(std::abs(r.low), std::abs(r.high)) : size_of(file, s.unit);
  return s.values.size() > 1 && r.high - r.low > 1e-12 * size;
}

// Bars as the outline of a band, of the width of Freedman & Diaconis: 2 IQR n^(-1/3).
Band histogram(std::vector<double> values) {
  Band bars{.name = "realizations", .opacity = 0.22};
  std::sort(values.begin(), values.end());
  const std::size_t n = values.size();
  const double least = values.front(), most = values.back();
  const double width = 2 * (values[3 * (n - 1) / 4] - values[(n - 1) / 4]) * std::cbrt(1 / double(n));
  const int bins = width > 0 ? int(std::clamp((most - least) / width, 5., 120.)) : 5;
  std::vector<double> count(std::size_t(bins), 0.);
  for (const double v : values) ++count[std::size_t(std::clamp(int((v - least) / (most - least) * bins), 0, bins - 1))];
  for (int i = 0; i < bins; ++i)
    for (const int end : {0, 1}) {
      bars.x.push_back(least + (most - least) * (i + end) / bins);
      bars.lower.push_back(0);
      bars.upper.push_back(count[std::size_t(i)] / double(n) * bins / (most - least));
    }
  return bars;
}

void mark(Panel& panel, const Sample& s) {
  const auto add = [&](const std::string& name, double at, Colour colour, Stroke stroke) {
    if (std::isfinite(at)) panel.lines.push_back({.name = name, .at = at, .upright = true, .colour = colour, .stroke = stroke});
  };
  add("mean", s.mean, Colour::blue, Stroke::dashed);
  add("limits of the probability band", s.lower, Colour::ink, Stroke::dotted);
  add("limits of the probability band", s.upper, Colour::ink, Stroke::dotted);
  add("nominal", s.nominal, Colour::vermillion, Stroke::dashed);
}

Panel distribution_panel(std::span<const Source> sources, const std::string& name, double at, const DensityOf& density_of) {
  Panel panel;
  Range x;
  for (std::size_t k = 0; k < sources.size(); ++k) {
    const Sample s = sample_of(*sources[k].file, name, at);
    if (!scatters(*sources[k].file, name, s))
      throw results::ReadError(sources[k].file->path(),
                               fmt::format("'{}' does not scatter{}", name, std::isnan(at) ? "" : " at this time"));
    const Density d = density_of(s.values);
    panel.curves.push_back({.name = label(sources, k, "density"), .x = d.values, .y = d.density, .colour = source_colour(k)});
    x.take(d.values);
    if (k > 0) continue;
    panel.heading = s.heading;
    panel.x = {name, s.unit};
    panel.bands.push_back(histogram(s.values));
    mark(panel, s);
  }
  for (const Line& l : panel.lines) x.take(l.at);
  panel.x.low = x.low, panel.x.high = x.high;
  const std::string unit = pretty_unit(panel.x.unit);
  panel.y = {"density",
             unit.empty()                                    ? ""
             : unit.find_first_of("/ ") == std::string::npos ? "1/" + unit
                                                             : "1/(" + unit + ")",
             0, 1.05 * range_of(panel).high};
  return panel;
}

}  // namespace

std::vector<std::string> scattering(std::span<const Source> sources, std::vector<std::string> names, double at) {
  for (const Source& s : sources) check_realizations(*s.file);
  std::erase_if(names, [&](const std::string& name) {
    return std::any_of(sources.begin(), sources.end(),
                       [&](const Source& s) { return !scatters(*s.file, name, sample_of(*s.file, name, at)); });
  });
  if (names.empty())
    throw results::ReadError(sources[0].file->path(),
                             fmt::format("none of its outputs scatters{}", std::isnan(at) ? "" : " at this time"));
  return names;
}

Figure distribution_figure(std::span<const Source> sources, const std::vector<std::string>& names, double at,
                           const DensityOf& density_of) {
  for (const Source& s : sources) check_realizations(*s.file);
  Figure figure{.title = title_of(*sources[0].file), .subtitle = subtitle_of(*sources[0].file), .shared_x = false};
  for (const std::string& name : names) figure.panels.push_back(distribution_panel(sources, name, at, density_of));
  return figure;
}

}  // namespace aleator::core::report
