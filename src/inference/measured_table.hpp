// A CSV file as instruments and spreadsheets write it: a header that names the columns, then numbers. Columns are separated by
// semicolons, tabs, commas or blanks, as in the header; decimal commas are understood where commas do not separate. What
// follows # is a comment. An empty cell is a gap.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace aleator::core::inference {

struct MeasuredTable {
  struct Column {
    std::string label;       // as written: "accel_z [m/s^2]"
    std::string name, unit;  // "accel_z", "m/s^2"
  };
  std::string file;
  std::string bytes;
  char separator = ',';  // ' ': any blanks
  char line_end = '\n';
  std::vector<Column> columns;
  int header_line = 0;
  std::size_t body = 0;  // where the lines after the header begin
  int body_line = 0;

  std::vector<int> find(std::string_view name) const;  // columns with this label or name
  std::vector<std::string> names() const;
};

// Reads the file and its header. Throws InputError.
MeasuredTable open_table(const std::string& file);
MeasuredTable table_of_text(std::string bytes, const std::string& file);

struct TableRows {
  std::vector<double> values;  // [rows][columns asked for]; NaN: a gap
  std::vector<int> lines;      // [rows] of the file
};

// Some columns as numbers; what is in the others does not matter. The first must have no gaps. Throws InputError.
TableRows read_columns(const MeasuredTable& table, std::span<const int> columns);

}  // namespace aleator::core::inference
