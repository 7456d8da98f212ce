// Tables and small histograms as text.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace aleator::core {

constexpr std::size_t page_width = 80;  // columns of a terminal

// Aligned columns, the first `left` of them to the left; cells may have characters of several bytes. Names in the first `names` columns,
// by default those to the left, are cut in their middle where the table would be wider than a terminal.
class TextTable {
 public:
  explicit TextTable(std::size_t left = 1) : TextTable(left, left) {}
  TextTable(std::size_t left, std::size_t names) : left_(left), names_(names) {}
  void row(std::vector<std::string> cells) { rows_.push_back(std::move(cells)); }
  std::vector<std::string> lines(std::size_t most = page_width) const;  // a line per row
  std::string text(std::size_t most = page_width) const;                // the same, each with its end

 private:
  std::size_t left_, names_;
  std::vector<std::vector<std::string>> rows_;
};

// At most `most` characters: "payload.ce…ertia"; a unit at the end, "[kg m²]", stays whole.
std::string cut_middle(const std::string& text, std::size_t most);

// Lines broken at blanks so that they have at most `most` columns; what follows is indented as its line, and two more. Words that are
// longer, such as paths, stay whole.
std::string wrapped(std::string_view text, std::size_t most = page_width);

// The middle 99.8 % of some numbers in 16 bars of eight heights, between their ends: "  3.1 ▁▃█▅▂ 4.2".
std::string histogram(std::vector<double> numbers);

}  // namespace aleator::core
