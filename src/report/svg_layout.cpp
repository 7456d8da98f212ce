#include "report/svg_layout.hpp"

#include <algorithm>
#include <cmath>

#include "report/text.hpp"
#include "report/ticks.hpp"

namespace aleator::core::report {
namespace {

constexpr double entry_gap = 16, column_gap = 18, bold = 1.08;  // bold: so much wider

// Bytes of the longest beginning that fits; at least one character. From the front: a word may be as long as a file.
std::size_t fitting(const std::string& word, double size, double width) {
  const auto after = [&](std::size_t n) {  // the character that begins there
    do ++n;
    while (n < word.size() && (word[n] & 0xC0) == 0x80);
    return n;
  };
  std::size_t n = after(0);
  while (n < word.size() && size * text_width(word.substr(0, after(n))) <= width) n = after(n);
  return n;
}

// Words in lines of at most `width` px; words that are longer are cut.
std::vector<std::string> in_lines(const std::string& text, double size, double width) {
  std::vector<std::string> lines;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find(' ', at), text.size());
    std::string word = text.substr(at, end - at);
    at = end + 1;
    if (!lines.empty() && size * text_width(lines.back() + " " + word) <= width) {
      lines.back() += " " + word;
      continue;
    }
    for (std::size_t n = 0; !word.empty(); word.erase(0, n)) lines.push_back(word.substr(0, n = fitting(word, size, width)));
  }
  return lines;
}

Flow flow(const std::string& title, const std::vector<LegendEntry>& entries, double width) {
  Flow f;
  double x = 0;
  const auto add = [&](Flow::Item item, const std::string& text) {
    const double size = item.title ? bold * label_size : small_size, before = item.title ? 0 : swatch + 6;
    item.text = in_lines(text, size, width - before);
    double needed = 0;
    for (const std::string& line : item.text) needed = std::max(needed, before + size * text_width(line));
    if (f.lines == 0 || x + needed > width) ++f.lines, x = 0;
    item.x = x;
    item.line = f.lines - 1;
    f.lines += std::max(0, int(item.text.size()) - 1);
    x = item.text.size() > 1 ? width : x + needed + entry_gap;
    f.items.push_back(std::move(item));
  };
  if (!title.empty()) add({.title = true}, title);
  for (const LegendEntry& e : entries) add({.entry = e}, e.name);
  return f;
}

class Planner {
 public:
  Planner(const Figure& figure, const SvgOptions& options) : f_(figure), o_(options), columns_(std::max(1, figure.columns)) {
    rows_ = (int(f_.panels.size()) + columns_ - 1) / columns_;
    column_width_ = (o_.width - 2 * margin - (columns_ - 1) * column_gap) / columns_;
    above_.resize(std::size_t(rows_));
    below_.resize(std::size_t(rows_));
  }

  Layout plan() {
    const double top = plan_head();
    double fixed = top + margin;
    for (int r = 0; r < rows_; ++r) fixed += plan_row(r);
    out_.least = fixed + rows_ * 60;
    const double usual = std::min(rows_ == 1 ? 300. : rows_ == 2 ? 210. : 165., std::max(110., 0.62 * column_width_));
    const double each = o_.height > 0 ? std::max(30., (o_.height - fixed) / std::max(1, rows_)) : usual;
    out_.height = o_.height > 0 ? o_.height : std::ceil(fixed + rows_ * each);
    place(top, each);
    return out_;
  }

 private:
  double plan_head() {
    const double width = o_.width - 2 * margin;
    const Legends legends = legends_of(f_);
    out_.title = in_lines(f_.title, bold * title_size, width);
    out_.subtitle = in_lines(f_.subtitle, small_size, width);
    out_.legend = flow("", legends.common, width);
    for (std::size_t i = 0; i < f_.panels.size(); ++i)
      out_.panels.push_back({flow(header_of(f_.panels[i]), legends.of_panel[i], column_width_)});
    return margin + 22 * double(out_.title.size()) + 16 * double(out_.subtitle.size()) + line_height * out_.legend.lines + 6;
  }

  // What a row of panels needs besides the panels themselves.
  double plan_row(int r) {
    int lines = 0;
    for (std::size_t i = 0; i < f_.panels.size(); ++i)
      if (int(i) / columns_ == r) lines = std::max(lines, out_.panels[i].header.lines);
    above_[std::size_t(r)] = line_height * lines + 6;
    below_[std::size_t(r)] = r == rows_ - 1 || !f_.shared_x ? 40 : 8;
    return above_[std::size_t(r)] + below_[std::size_t(r)];
  }

  void place(double top, double each) {
    std::vector<double> gutter(std::size_t(columns_), 0.);
    for (std::size_t i = 0; i < f_.panels.size(); ++i)
      for (const std::string& label : ticks_of(f_.panels[i].y, y_marks(each)).labels)
        gutter[i % gutter.size()] = std::max(gutter[i % gutter.size()], tick_size * text_width(label) + 9);
    double y = top;
    for (std::size_t i = 0; i < f_.panels.size(); ++i) {
      const std::size_t column = i % gutter.size(), row = i / gutter.size();
      const double left = margin + double(column) * (column_width_ + column_gap);
      out_.panels[i].header_left = left;
      out_.panels[i].box = {left + gutter[column], y + above_[row], left + column_width_ - 10, y + above_[row] + each};
      if (column + 1 == gutter.size()) y += above_[row] + each + below_[row];
    }
  }

  const Figure& f_;
  const SvgOptions& o_;
  int columns_, rows_ = 0;
  double column_width_ = 0;
  std::vector<double> above_, below_;  // [rows]
  Layout out_;
};

}  // namespace

std::string header_of(const Panel& p) {
  const std::string axis = ticks_of(p.y, 5).title;
  return p.heading.empty() ? axis : axis.empty() ? p.heading : p.heading + ": " + axis;
}

int y_marks(double height) { return std::clamp(int(height / 32), 3, 8); }

Layout layout_of(const Figure& figure, const SvgOptions& options) { return Planner(figure, options).plan(); }

}  // namespace aleator::core::report
