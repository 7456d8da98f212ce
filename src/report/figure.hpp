// A figure as plain data: what is to be seen, not how it is drawn. svg_figure.hpp and terminal_figure.hpp draw it.
#pragma once

#include <string>
#include <vector>

namespace aleator::core::report {

// Okabe & Ito: told apart by colour-blind readers, too. `ink` is that of the text.
enum class Colour { ink, blue, green, purple, amber, vermillion, sky, yellow };
enum class Stroke { solid, dashed, dotted };

// What is called `minor` is left out of previews in a terminal. NaN makes a gap. An empty name: not in the legend.
struct Curve {
  std::string name;
  std::vector<double> x, y;
  Colour colour = Colour::blue;
  Stroke stroke = Stroke::solid;
  double width = 1.6, opacity = 1;
  bool minor = false;
};

struct Band {
  std::string name;
  std::vector<double> x, lower, upper;
  Colour colour = Colour::blue;
  double opacity = 0.22;
  bool minor = false;
};

// All across the panel, at a value of y, or of x when it is upright.
struct Line {
  std::string name;
  double at = 0;
  bool upright = false;
  Colour colour = Colour::ink;
  Stroke stroke = Stroke::dotted;
  bool minor = false;
};

struct Axis {
  std::string name, unit;  // unit as in results files: "m/s^2"
  double low = 0, high = 1;
  bool logarithmic = false;
};

struct Panel {
  std::string heading;
  Axis x, y;
  std::vector<Band> bands;
  std::vector<Curve> curves;
  std::vector<Line> lines;
  bool stacked = false;  // bands lie on each other and fill the panel
};

struct Figure {
  std::string title, subtitle;
  std::vector<Panel> panels;  // row by row
  int columns = 1;
  bool shared_x = true;  // all panels have the same x axis: only the lowest ones show its numbers
};

}  // namespace aleator::core::report
