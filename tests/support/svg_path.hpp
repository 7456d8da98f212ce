// Reads a curve back from the SVG of a figure, as src/report/svg_figure.hpp says it can be.
#pragma once

#include <regex>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace aleator::core::test {

struct SvgCurve {
  std::string path;                               // its `d`
  std::vector<std::pair<double, double>> points;  // in data units
  double pixel_x = 0, pixel_y = 0;                // data units of one pixel
};

inline std::vector<double> numbers_in(const std::string& text) {
  static const std::regex number("-?[0-9]*\\.?[0-9]+(e[+-]?[0-9]+)?");
  std::vector<double> all;
  for (std::sregex_iterator i(text.begin(), text.end(), number), end; i != end; ++i) all.push_back(std::stod(i->str()));
  return all;
}

// The part of `text` after `from` (from there on) and before `to`.
inline std::string between(const std::string& text, const std::string& from, const std::string& to, std::size_t start = 0) {
  const std::size_t a = text.find(from, start);
  if (a == std::string::npos) throw std::runtime_error("no " + from);
  const std::size_t b = text.find(to, a + from.size());
  return text.substr(a + from.size(), b - a - from.size());
}

inline SvgCurve svg_curve(const std::string& svg, const std::string& panel, const std::string& name) {
  const std::size_t at = svg.find("<g data-panel=\"" + panel + "\"");
  if (at == std::string::npos) throw std::runtime_error("no panel " + panel);
  const std::vector<double> x = numbers_in(between(svg, "data-x=\"", "\"", at)),
                            y = numbers_in(between(svg, "data-y=\"", "\"", at));
  const std::string rect = between(svg, "<rect ", "/>", at);
  const double left = std::stod(between(rect, "x=\"", "\"")), top = std::stod(between(rect, " y=\"", "\""));
  const double width = std::stod(between(rect, "width=\"", "\"")), height = std::stod(between(rect, "height=\"", "\""));
  const std::size_t title = svg.find("<title>" + name + "</title>", at), start = svg.rfind("<path d=\"", title);
  if (title == std::string::npos) throw std::runtime_error("no curve " + name);
  SvgCurve curve{between(svg, "<path d=\"", "\"", start), {}, (x[1] - x[0]) / width, (y[1] - y[0]) / height};
  const auto add = [&](double u, double v) {
    curve.points.emplace_back(x[0] + (u - left) * curve.pixel_x, y[1] - (v - top) * curve.pixel_y);
  };
  for (std::size_t m = curve.path.find('M'); m != std::string::npos; m = curve.path.find('M', m + 1)) {
    const std::vector<double> all = numbers_in(curve.path.substr(m, curve.path.find('M', m + 1) - m));
    double u = all.at(0), v = all.at(1);
    add(u, v);
    for (std::size_t i = 2; i + 1 < all.size(); i += 2) add(u += all[i], v += all[i + 1]);
  }
  return curve;
}

}  // namespace aleator::core::test
