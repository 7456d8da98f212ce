#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "report/source.hpp"
#include "report/text.hpp"
#include "report/ticks.hpp"

namespace aleator::core::report {
namespace {

constexpr double seen = 0.004;  // a band thinner than this share of the axis is not

bool any_finite(const std::vector<double>& all) {
  return std::any_of(all.begin(), all.end(), [](double x) { return std::isfinite(x); });
}

class ResponsePanel {
 public:
  ResponsePanel(std::span<const Source> sources, const std::string& output, const Window& window)
      : sources_(sources), output_(output), window_(window) {}

  Panel make(std::size_t first, std::size_t count, long realizations) {
    for (std::size_t k = first; k < first + count; ++k) confidence_region(k);
    show_realizations(first, realizations);
    for (std::size_t k = first; k < first + count; ++k) mean(k);
    nominal(first);
    panel_.x = {"time", "s", window_.from, window_.to};
    panel_.y.name = output_;
    panel_.y.unit = unit_words(sources_[first].file->unit(output_));
    fit_axis();
    if (count == 1) standard_errors(first);  // of several it would be too much to see anything
    fit_axis();
    limits(first);
    return std::move(panel_);
  }

  // Of one source in a column of its own names need not say whose they are.
  void in_columns() { columns_ = true; }

 private:
  std::string named(std::size_t k, const std::string& what) const { return columns_ ? what : label(sources_, k, what); }
  Colour colour(std::size_t k) const { return source_colour(columns_ ? 0 : k); }

  using Statistics = results::ChannelStatistics;
  using Column = std::vector<double> Statistics::*;
  std::vector<double> numbers(std::size_t k, Column column) const {
    const results::StudyReader& file = *sources_[k].file;
    return file.has_statistics(output_, column) ? file.statistics(output_, column) : std::vector<double>();
  }

  void add_band(std::size_t k, const std::string& name, std::vector<double> lower, std::vector<double> upper, double opacity,
                bool minor) {
    std::vector<double> x = sources_[k].file->time();
    if (lower.size() != x.size() || upper.size() != x.size()) return;
    window_.cut(x, {&lower, &upper});
    if (any_finite(lower))
      panel_.bands.push_back({name, std::move(x), std::move(lower), std::move(upper), colour(k), opacity, minor});
  }

  void add_curve(std::size_t k, Curve c, std::vector<double> y) {
    c.x = sources_[k].file->time();
    if (y.size() != c.x.size()) return;
    c.y = std::move(y);
    window_.cut(c.x, {&c.y});
    if (any_finite(c.y)) panel_.curves.push_back(std::move(c));
  }

  void confidence_region(std::size_t k) {
    if (!sources_[k].file->is_study()) return;
    const std::string name = percent(sources_[k].file->confidence()) + " probability band";
    add_band(k, named(k, name), numbers(k, &Statistics::lower), numbers(k, &Statistics::upper), 0.22, false);
  }

  void mean(std::size_t k) {
    add_curve(k, {.name = named(k, "mean"), .colour = colour(k), .width = 1.8}, numbers(k, &Statistics::mean));
  }

  // Of a file that has nothing else it is the curve to see; it then has the colour of its source.
  void nominal(std::size_t first) {
    for (std::size_t k = first; k < (columns_ ? first + 1 : sources_.size()); ++k) {
      const bool alone = !any_finite(numbers(k, &Statistics::mean));
      if (alone && (k > 0 || !sources_[k].file->is_study()))
        add_curve(k, {.name = named(k, "nominal"), .colour = colour(k), .width = 1.8}, numbers(k, &Statistics::nominal));
      else if (k == first)
        add_curve(k, {.name = "nominal", .colour = Colour::vermillion, .stroke = Stroke::dashed, .width = 1.4, .minor = !alone},
                  numbers(k, &Statistics::nominal));
    }
  }

  void show_realizations(std::size_t k, long count) {
    const results::StudyReader& file = *sources_[k].file;
    for (long r = 0; r < std::min(count, file.samples()); ++r)
      add_curve(k, {.name = r == 0 ? "realizations" : "", .colour = Colour::ink, .width = 0.6, .opacity = 0.35, .minor = true},
                file.response(output_, r));
  }

  // Of none that was seen: below which it is with 95 % confidence.
  static std::string passed(const results::Probability& p) {
    return p.value == 0 && p.interval.high > 0 ? fmt::format("0 %, below {:.2g} %", 100 * p.interval.high)
                                               : percent(p.value, p.error);
  }

