// Figures of results by name, of the outputs that were asked for.
#pragma once

#include <cmath>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "report/study_figures.hpp"

namespace aleator::core {

struct FigureRequest {
  std::string what = "response";   // distribution, sensitivity, correlations, convergence, spectrum, profile, measured
  std::vector<std::string> names;  // outputs, parameters of profiles; none: those there are
  double at = std::nan("");        // a distribution: at this time; NaN: where it scatters most
  report::View view;
};
using FigureNote = std::function<void(std::string_view)>;

// Throws ReadError when the results do not have it.
report::Figure figure_of(const FigureRequest& request, const std::vector<report::Source>& sources, const FigureNote& note);

}  // namespace aleator::core
