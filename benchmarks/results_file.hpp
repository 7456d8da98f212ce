// A table of benchmarks/results/ as CSV; the first line says on which machine, with which instruction set, when, and by which commit.
#pragma once

#include <string>
#include <vector>

namespace aleator::core::bench {

class ResultsFile {
 public:
  explicit ResultsFile(std::vector<std::string> columns);
  void add(const std::vector<std::string>& row);  // a value per column
  void write(const std::string& file) const;      // at once, so that an interrupted run leaves the old one

 private:
  std::string text_;
};

std::string machine();         // "AMD EPYC, 2 cores, AVX-512"
std::string number(double x);  // four digits

}  // namespace aleator::core::bench