  // A limit near the curves is drawn, and the axis reaches to it; of one far away only the probability is told.
  void limits(std::size_t k) {
    const results::StudyReader& file = *sources_[k].file;
    const double reach = 0.6 * (panel_.y.high - panel_.y.low);
    for (const bool above : {true, false}) {
      const auto limit = file.limit(output_, above);
      if (!limit) continue;
      const double value = limit->value;
      const bool near = value < panel_.y.high + reach && value > panel_.y.low - reach;
      const std::string name = fmt::format("ever {} {} {}: {}", above ? "above" : "below", short_number(value),
                                           pretty_unit(panel_.y.unit), passed(limit->ever));
      panel_.lines.push_back({.name = near ? name : name + " (beyond the axis)", .at = value});
      if (near) panel_.y.low = std::min(panel_.y.low, value), panel_.y.high = std::max(panel_.y.high, value);
    }
  }

  void fit_axis() {
    const Range r = range_of(panel_);
    panel_.y.low = r.low, panel_.y.high = r.high;
  }

  void standard_errors(std::size_t k) {
    const double thinnest = seen * (panel_.y.high - panel_.y.low);
    const std::pair<Column, Column> all[] = {{&Statistics::mean, &Statistics::mean_error},
                                             {&Statistics::lower, &Statistics::lower_error},
                                             {&Statistics::upper, &Statistics::upper_error}};
    for (const auto& [what, its_error] : all) {
      const std::vector<double> middle = numbers(k, what), error = numbers(k, its_error);
      if (middle.size() != error.size()) continue;
      std::vector<double> lower = middle, upper = middle;
      double thickest = 0;
      for (std::size_t i = 0; i < middle.size(); ++i) {
        lower[i] -= error[i];
        upper[i] += error[i];
        if (std::isfinite(error[i])) thickest = std::max(thickest, error[i]);
      }
      if (thickest > thinnest) add_band(k, named(k, "± standard error"), lower, upper, 0.3, true);
    }
  }

  std::span<const Source> sources_;
  std::string output_;
  Window window_;
  bool columns_ = false;
  Panel panel_;
};

// Outputs that are zero to round-off, as the third component of a planar motion, are shown as such: on the axis of those of the same unit.
void quiet_round_off(Figure& figure) {
  std::map<std::string, double> largest;
  const auto size = [](const Panel& p) { return std::max(std::abs(p.y.low), std::abs(p.y.high)); };
  for (const Panel& p : figure.panels)
    if (std::isfinite(size(p))) largest[p.y.unit] = std::max(largest[p.y.unit], size(p));
  for (Panel& p : figure.panels)
    if (const double most = largest[p.y.unit]; size(p) < 1e-12 * most) p.y.low = -most, p.y.high = most;
}

void same_axes_in_rows(Figure& figure) {
  const std::size_t columns = std::size_t(figure.columns);
  for (std::size_t row = 0; row < figure.panels.size(); row += columns) {
    Range r;
    for (std::size_t i = row; i < row + columns; ++i) r.take(figure.panels[i].y.low), r.take(figure.panels[i].y.high);
    for (std::size_t i = row; i < row + columns; ++i) figure.panels[i].y.low = r.low, figure.panels[i].y.high = r.high;
  }
}

}  // namespace

Figure response_figure(std::span<const Source> sources, const std::vector<std::string>& outputs, const View& view) {
  Figure figure{.title = title_of(*sources[0].file), .subtitle = subtitle_of(*sources[0].file)};
  if (view.realizations > 0 && !sources[0].file->is_study())
    throw results::ReadError(sources[0].file->path(),
                             "it is one motion and has no realizations; compute a study with aleator run");
  if (view.realizations > 0 && sources[0].file->samples() == 0)
    throw results::ReadError(sources[0].file->path(), "it keeps no realizations, only their statistics");
  const Window window = window_of(sources, view);
  for (const std::string& output : outputs) {
    if (!view.side_by_side) {
      figure.panels.push_back(ResponsePanel(sources, output, window).make(0, sources.size(), view.realizations));
      continue;
    }
    for (std::size_t k = 0; k < sources.size(); ++k) {
      ResponsePanel panel(sources, output, window);
      panel.in_columns();
      figure.panels.push_back(panel.make(k, 1, view.realizations));
      figure.panels.back().heading = sources[k].name;
    }
  }
  quiet_round_off(figure);
  if (view.side_by_side) {
    figure.columns = int(sources.size());
    same_axes_in_rows(figure);
  }
  for (Panel& p : figure.panels) pad(p.y.low, p.y.high, 0.04);
  return figure;
}

}  // namespace aleator::core::report
