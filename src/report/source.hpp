// What all figures of results files need: titles, units, curves within a view.
#pragma once

#include <algorithm>
#include <cmath>
#include <span>
#include <string>
#include <vector>

#include "report/study_figures.hpp"

namespace aleator::core::report {

std::string title_of(const results::StudyReader& file);     // of the model, or the name of its file
std::string subtitle_of(const results::StudyReader& file);  // method, realizations, confidence

std::string unit_words(const std::string& unit);  // empty: it has none
std::string percent(double share);                // "90 %"
std::string percent(double share, double error);  // "21.0 ± 1.8 %"; without the error when it is not known

Colour source_colour(std::size_t k);  // of the mean of source k

// "mean", or "few: mean" when there are several sources.
std::string label(std::span<const Source> sources, std::size_t k, const std::string& what);

// Curves within the view: cut off at its ends, by a line through the points beside.
struct Window {
  double from, to;
  void cut(std::vector<double>& x, const std::vector<std::vector<double>*>& ys) const;
};

// The times of all sources within the view. Throws ReadError when there are none.
Window window_of(std::span<const Source> sources, const View& view);

// Smallest and largest number of the panel's curves and bands.
struct Range {
  double low = std::numeric_limits<double>::infinity(), high = -low;
  void take(double y) {
    if (!std::isfinite(y)) return;
    low = std::min(low, y);
    high = std::max(high, y);
  }
  void take(const std::vector<double>& all) {
    for (const double y : all) take(y);
  }
};
Range range_of(const Panel& panel);

}  // namespace aleator::core::report
