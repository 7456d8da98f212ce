// A figure as SVG: small, self-contained, without scripts; for pages and for print.
//
// The numbers can be had back: each panel is <g data-panel="NAME" data-x="LOW HIGH" data-y="LOW HIGH">, and its first <rect> is the
// area that these ranges span. Curves are <path>s with a <title>: M and the first point, l and the steps to the others, to 0.1 px.
#pragma once

#include <string>

#include "report/figure.hpp"

namespace aleator::core::report {

struct SvgOptions {
  double width = 800;
  double height = 0;  // 0: what the panels need
  bool dark = false;
};

std::string svg_text(const Figure& figure, const SvgOptions& options);

// The least height at which the panels still have room, for this width.
double least_height(const Figure& figure, const SvgOptions& options);

}  // namespace aleator::core::report
