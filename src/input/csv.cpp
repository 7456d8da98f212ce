#include "input/csv.hpp"

#include <string_view>

#include <fmt/format.h>

#include "input/error.hpp"
#include "input/limits.hpp"
#include "input/text.hpp"

namespace aleator::core::input {

namespace {

// Cells are separated by commas, by semicolons, or by blanks when the line has neither.
std::vector<std::string_view> cells_of(std::string_view line) {
  const char separator = line.find(',') != std::string_view::npos ? ',' : line.find(';') != std::string_view::npos ? ';' : ' ';
  const std::string_view stops = separator == ' ' ? std::string_view(" \t") : std::string_view(&separator, 1);
  std::vector<std::string_view> cells;
  while (true) {
    const std::size_t end = line.find_first_of(stops);
    cells.push_back(trimmed(line.substr(0, end)));
    if (end == std::string_view::npos) return cells;
    line = separator == ' ' ? trimmed(line.substr(end)) : line.substr(end + 1);
  }
}

struct Row {
  double x = 0, y = 0;
};

// The words a header has instead of numbers.
bool is_header(const std::vector<std::string_view>& cells) {
  double ignored = 0;
  for (const std::string_view cell : cells)
    if (parse_decimal(cell, ignored)) return false;
  return true;
}

Row read_row(const std::vector<std::string_view>& cells, Position at) {
  if (cells.size() != 2) throw InputError(at, fmt::format("expected two columns, found {}", cells.size()));
  Row row;
  for (const auto& [cell, value] : {std::pair{cells[0], &row.x}, std::pair{cells[1], &row.y}})
    if (!parse_decimal(cell, *value)) throw InputError(at, fmt::format("'{}' is not a number", cell.substr(0, 60)));
  return row;
}

// Calls f(cells, position) for each row; a header, comments and empty lines are none.
template <class F>
void for_each_row(std::string_view text, F&& f) {
  bool header_possible = true;
  for (int line = 1; !text.empty(); ++line) {
    const std::size_t end = text.find('\n');
    const std::string_view content = trimmed(text.substr(0, end).substr(0, text.substr(0, end).find('#')));
    text = end == std::string_view::npos ? std::string_view{} : text.substr(end + 1);
    if (content.empty()) continue;

    const std::vector<std::string_view> cells = cells_of(content);
    const bool header = header_possible && is_header(cells);
    header_possible = false;
    if (!header) f(cells, Position{line, 0});
  }
}

std::vector<double> parse_text(std::string_view text) {
  std::vector<double> numbers;
  for_each_row(text, [&](const std::vector<std::string_view>& cells, Position at) {
    const Row row = read_row(cells, at);
    if (!numbers.empty() && !(row.x > numbers[numbers.size() - 2]))
      throw InputError(at, fmt::format("the first column must increase, found {} after {}", row.x, numbers[numbers.size() - 2]));
    numbers.insert(numbers.end(), {row.x, row.y});
    if (numbers.size() > 2 * limits::table_rows)
      throw InputError(at, fmt::format("a table has at most {} rows", limits::table_rows));
  });
  if (numbers.size() < 4) throw InputError({}, fmt::format("a table needs at least two rows, found {}", numbers.size() / 2));
  return numbers;
}

}  // namespace

NumberRows parse_csv_rows(const std::string& bytes, const std::string& file) {
  NumberRows out;
  try {
    for_each_row(plain_text(bytes), [&](const std::vector<std::string_view>& cells, Position at) {
      for (const std::string_view cell : cells) {
        out.numbers.emplace_back();
        if (!parse_decimal(cell, out.numbers.back()))
          throw InputError(at, fmt::format("'{}' is not a number", cell.substr(0, 60)));
      }
      ++out.rows;
      if (out.numbers.size() != out.rows * cells.size())
        throw InputError(at, fmt::format("has {} numbers, and the rows before it {}; all must have as many", cells.size(),
                                         (out.numbers.size() - cells.size()) / (out.rows - 1)));
      if (out.numbers.size() > limits::table_rows)
        throw InputError(at, fmt::format("a set of records has at most {} numbers", limits::table_rows));
    });
  } catch (const InputError& error) {
    throw error.in_file(file);
  }
  return out;
}

std::vector<double> parse_csv(const std::string& bytes, const std::string& file) {
  try {
    return parse_text(plain_text(bytes));
  } catch (const InputError& error) {
    throw error.in_file(file);
  }
}

}  // namespace aleator::core::input
