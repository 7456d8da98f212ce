#include "inference/measured_table.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "input/error.hpp"
#include "input/text.hpp"

namespace aleator::core::inference {

using input::InputError;
using input::trimmed;

namespace {

std::string_view unquoted(std::string_view cell) {
  cell = trimmed(cell);
  const bool quoted = cell.size() >= 2 && (cell.front() == '"' || cell.front() == '\'') && cell.front() == cell.back();
  return quoted ? trimmed(cell.substr(1, cell.size() - 2)) : cell;
}

// A line without its comment and its end; `text` is what follows.
std::string_view next_line(std::string_view& text, char line_end, std::string_view& comment) {
  const std::size_t end = std::min(text.find(line_end), text.size());
  std::string_view line = text.substr(0, end);
  text.remove_prefix(std::min(end + 1, text.size()));
  if (line.ends_with('\r')) line.remove_suffix(1);
  const std::size_t hash = line.find('#');
  comment = hash == std::string_view::npos ? std::string_view{} : line.substr(hash + 1);
  return line.substr(0, hash);
}

// Calls `take` with each cell and gives their number. Separators inside quotes are none.
template <class Take>
int split(std::string_view line, char separator, Take&& take) {
  int count = 0;
  if (separator == ' ') line = trimmed(line);
  while (true) {
    std::size_t end = 0;
    char quote = 0;
    for (; end < line.size(); ++end) {
      const char c = line[end];
      if (quote) {
        if (c == quote) quote = 0;
      } else if (c == '"') {
        quote = c;
      } else if (c == separator || (separator == ' ' && c == '\t')) {
        break;
      }
    }
    take(count++, line.substr(0, end));
    if (end == line.size()) return count;
    line.remove_prefix(end + 1);
    if (separator == ' ') line = trimmed(line);
  }
}

char separator_of(std::string_view header) {
  for (const char c : {';', '\t', ','})
    if (header.find(c) != std::string_view::npos) return c;
  return ' ';
}

// "accel_z [m/s^2]": what is in brackets at the end is the unit.
MeasuredTable::Column column_of(std::string_view label) {
  MeasuredTable::Column column{std::string(label), std::string(label), ""};
  for (const char* brackets : {"[]", "()"}) {
    const std::size_t open = label.rfind(brackets[0]);
    if (label.empty() || label.back() != brackets[1] || open == std::string_view::npos || open == 0) continue;
    column.name = trimmed(label.substr(0, open));
    column.unit = trimmed(label.substr(open + 1, label.size() - open - 2));
    break;
  }
  return column;
}

std::vector<MeasuredTable::Column> header_columns(std::string_view header, char separator) {
  std::vector<MeasuredTable::Column> columns;
  split(header, separator, [&](int, std::string_view cell) {
    const std::string_view label = unquoted(cell);
    // Between blanks the unit is a cell of its own.
    if (separator == ' ' && !columns.empty() && (label.starts_with('[') || label.starts_with('(')))
      columns.back() = column_of(fmt::format("{} {}", columns.back().label, label));
    else
      columns.push_back(column_of(label));
  });
  return columns;
}

// One comma, digits and a sign are a number with a decimal comma.
bool parse_decimal_comma(std::string_view cell, double& value) {
  if (std::count(cell.begin(), cell.end(), ',') != 1 || cell.find('.') != std::string_view::npos || cell.size() > 64)
    return false;
  std::string copy(cell);
  std::replace(copy.begin(), copy.end(), ',', '.');
  return input::parse_decimal(copy, value);
}

bool parse_cell(std::string_view cell, char separator, double& value) {
  return input::parse_decimal(cell, value) || (separator != ',' && parse_decimal_comma(cell, value));
}

bool all_numbers(std::string_view line, char separator) {
  bool numbers = true;
  double ignored = 0;
  split(line, separator, [&](int, std::string_view cell) {
    numbers = numbers && (unquoted(cell).empty() || parse_cell(unquoted(cell), separator, ignored));
  });
  return numbers;
}

bool means_nothing(std::string_view cell) {
  std::string lower(cell);
  std::transform(lower.begin(), lower.end(), lower.begin(), [](char c) { return c >= 'A' && c <= 'Z' ? char(c + 32) : c; });
  if (lower.starts_with('-') || lower.starts_with('+')) lower.erase(0, 1);
  for (const char* word :
       {"", "-", "nan", "inf", "infinity", "na", "n/a", "null", "none", "nan(ind)", "1.#ind", "1.#inf", "1.#qnan"})
    if (lower == word) return true;
  return false;
}

// Reads one line after the other.
class RowReader {
 public:
  RowReader(const MeasuredTable& table, std::span<const int> columns) : table_(table), columns_(columns) {
    place_.assign(table.columns.size(), -1);
    for (std::size_t i = 0; i < columns.size(); ++i) place_[std::size_t(columns[i])] = int(i);
  }

