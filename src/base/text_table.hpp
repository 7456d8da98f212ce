// Tables and small histograms as text.
#pragma once

#include <string>
#include <vector>

namespace aleator::core {

// Aligned columns, the first to the left; cells may have characters of several bytes.
class TextTable {
 public:
  void row(std::vector<std::string> cells) { rows_.push_back(std::move(cells)); }
  std::string text() const;  // a line per row

 private:
  std::vector<std::vector<std::string>> rows_;
};

// The middle 99.8 % of some numbers in 32 bars of eight heights, between their ends: "  3.1 ▁▃█▅▂ 4.2".
std::string histogram(std::vector<double> numbers);

}  // namespace aleator::core
