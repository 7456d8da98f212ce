#include "report/terminal_figure.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/text_table.hpp"
#include "report/terminal_axis.hpp"
#include "report/text.hpp"
#include "report/ticks.hpp"

namespace aleator::core::report {
namespace {

// Of the 256 colours of terminals; 0: that of the text.
int terminal_colour(Colour c) {
  const int colours[] = {0, 33, 36, 175, 214, 202, 75, 185};
  return colours[int(c)];
}

std::string painted(const std::string& text, int colour) {
  return colour == 0 ? text : fmt::format("\x1b[38;5;{}m{}\x1b[0m", colour, text);
}

// A raster of dots; of each character, the colour of what was drawn last.
class Canvas {
 public:
  Canvas(int columns, int rows, bool ascii)
      : columns_(columns), rows_(rows), ascii_(ascii), cells_(std::size_t(columns) * std::size_t(rows)) {}

  int width() const { return ascii_ ? columns_ : 2 * columns_; }
  int height() const { return ascii_ ? rows_ : 4 * rows_; }

  // `glyph` stands for the dot where there are no dots.
  void dot(int x, int y, char glyph, int colour) {
    if (x < 0 || y < 0 || x >= width() || y >= height()) return;
    const int bits[4][2] = {{0x01, 0x08}, {0x02, 0x10}, {0x04, 0x20}, {0x40, 0x80}};
    Cell& cell = ascii_ ? at(x, y) : at(x / 2, y / 4);
    cell.dots |= ascii_ ? 0 : bits[y % 4][x % 2];
    cell.glyph = std::string(1, glyph);
    cell.colour = colour;
  }
  void fill(int column, int row, const std::string& glyph, int colour) { at(column, row) = {0, glyph, colour}; }

  std::string line(int row, bool colour) const {
    std::string text;
    for (int c = 0; c < columns_; ++c) {
      const Cell& cell = cells_[std::size_t(row) * std::size_t(columns_) + std::size_t(c)];
      std::string glyph = cell.glyph.empty() ? " " : cell.glyph;
      if (cell.dots != 0) {
        const int code = 0x2800 + cell.dots;
        glyph = {char(0xE0 | (code >> 12)), char(0x80 | ((code >> 6) & 0x3F)), char(0x80 | (code & 0x3F))};
      }
      text += colour ? painted(glyph, cell.colour) : glyph;
    }
    return text;
  }

 private:
  struct Cell {
    int dots = 0;
    std::string glyph;  // empty: nothing there
    int colour = 0;
  };
  Cell& at(int column, int row) { return cells_[std::size_t(row) * std::size_t(columns_) + std::size_t(column)]; }