  void add(std::string_view line, int number) {
    line_ = number;
    const std::size_t first = rows.values.size();
    rows.values.resize(first + columns_.size(), std::numeric_limits<double>::quiet_NaN());
    bool empty = true;
    const int count = split(line, table_.separator, [&](int column, std::string_view raw) {
      const std::string_view cell = unquoted(raw);
      if (cell.empty()) return;
      empty = false;
      const int place = std::size_t(column) < place_.size() ? place_[std::size_t(column)] : -1;
      if (place >= 0) rows.values[first + std::size_t(place)] = number_of(cell, column);
    });
    if (empty) {  // the `;;;` that spreadsheets leave at the end
      rows.values.resize(first);
      return;
    }
    if (std::size_t(count) != table_.columns.size()) refuse_count(count);
    if (std::isnan(rows.values[first]))
      refuse(fmt::format("the cell of '{}' is empty; only measured columns may have gaps", label(columns_[0])));
    rows.lines.push_back(number);
  }

  TableRows rows;

 private:
  const std::string& label(int column) const { return table_.columns[std::size_t(column)].label; }
  [[noreturn]] void refuse(const std::string& message) const { throw InputError({line_, 0}, message).in_file(table_.file); }

  double number_of(std::string_view cell, int column) const {
    double value = 0;
    if (parse_cell(cell, table_.separator, value)) return value;
    if (means_nothing(cell))
      refuse(fmt::format("'{}' in column '{}' is not a measured value; leave the cell empty where nothing was measured",
                         cell.substr(0, 40), label(column)));
    refuse(fmt::format("'{}' in column '{}' is not a number{}", cell.substr(0, 40), label(column),
                       rows.lines.empty() ? " (units are written in brackets after the name of a column, or after #)" : ""));
  }

  [[noreturn]] void refuse_count(int count) const {
    const std::size_t expected = table_.columns.size();
    const bool decimal_commas = table_.separator == ',' && std::size_t(count) > expected;
    refuse(fmt::format("expected {} cell{}, as in the header (line {}), found {}{}", expected, expected == 1 ? "" : "s",
                       table_.header_line, count,
                       decimal_commas ? "; with decimal commas, separate the columns by semicolons" : ""));
  }

  const MeasuredTable& table_;
  std::span<const int> columns_;
  std::vector<int> place_;  // [columns of the file] among those asked for, -1: not asked for
  int line_ = 0;
};

// The first line that is no comment, or, as numpy writes it, the comment before a line of numbers.
void read_header(MeasuredTable& table) {
  std::string_view text = table.bytes, comment, last_comment;
  if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
  for (int line = 1; !text.empty(); ++line) {
    const std::string_view start = text;
    const std::string_view content = next_line(text, table.line_end, comment);
    if (trimmed(content).empty()) {
      if (!trimmed(comment).empty()) last_comment = comment;
      continue;
    }
    const bool headless = all_numbers(content, separator_of(content));
    table.separator = separator_of(headless ? last_comment : content);
    table.columns = header_columns(headless ? last_comment : content, table.separator);
    if (headless && all_numbers(last_comment, table.separator))
      throw InputError({line, 0}, "the first line must name the columns (time, accel_z, ..), found numbers").in_file(table.file);
    table.header_line = headless ? line - 1 : line;
    table.body = std::size_t((headless ? start.data() : text.data()) - table.bytes.data());
    table.body_line = headless ? line : line + 1;
    return;
  }
  throw InputError({}, "is empty; expected a line that names the columns (time, accel_z, ..) and lines of numbers")
      .in_file(table.file);
}

}  // namespace

std::vector<int> MeasuredTable::find(std::string_view name) const {
  std::vector<int> found;
  for (std::size_t i = 0; i < columns.size(); ++i)
    if (columns[i].name == name || columns[i].label == name) found.push_back(int(i));
  return found;
}

std::vector<std::string> MeasuredTable::names() const {
  std::vector<std::string> list;
  for (const Column& c : columns) list.push_back(c.name);
  return list;
}

MeasuredTable open_table(const std::string& file) {
  return table_of_text(input::read_bytes(file, input::Source::ordinary_file, input::limits::measured_mib), file);
}

MeasuredTable table_of_text(std::string bytes, const std::string& file) {
  MeasuredTable table;
  table.file = file;
  table.bytes = std::move(bytes);
  if (table.bytes.starts_with("\xFF\xFE") || table.bytes.starts_with("\xFE\xFF"))
    throw InputError({1, 0}, "the file is not plain text (it looks like UTF-16); save it as CSV in UTF-8").in_file(file);
  if (table.bytes.find('\0') != std::string::npos)
    throw InputError({}, "is not text: it contains a NUL byte; save it as CSV").in_file(file);
  if (table.bytes.find('\n') == std::string::npos) table.line_end = '\r';  // old Macs
  read_header(table);
  return table;
}

TableRows read_columns(const MeasuredTable& table, std::span<const int> columns) {
  RowReader reader(table, columns);
  std::string_view text = std::string_view(table.bytes).substr(table.body), comment;
  for (int line = table.body_line; !text.empty(); ++line) {
    const std::string_view content = next_line(text, table.line_end, comment);
    if (!trimmed(content).empty()) reader.add(content, line);
  }
  return std::move(reader.rows);
}

}  // namespace aleator::core::inference
