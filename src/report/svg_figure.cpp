#include "report/svg_figure.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <iterator>

#include "report/polyline.hpp"
#include "report/svg_layout.hpp"
#include "report/text.hpp"
#include "report/ticks.hpp"

namespace aleator::core::report {
namespace {

struct Theme {
  const char *background, *ink, *grey, *grid;
  const char* colours[8];  // in the order of Colour
};
const Theme light = {"#fff",
                     "#22272c",
                     "#565f68",
                     "#e3e7ea",
                     {"#22272c", "#0072b2", "#009e73", "#cc79a7", "#e69f00", "#d55e00", "#56b4e9", "#c9b800"}};
const Theme dark = {"#14181d",
                    "#e6e9ec",
                    "#a4aeb8",
                    "#2b333b",
                    {"#e6e9ec", "#4aa8e0", "#2fc79b", "#dd94bd", "#f0b63c", "#f07f38", "#7cc7f2", "#f0e442"}};

std::string px(double x) {
  std::string text = fmt::format("{:.1f}", double(std::lround(10 * x)) / 10);
  if (text.ends_with(".0")) text.resize(text.size() - 2);
  return text;
}

// Tenths as in "3.4", "-.5", "12", "0".
std::string step(long tenths) {
  const long size = std::labs(tenths);
  std::string text = tenths < 0 ? "-" : "";
  if (size >= 10 || size == 0) text += fmt::format("{}", size / 10);
  return size % 10 == 0 ? text : text + fmt::format(".{}", size % 10);
}

const char* dashes(Stroke stroke) {
  return stroke == Stroke::dashed ? " stroke-dasharray=\"6 4\"" : stroke == Stroke::dotted ? " stroke-dasharray=\"2 3\"" : "";
}

double length_of(const Polyline& line) {
  double length = 0;
  for (std::size_t i = 1; i < line.size(); ++i) length += std::hypot(line[i].x - line[i - 1].x, line[i].y - line[i - 1].y);
  return length;
}

std::string opacity_text(const char* attribute, double opacity) {
  return opacity < 1 ? fmt::format(" {}=\"{:g}\"", attribute, opacity) : "";
}

class Writer {
 public:
  Writer(const Figure& figure, const SvgOptions& options)
      : f_(figure), o_(options), theme_(options.dark ? dark : light), plan_(layout_of(figure, options)) {}

  std::string text() {
    begin();
    for (std::size_t i = 0; i < f_.panels.size(); ++i) panel(i);
    out_ += "</svg>\n";
    return std::move(out_);
  }

 private:
  const char* colour(Colour c) const { return theme_.colours[int(c)]; }

  template <class... Args>
  void add(fmt::format_string<Args...> format, Args&&... args) {
    fmt::format_to(std::back_inserter(out_), format, std::forward<Args>(args)...);
  }

  void write(double x, double y, const std::string& text, double size, const char* fill, const char* more = "") {
    add("<text x=\"{}\" y=\"{}\" font-size=\"{:g}\" fill=\"{}\"{}>{}</text>\n", px(x), px(y), size, fill, more, escaped(text));
  }

  void begin() {
    add("<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0}\" height=\"{1}\" viewBox=\"0 0 {0} {1}\" role=\"img\" "
        "font-family=\"Helvetica,Arial,sans-serif\">\n",
        px(o_.width), px(plan_.height));
    add("<title>{}</title>\n<desc>{}</desc>\n", escaped(f_.title), escaped(description()));
    add("<rect width=\"100%\" height=\"100%\" fill=\"{}\"/>\n", theme_.background);
    double y = margin + 14;
    for (const std::string& line : plan_.title) write(margin, y, line, title_size, theme_.ink, " font-weight=\"bold\""), y += 22;
    for (const std::string& line : plan_.subtitle) write(margin, y, line, small_size, theme_.grey), y += 16;
    legend(plan_.legend, margin, y + 2);
  }

  std::string description() const {
    std::string text = f_.subtitle;
    for (const Panel& p : f_.panels) {
      text += fmt::format("{}{}", text.empty() ? "" : "; ", header_of(p));
      const std::string x = ticks_of(p.x, 5).title;
      if (!x.empty()) text += " over " + x;
    }
    return text;
  }

  void legend(const Flow& f, double left, double y) {
    for (const Flow::Item& item : f.items) {
      const double x = left + item.x, base = y + line_height * item.line;
      if (!item.title) sample(item.entry, x, base);
      for (std::size_t i = 0; i < item.text.size(); ++i)
        write(item.title ? x : x + swatch + 6, base + line_height * double(i), item.text[i], item.title ? label_size : small_size,
              theme_.ink, item.title ? " font-weight=\"bold\"" : "");
    }
  }

