#include "report/terminal_axis.hpp"

#include <algorithm>
#include <cmath>

#include "report/text.hpp"
#include "report/ticks.hpp"

namespace aleator::core::report {
namespace {

constexpr int dots_of_rows = 4;

// A line of characters in which texts are put; each character may have several bytes.
class LabelLine {
 public:
  explicit LabelLine(std::size_t width) : cells_(width) {}

  // Whether there is room for so many characters, with a blank around them.
  bool is_free(long at, long width) const {
    if (at < 0 || at + width > long(cells_.size())) return false;
    for (long i = std::max(0L, at - 1); i < std::min(long(cells_.size()), at + width + 1); ++i)
      if (!cells_[std::size_t(i)].empty()) return false;
    return true;
  }
  bool put(long at, const std::string& text) {
    if (!is_free(at, long(characters(text)))) return false;
    std::size_t from = 0;
    for (std::size_t cell = std::size_t(at); from < text.size(); ++cell) {
      const std::size_t length = std::max<std::size_t>(1, utf8_length(std::string_view(text).substr(from)));
      cells_[cell] = text.substr(from, length);
      from += length;
    }
    return true;
  }
  // Where a text of this width is centred in the last gap with two blanks on each side of it; −1: nowhere.
  long last_gap(long width) const {
    for (long end = long(cells_.size()); end > 0;) {
      while (end > 0 && !cells_[std::size_t(end - 1)].empty()) --end;
      long begin = end;
      while (begin > 0 && cells_[std::size_t(begin - 1)].empty()) --begin;
      if (end - begin >= width + 4) return begin + (end - begin - width) / 2;
      end = begin;
    }
    return -1;
  }
  std::string text() const {
    std::string out;
    for (const std::string& c : cells_) out += c.empty() ? " " : c;
    return out.substr(0, out.find_last_not_of(' ') + 1);
  }

 private:
  std::vector<std::string> cells_;
};

Ticks terminal_ticks(const Axis& axis, int most, bool ascii) {
  Ticks ticks = ticks_of(axis, most);
  if (!ascii) return ticks;
  for (std::string& label : ticks.labels) label = plain_ascii(label);
  ticks.title = plain_ascii(ticks.title);
  return ticks;
}

// The character that has the dot in which a value is drawn.
int column_of(const Axis& axis, double value, const AxisPlace& place) {
  const long dot = std::lround(along(axis, value) * (place.columns * place.dots - 1));
  return std::clamp(int(dot) / place.dots, 0, place.columns - 1);
}

}  // namespace

double along(const Axis& axis, double v) {
  const auto f = [&](double x) { return axis.logarithmic ? std::log(x) : x; };
  return (f(v) - f(axis.low)) / (f(axis.high) - f(axis.low));
}

std::vector<std::string> x_axis_lines(const Axis& axis, const AxisPlace& place) {
  const Ticks ticks = terminal_ticks(axis, std::max(3, place.columns / 12), place.ascii);
  const std::size_t left = place.gutter + 2;
  std::vector<const char*> marks(std::size_t(place.columns), place.ascii ? "-" : "─");
  LabelLine numbers(left + std::size_t(place.columns));
  const auto number_at = [&](std::size_t i) {
    const int column = column_of(axis, ticks.at[i], place);
    const long width = long(characters(ticks.labels[i])), room = long(left) + place.columns - width;
    if (numbers.put(std::clamp(long(left) + column - width / 2, 0L, std::max(0L, room)), ticks.labels[i]))
      marks[std::size_t(column)] = place.ascii ? "+" : "┬";
  };
  if (!ticks.at.empty()) number_at(0), number_at(ticks.at.size() - 1);
  for (std::size_t i = 1; i + 1 < ticks.at.size(); ++i) number_at(i);
  std::string line = std::string(place.gutter + 1, ' ') + (place.ascii ? "+" : "└");
  for (const char* mark : marks) line += mark;
  const long width = long(characters(ticks.title)), gap = numbers.last_gap(width);
  if (width > 0 && gap >= 0) numbers.put(gap, ticks.title);
  std::vector<std::string> lines = {line, numbers.text()};
  if (width > 0 && gap < 0)
    lines.push_back(std::string(std::size_t(std::max(0L, long(left) + place.columns - width)), ' ') + ticks.title);
  return lines;
}

std::vector<std::string> y_axis_labels(const Axis& axis, int rows, const AxisPlace& place) {
  const Ticks ticks = terminal_ticks(axis, std::max(3, rows / 2), place.ascii);
  const int dots = place.ascii ? 1 : dots_of_rows;
  std::vector<std::string> labels{std::size_t(rows)};
  for (std::size_t i = 0; i < ticks.at.size(); ++i) {
    const long dot = std::lround((1 - along(axis, ticks.at[i])) * (rows * dots - 1));
    labels[std::size_t(std::clamp<long>(dot / dots, 0, rows - 1))] = ticks.labels[i];
  }
  return labels;
}

}  // namespace aleator::core::report
