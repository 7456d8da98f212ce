#include "numerics/sparse_pattern.hpp"

#include <algorithm>
#include <stdexcept>
#include <tuple>

namespace aleator::core {

int SparsePattern::find(int i, int j) const {
  const auto first = row.begin() + column_start[j];
  const auto last = row.begin() + column_start[j + 1];
  const auto at = std::lower_bound(first, last, i);
  return at != last && *at == i ? static_cast<int>(at - row.begin()) : -1;
}

SparsePattern make_pattern(int n, std::vector<std::pair<int, int>> entries) {
  for (const auto& [i, j] : entries)
    if (i < 0 || i >= n || j < 0 || j >= n) throw std::out_of_range("make_pattern: entry outside the matrix");
  std::sort(entries.begin(), entries.end(),
            [](const auto& a, const auto& b) { return std::tie(a.second, a.first) < std::tie(b.second, b.first); });
  entries.erase(std::unique(entries.begin(), entries.end()), entries.end());

  SparsePattern pattern;
  pattern.n = n;
  pattern.column_start.assign(n + 1, 0);
  pattern.row.reserve(entries.size());
  for (const auto& [i, j] : entries) {
    pattern.row.push_back(i);
    ++pattern.column_start[j + 1];
  }
  for (int j = 0; j < n; ++j) pattern.column_start[j + 1] += pattern.column_start[j];
  return pattern;
}

}  // namespace aleator::core