  void sample(const LegendEntry& e, double x, double base) {
    if (e.filled)
      add("<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"10\" fill=\"{}\"{}/>\n", px(x), px(base - 9), swatch, colour(e.colour),
          opacity_text("fill-opacity", e.opacity));
    else
      add("<path d=\"M{} {}h{}\" stroke=\"{}\" stroke-width=\"{:g}\"{}{}/>\n", px(x), px(base - 4), swatch, colour(e.colour),
          e.width, dashes(e.stroke), opacity_text("stroke-opacity", e.opacity));
  }

  void panel(std::size_t i) {
    const Panel& p = f_.panels[i];
    const Box& b = plan_.panels[i].box;
    const std::size_t columns = std::size_t(std::max(1, f_.columns));
    const bool lowest = i + columns >= f_.panels.size();
    add("<g data-panel=\"{}\" data-x=\"{:.17g} {:.17g}\" data-y=\"{:.17g} {:.17g}\">\n",
        escaped(p.heading.empty() ? p.y.name : p.heading + ": " + p.y.name), p.x.low, p.x.high, p.y.low, p.y.high);
    add("<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" fill=\"none\" stroke=\"{}\"/>\n", px(b.left), px(b.top),
        px(b.right - b.left), px(b.bottom - b.top), theme_.grid);
    const Flow& header = plan_.panels[i].header;
    legend(header, plan_.panels[i].header_left, b.top - 8 - line_height * (header.lines - 1));
    if (!p.stacked) x_axis(p, b, lowest || !f_.shared_x, true), y_axis(p, b, true);
    out_ += "<g fill=\"none\" stroke-linejoin=\"round\">\n";
    for (const Band& band : p.bands) this->band(p, b, band);
    for (const Curve& curve : p.curves) this->curve(p, b, curve);
    for (const Line& line : p.lines) this->line(p, b, line);
    out_ += "</g>\n";
    if (p.stacked) x_axis(p, b, lowest || !f_.shared_x, false), y_axis(p, b, false);
    add("<path d=\"M{} {}V{}H{}\" fill=\"none\" stroke=\"{}\"/>\n</g>\n", px(b.left), px(b.top), px(b.bottom), px(b.right),
        theme_.grey);
  }

  static double X(const Panel& p, const Box& b, double v) {
    const auto f = [&](double x) { return p.x.logarithmic ? std::log(x) : x; };
    return b.left + (b.right - b.left) * (f(v) - f(p.x.low)) / (f(p.x.high) - f(p.x.low));
  }
  static double Y(const Panel& p, const Box& b, double v) {
    const auto f = [&](double y) { return p.y.logarithmic ? std::log(y) : y; };
    return b.bottom - (b.bottom - b.top) * (f(v) - f(p.y.low)) / (f(p.y.high) - f(p.y.low));
  }

  void y_axis(const Panel& p, const Box& b, bool grid) {
    const Ticks ticks = ticks_of(p.y, y_marks(b.bottom - b.top));
    for (std::size_t i = 0; i < ticks.at.size(); ++i) {
      const double y = Y(p, b, ticks.at[i]);
      if (grid)
        add("<path d=\"M{} {}H{}\" stroke=\"{}\"/>\n", px(b.left), px(y), px(b.right),
            ticks.at[i] == 0 ? theme_.grey : theme_.grid);
      write(b.left - 6, y + 4, ticks.labels[i], tick_size, theme_.grey, " text-anchor=\"end\"");
    }
  }

  void x_axis(const Panel& p, const Box& b, bool numbers, bool grid) {
    const Ticks ticks = x_ticks(p, b);
    for (std::size_t i = 0; i < ticks.at.size(); ++i) {
      const double x = X(p, b, ticks.at[i]);
      if (grid) add("<path d=\"M{} {}V{}\" stroke=\"{}\"/>\n", px(x), px(b.top), px(b.bottom), theme_.grid);
      add("<path d=\"M{} {}v4\" stroke=\"{}\"/>\n", px(x), px(b.bottom), theme_.grey);
      if (numbers) write(x, b.bottom + 16, ticks.labels[i], tick_size, theme_.grey, " text-anchor=\"middle\"");
    }
    if (numbers) write((b.left + b.right) / 2, b.bottom + 33, ticks.title, small_size, theme_.ink, " text-anchor=\"middle\"");
  }