  int columns_, rows_;
  bool ascii_;
  std::vector<Cell> cells_;
};

struct Span {
  double low = std::numeric_limits<double>::infinity(), high = -low;
  bool empty() const { return !(low <= high); }
  void take(double y) {
    low = std::min(low, y);
    high = std::max(high, y);
  }
};

// What a curve covers in each of `columns` columns, in dots from the top, so that neither peaks nor connections are lost.
std::vector<Span> spans(const Panel& p, const std::vector<double>& x, const std::vector<double>& y, const Canvas& canvas) {
  std::vector<Span> out(std::size_t(canvas.width()));
  const auto place = [&](std::size_t i) {
    return std::pair(along(p.x, x[i]) * (canvas.width() - 1), (1 - along(p.y, y[i])) * (canvas.height() - 1));
  };
  const auto take = [&](double column, double row) {
    const long c = std::lround(column);
    if (c >= 0 && c < long(out.size())) out[std::size_t(c)].take(row);
  };
  for (std::size_t i = 0; i < std::min(x.size(), y.size()); ++i) {
    const auto [u, v] = place(i);
    if (!std::isfinite(u) || !std::isfinite(v)) continue;
    take(u, v);
    if (i == 0 || !std::isfinite(y[i - 1])) continue;
    const auto [u0, v0] = place(i - 1);
    if (!std::isfinite(u0) || u0 == u) continue;
    for (double edge = std::floor(u0 + 0.5) + 0.5; edge < u; ++edge) {  // between two columns: both have it
      const double row = v0 + (v - v0) * (edge - u0) / (u - u0);
      take(edge - 0.25, row);
      take(edge + 0.25, row);
    }
  }
  return out;
}

void draw_band(Canvas& canvas, const Panel& p, const Band& b, bool ascii) {
  const std::vector<Span> lower = spans(p, b.x, b.lower, canvas), upper = spans(p, b.x, b.upper, canvas);
  for (int x = 0; x < canvas.width(); ++x) {
    const Span &l = lower[std::size_t(x)], &u = upper[std::size_t(x)];
    if (l.empty() || u.empty()) continue;
    const long top = std::lround(u.low), bottom = std::lround(l.high);
    for (long y = top; y <= bottom; ++y) {
      const bool end = y == top || y == bottom;
      const bool shade = y % 2 == 0 && x % 4 == y % 4;  // one dot in eight: the mean stays the darkest
      if (ascii || shade || (end && x % 2 == 0)) canvas.dot(x, int(y), '.', terminal_colour(b.colour));
    }
  }
}

void draw_curve(Canvas& canvas, const Panel& p, const Curve& c, char glyph) {
  const std::vector<Span> all = spans(p, c.x, c.y, canvas);
  for (int x = 0; x < canvas.width(); ++x) {
    const Span& s = all[std::size_t(x)];
    if (s.empty()) continue;
    for (long y = std::lround(s.low); y <= std::lround(s.high); ++y) canvas.dot(x, int(y), glyph, terminal_colour(c.colour));
  }
}

void draw_line(Canvas& canvas, const Panel& p, const Line& l) {
  const double place = along(l.upright ? p.x : p.y, l.at);
  if (!(place >= 0 && place <= 1)) return;
  const long x = std::lround(place * (canvas.width() - 1)), y = std::lround((1 - place) * (canvas.height() - 1));
  for (int k = 0; k < (l.upright ? canvas.height() : canvas.width()); k += l.upright ? 2 : 3)
    canvas.dot(l.upright ? int(x) : k, l.upright ? k : int(y), l.upright ? '|' : '-', terminal_colour(l.colour));
}

const char* fill_of(std::size_t k, bool ascii) {
  const char* const shades[] = {"█", "▓", "▒", "░", "·"};
  const char* const letters[] = {"#", "o", "+", ":", "."};
  return (ascii ? letters : shades)[k % 5];
}

// Bands that lie on each other: each character shows the one at its middle.
void draw_stack(Canvas& canvas, const Panel& p, int columns, int rows, bool ascii) {
  for (std::size_t k = 0; k < p.bands.size(); ++k) {
    const Band& b = p.bands[k];
    for (int c = 0; c < columns; ++c) {
      const double x = p.x.low + (c + 0.5) / columns * (p.x.high - p.x.low);
      const auto at = std::size_t(std::lower_bound(b.x.begin(), b.x.end(), x) - b.x.begin());
      if (at >= b.x.size()) continue;
      for (int r = 0; r < rows; ++r) {
        const double y = p.y.high - (r + 0.5) / rows * (p.y.high - p.y.low);
        if (y >= b.lower[at] && y < b.upper[at]) canvas.fill(c, r, fill_of(k, ascii), terminal_colour(b.colour));
      }
    }
  }
}

char curve_glyph(std::size_t k) { return "*o+x"[k % 4]; }

// Name and legend of a panel, in lines no longer than the terminal.
std::string header_text(const Panel& p, const TerminalOptions& o) {
  std::string text = p.heading, title = ticks_of(p.y, 5).title;
  if (!title.empty()) text += (text.empty() ? "" : ": ") + title;
  text = wrapped(text, std::size_t(o.width));
  if (!text.empty()) text.pop_back();
  std::size_t column = characters(text.substr(text.rfind('\n') + 1));
  std::vector<std::string> known;
  const auto add = [&](const std::string& name, const std::string& glyph, Colour colour) {
    if (name.empty() || std::find(known.begin(), known.end(), name) != known.end()) return;
    known.push_back(name);
    const std::size_t width = 3 + characters(glyph) + characters(name);
    const bool breaks = column + width > std::size_t(o.width);
    text += breaks ? "\n  " : "  ";
    text += (o.colour ? painted(glyph, terminal_colour(colour)) : glyph) + " " + name;
    column = breaks ? width : column + width;
  };
  for (std::size_t k = 0; k < p.bands.size(); ++k)
    if (!p.bands[k].minor) add(p.bands[k].name, p.stacked ? fill_of(k, o.ascii) : o.ascii ? "." : "⢕", p.bands[k].colour);
  std::size_t k = 0;
  for (const Curve& c : p.curves)
    if (!c.minor) add(c.name, o.ascii ? std::string(1, curve_glyph(k++)) : "⠤⠤", c.colour);
  for (const Line& l : p.lines)
    if (!l.minor) add(l.name, o.ascii ? (l.upright ? "|" : "-") : "⠄⠄", l.colour);
  return text + "\n";
}

std::string panel_text(const Panel& p, const TerminalOptions& o, std::size_t gutter) {
  const int columns = std::max(10, o.width - int(gutter) - 2);
  Canvas canvas(columns, o.rows, o.ascii);
  if (p.stacked) draw_stack(canvas, p, columns, o.rows, o.ascii);
  for (const Line& l : p.lines)
    if (!l.minor) draw_line(canvas, p, l);
  if (!p.stacked)
    for (const Band& b : p.bands)
      if (!b.minor) draw_band(canvas, p, b, o.ascii);
  std::size_t k = 0;
  for (const Curve& c : p.curves)
    if (!c.minor) draw_curve(canvas, p, c, curve_glyph(k++));
  const AxisPlace place{gutter, columns, o.ascii ? 1 : 2, o.ascii};
  const std::vector<std::string> labels = y_axis_labels(p.y, o.rows, place);
  std::string text = header_text(p, o);
  for (int r = 0; r < o.rows; ++r) {
    const std::string& label = labels[std::size_t(r)];
    text += std::string(gutter - characters(label), ' ') + label +
            (o.ascii         ? (label.empty() ? " |" : " +")
             : label.empty() ? " │"
                             : " ┤");
    text += canvas.line(r, o.colour) + "\n";
  }
  for (const std::string& line : x_axis_lines(p.x, place)) text += line + "\n";
  return text;
}

}  // namespace

std::string terminal_text(const Figure& figure, const TerminalOptions& options) {
  std::size_t gutter = 0;
  for (const Panel& p : figure.panels)
    for (const std::string& label : y_axis_labels(p.y, options.rows, {.ascii = options.ascii}))
      gutter = std::max(gutter, characters(label));
  std::string text = wrapped(printable(figure.title), std::size_t(options.width));
  if (!figure.subtitle.empty()) text += wrapped(printable(figure.subtitle), std::size_t(options.width));
  for (const Panel& p : figure.panels) text += panel_text(p, options, gutter);
  return options.ascii ? plain_ascii(text) : text;
}

}  // namespace aleator::core::report
