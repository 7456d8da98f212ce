#include "report/source.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "base/rounded.hpp"
#include "report/text.hpp"
#include "report/ticks.hpp"

namespace aleator::core::report {

std::string title_of(const results::StudyReader& file) {
  const std::string title = file.title();
  return title.empty() ? std::filesystem::path(file.model_file()).stem().string() : title;
}

std::string subtitle_of(const results::StudyReader& file) {
  if (!file.is_study()) return "nominal motion";
  std::string text =
      fmt::format("{}, {:.0f} realizations, {} band", file.method(), file.realizations(), percent(file.confidence()));
  if (!file.complete()) text += fmt::format("; not complete: {:.0f} of {:.0f}", file.done(), file.planned());
  return text;
}

std::string unit_words(const std::string& unit) { return unit == "-" || unit == "1" ? "" : unit; }

std::string percent(double share) { return short_number(100 * share, 3) + " %"; }

std::string percent(double share, double error) {
  if (!std::isfinite(share) || !(error > 0) || !std::isfinite(error)) return percent(share);
  return with_error(100 * share, 100 * error) + " %";
}

Colour source_colour(std::size_t k) {
  const Colour cycle[] = {Colour::blue, Colour::green, Colour::purple, Colour::amber, Colour::sky, Colour::yellow};
  return cycle[k % std::size(cycle)];
}

std::string label(std::span<const Source> sources, std::size_t k, const std::string& what) {
  return sources.size() == 1 ? what : sources[k].name + ": " + what;
}

void Window::cut(std::vector<double>& x, const std::vector<std::vector<double>*>& ys) const {
  const auto at = [&](const std::vector<double>& y, std::size_t i, double t) {  // between i − 1 and i
    return y[i - 1] + (y[i] - y[i - 1]) * (t - x[i - 1]) / (x[i] - x[i - 1]);
  };
  const std::size_t first = std::size_t(std::lower_bound(x.begin(), x.end(), from) - x.begin());
  const std::size_t end = std::size_t(std::upper_bound(x.begin(), x.end(), to) - x.begin());
  const bool before = first > 0 && first < x.size() && x[first] > from, after = end > 0 && end < x.size() && x[end - 1] < to;
  const auto keep = [&](const std::vector<double>& y, double start, double stop) {
    std::vector<double> out;
    if (before) out.push_back(start);
    if (first < end) out.insert(out.end(), y.begin() + std::ptrdiff_t(first), y.begin() + std::ptrdiff_t(end));
    if (after) out.push_back(stop);
    return out;
  };
  for (std::vector<double>* y : ys)
    if (y->size() == x.size()) *y = keep(*y, before ? at(*y, first, from) : 0, after ? at(*y, end, to) : 0);
  x = keep(x, from, to);
}

Window window_of(std::span<const Source> sources, const View& view) {
  Range all;
  for (const Source& s : sources) all.take(s.file->time());
  Window w{std::max(view.from, all.low), std::min(view.to, all.high)};
  if (!(w.from <= w.to))
    throw results::ReadError(
        sources[0].file->path(),
        all.low <= all.high
            ? fmt::format("its times are {:g} to {:g} s; there is none between those asked for", all.low, all.high)
            : "it has no times");
  if (w.from == w.to) pad(w.from, w.to, 0);
  return w;
}

Range range_of(const Panel& panel) {
  Range r;
  for (const Band& b : panel.bands) r.take(b.lower), r.take(b.upper);
  for (const Curve& c : panel.curves) r.take(c.y);
  return r;
}

}  // namespace aleator::core::report