  // As many marks as there is room for their labels.
  static Ticks x_ticks(const Panel& p, const Box& b) {
    for (int most = 11;; --most) {
      Ticks ticks = ticks_of(p.x, most);
      double widest = 0, nearest = b.right - b.left;
      for (const std::string& label : ticks.labels) widest = std::max(widest, tick_size * text_width(label));
      for (std::size_t i = 1; i < ticks.at.size(); ++i)
        nearest = std::min(nearest, X(p, b, ticks.at[i]) - X(p, b, ticks.at[i - 1]));
      if (most <= 3 || nearest > widest + 10) return ticks;
    }
  }

  std::vector<Polyline> lines_of(const Panel& p, const Box& b, const std::vector<double>& x, const std::vector<double>& y) const {
    return pieces(x, y, [&](double u, double v) { return Point{X(p, b, u), Y(p, b, v)}; });
  }

  // The first point, then steps: "M10 20.5l.8 3-.5 1". Steps are between rounded points, so that errors do not add up.
  void points(const Polyline& line) {
    // What is far outside stays outside, wherever exactly.
    const auto tenths = [](double x) { return std::lround(10 * std::clamp(x, -1e8, 1e8)); };
    out_ += "M" + px(line[0].x) + " " + px(line[0].y);
    for (std::size_t i = 1; i < line.size(); ++i) {
      const std::string dx = step(tenths(line[i].x) - tenths(line[i - 1].x)),
                        dy = step(tenths(line[i].y) - tenths(line[i - 1].y));
      out_ += i == 1 ? "l" : dx[0] == '-' ? "" : " ";
      out_ += dx;
      out_ += (dy[0] == '-' ? "" : " ") + dy;
    }
  }

  void finish_path(const std::string& name) {
    if (name.empty())
      out_ += "/>\n";
    else
      add("><title>{}</title></path>\n", escaped(name));
  }

  // A vibration that fills an area is drawn fine, so that what lies below can be seen.
  void curve(const Panel& p, const Box& b, const Curve& c) {
    std::vector<Polyline> all = lines_of(p, b, c.x, c.y);
    if (all.empty()) return;
    double length = 0;
    for (Polyline& line : all) line = simplified(line), length += length_of(line);
    const bool dense = length > 12 * (b.right - b.left);
    out_ += "<path d=\"";
    for (const Polyline& line : all) points(line), out_ += line.size() == 1 ? "h0" : "";
    add("\" stroke=\"{}\" stroke-width=\"{:g}\"{}{}", colour(c.colour), dense ? std::min(c.width, 0.5) : c.width,
        dense ? "" : dashes(c.stroke), opacity_text("stroke-opacity", c.opacity));
    finish_path(c.name);
  }

  void band(const Panel& p, const Box& b, const Band& band) {
    std::vector<double> lower = band.lower, upper = band.upper;
    for (std::size_t i = 0; i < lower.size(); ++i)
      if (!std::isfinite(lower[i] + upper[i])) lower[i] = upper[i] = std::nan("");  // the same gaps above and below
    const std::vector<Polyline> below = lines_of(p, b, band.x, lower), above = lines_of(p, b, band.x, upper);
    if (below.empty()) return;
    out_ += "<path d=\"";
    for (std::size_t i = 0; i < below.size(); ++i) {
      Polyline outline = simplified(above[i]);
      const Polyline back = simplified(below[i]);
      outline.insert(outline.end(), back.rbegin(), back.rend());
      points(outline), out_ += "z";
    }
    add("\" fill=\"{}\"{}", colour(band.colour), opacity_text("fill-opacity", band.opacity));
    finish_path(band.name);
  }

  void line(const Panel& p, const Box& b, const Line& l) {
    const double low = l.upright ? p.x.low : p.y.low, high = l.upright ? p.x.high : p.y.high;
    if (!(l.at >= low && l.at <= high)) return;
    if (l.upright)
      add("<path d=\"M{} {}V{}\"", px(X(p, b, l.at)), px(b.top), px(b.bottom));
    else
      add("<path d=\"M{} {}H{}\"", px(b.left), px(Y(p, b, l.at)), px(b.right));
    add(" stroke=\"{}\" stroke-width=\"1.4\"{}", colour(l.colour), dashes(l.stroke));
    finish_path(l.name);
  }

  const Figure& f_;
  const SvgOptions& o_;
  const Theme& theme_;
  Layout plan_;
  std::string out_;
};

}  // namespace

std::string svg_text(const Figure& figure, const SvgOptions& options) { return Writer(figure, options).text(); }

double least_height(const Figure& figure, const SvgOptions& options) { return layout_of(figure, options).least; }

}  // namespace aleator::core::report
