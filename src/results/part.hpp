// What one part of a study leaves behind: its rows, or the state of its statistics, for `aleator merge`. HDF5 like other results.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "results/journal.hpp"

namespace aleator::core::results {

struct PartHeader {
  std::string record;  // what was asked for
  long number = 0, of = 0;
  long first_row = 0, end_row = 0;
  double seconds = 0;  // it took
  std::string host;
};

struct PartFile {
  PartHeader header;
  // All rows in their order or, when statistics alone are kept, those that failed and those with poses.
  std::vector<JournalRecord> rows;
  std::vector<double> state;  // of the statistics; none when all rows are there
};

void write_part(const std::string& path, const PartFile& part);  // throws WriteError
// Throw ReadError.
PartHeader read_part_header(const std::string& path);
PartFile read_part(const std::string& path);

}  // namespace aleator::core::results
