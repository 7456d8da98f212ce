#include "base/text_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/utf8.hpp"
#include "base/words.hpp"

namespace aleator::core {

std::string TextTable::text() const {
  std::vector<std::size_t> width;
  for (const auto& r : rows_)
    for (std::size_t i = 0; i < r.size(); ++i) {
      if (width.size() <= i) width.push_back(0);
      width[i] = std::max(width[i], characters(r[i]));
    }
  std::string out;
  for (const auto& r : rows_) {
    std::string line;
    for (std::size_t i = 0; i < r.size(); ++i) {
      const std::string blanks(width[i] - characters(r[i]), ' ');
      line += i == 0 ? r[i] + blanks : "  " + blanks + r[i];
    }
    out += line.substr(0, line.find_last_not_of(' ') + 1) + "\n";
  }
  return out;
}

std::string histogram(std::vector<double> x) {
  constexpr int bins = 32;
  std::sort(x.begin(), x.end());
  const double low = x[x.size() / 1000], high = x[x.size() - 1 - x.size() / 1000];
  if (!(high > low)) return fmt::format("always {}", number(low));
  if (!std::isfinite(high - low)) return fmt::format("{:>10} … {}", number(low), number(high));
  std::vector<int> count(bins);
  for (const double v : x)
    if (v >= low && v <= high) ++count[std::size_t(std::min(bins - 1, int((v - low) / (high - low) * bins)))];
  const int most = *std::max_element(count.begin(), count.end());
  const char* const bars[] = {" ", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
  std::string out;
  for (const int c : count) out += bars[(8 * c + most - 1) / most];
  return fmt::format("{:>10} {} {}", number(low), out, number(high));
}

}  // namespace aleator::core
