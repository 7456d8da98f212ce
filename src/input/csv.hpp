// Tables of two columns: lines `x, y`, with an optional header and comments after #.
#pragma once

#include <string>
#include <vector>

namespace aleator::core::input {

// x0 y0 x1 y1 ... with increasing x. Throws InputError `file.csv:line: ...`.
std::vector<double> parse_csv(const std::string& bytes, const std::string& file);

// Rows of numbers of equal length, row by row. Throws as above.
struct NumberRows {
  std::vector<double> numbers;
  std::size_t rows = 0;
};
NumberRows parse_csv_rows(const std::string& bytes, const std::string& file);

}  // namespace aleator::core::input
