// Where everything of a figure goes in its picture: titles, legends, panels.
#pragma once

#include <string>
#include <vector>

#include "report/figure.hpp"
#include "report/legend.hpp"
#include "report/svg_figure.hpp"

namespace aleator::core::report {

// px
constexpr double margin = 14, title_size = 17, label_size = 13, small_size = 12, tick_size = 11;
constexpr double swatch = 22, line_height = 18;

// Titles and entries of a legend in lines, as words of a text.
struct Flow {
  struct Item {
    LegendEntry entry;  // not of a title
    bool title = false;
    std::vector<std::string> text;  // lines; usually one
    double x = 0;                   // from the left
    int line = 0;
  };
  std::vector<Item> items;
  int lines = 0;
};

struct Box {
  double left, top, right, bottom;
};

struct Layout {
  std::vector<std::string> title, subtitle;  // lines
  Flow legend;
  struct OfPanel {
    Flow header;
    double header_left = 0;
    Box box{};
  };
  std::vector<OfPanel> panels;
  double height = 0, least = 0;  // least: with less the panels have no room
};

Layout layout_of(const Figure& figure, const SvgOptions& options);

// The name of the y axis stands above the panel, where it can be read without turning the head.
std::string header_of(const Panel& panel);

int y_marks(double height);  // how many there is room for

}  // namespace aleator::core::report
