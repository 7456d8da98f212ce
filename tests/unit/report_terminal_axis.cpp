// Numbers of axes in a terminal: each under the mark at which its value is drawn, the first and the last always there.
#include "report/terminal_axis.hpp"

#include <gtest/gtest.h>

#include "report/terminal_figure.hpp"
#include "report/text.hpp"

namespace aleator::core::report {
namespace ALEATOR_FILE {

// A line as one string per character.
std::vector<std::string> cells(const std::string& line) {
  std::vector<std::string> out;
  for (std::size_t at = 0; at < line.size(); at += out.back().size())
    out.push_back(line.substr(at, std::max<std::size_t>(1, utf8_length(std::string_view(line).substr(at)))));
  return out;
}

// Columns of the plot that have a mark, and the number centred under each.
std::vector<std::pair<int, std::string>> marks_of(const std::vector<std::string>& lines, const AxisPlace& place) {
  const std::vector<std::string> marks = cells(lines.at(0)), numbers = cells(lines.at(1));
  std::vector<std::pair<int, std::string>> out;
  for (std::size_t i = place.gutter + 2; i < marks.size(); ++i) {
    if (marks[i] != "┬" && marks[i] != "+") continue;
    const auto is_text = [&](std::size_t k) { return k < numbers.size() && numbers[k] != " "; };
    std::size_t from = i, to = i;
    if (!is_text(i)) ++from, ++to;  // of an even number of characters the middle is beside
    while (from > 0 && is_text(from - 1)) --from;
    while (is_text(to)) ++to;
    std::string text;
    for (std::size_t k = from; k < to; ++k) text += numbers[k];
    out.emplace_back(int(i - place.gutter - 2), text);
  }
  return out;
}

using Marks = std::vector<std::pair<int, std::string>>;

TEST(TerminalAxis, numbers_stand_where_their_values_are) {
  const AxisPlace place{5, 61, 2, false};
  const auto lines = x_axis_lines({.name = "x", .unit = "m", .low = -230, .high = 60}, place);
  // column of v: round((v + 230) / 290 · 121) / 2
  EXPECT_EQ(marks_of(lines, place), (Marks{{6, "−200"}, {27, "−100"}, {48, "0"}})) << lines[0] << "\n" << lines[1];
  EXPECT_NE(lines[1].find("x (m)"), std::string::npos) << lines[1];
}

TEST(TerminalAxis, the_first_and_the_last_are_there_and_whole) {
  for (int columns = 10; columns < 120; ++columns)
    for (const double high : {1.0, 2.0, 30e-3, 1e5}) {
      const AxisPlace place{4, columns, 2, false};
      const auto lines = x_axis_lines({.name = "time", .unit = "s", .low = 0, .high = high}, place);
      const auto marks = marks_of(lines, place);
      ASSERT_GE(marks.size(), 2u) << columns << " " << high << "\n" << lines[0] << "\n" << lines[1];
      EXPECT_EQ(marks.front().first, 0);
      for (const std::string& line : lines) EXPECT_LE(characters(line), std::size_t(columns) + 6) << line;
      std::string all;
      for (const std::string& line : lines) all += line + "\n";
      EXPECT_NE(all.find("time ("), std::string::npos) << all;
    }
}

TEST(TerminalAxis, without_characters_beyond_ascii_powers_of_ten_are_longer) {
  const AxisPlace place{4, 60, 1, true};
  const auto lines = x_axis_lines({.name = "n", .low = 1e2, .high = 1e6, .logarithmic = true}, place);
  EXPECT_EQ(marks_of(lines, place), (Marks{{0, "100"}, {15, "1000"}, {30, "10^4"}, {44, "10^5"}, {59, "10^6"}})) << lines[1];
}

// The row of a value is that of the dot which the curve has there.
TEST(TerminalAxis, numbers_of_y_stand_in_the_rows_of_their_values) {
  const auto labels = y_axis_labels({.low = -1, .high = 11}, 9, {});
  EXPECT_EQ(labels, (std::vector<std::string>{"10", "", "", "", "5", "", "", "", "0"}));
  Figure f;
  f.panels.push_back({.x = {.name = "t", .low = 0, .high = 1}, .y = {.low = -1, .high = 11}});
  f.panels[0].curves.push_back({.x = {0, 1}, .y = {10, 10}});
  f.panels[0].curves.push_back({.x = {0, 1}, .y = {0, 0}});
  const std::string text = terminal_text(f, {.width = 40});
  for (const char* row : {"10 ┤", " 0 ┤"}) {
    const std::size_t at = text.find(row);
    ASSERT_NE(at, std::string::npos) << text;
    EXPECT_NE(text.substr(at + std::string(row).size(), 3), "   ") << "the curve runs through its row:\n" << text;
  }
}

}  // namespace ALEATOR_FILE
}  // namespace aleator::core::report
