#include "dynamics/newton_pattern.hpp"

#include <algorithm>
#include <cmath>

#include "numerics/sparse_ldl.hpp"

namespace aleator::core {

namespace {

// Orders unknowns and rows by complete pivoting of G; false where the rows are not independent.
bool find_pivots(const Structure& s, std::span<const double> values, PrescribedBody& body) {
  constexpr double singular = 1e-6;  // of the first pivot
  const size_t n = body.rows.size();
  std::vector<std::vector<double>> g(n, std::vector<double>(n));
  for (size_t i = 0; i < n; ++i)
    for (size_t j = 0; j < n; ++j) {
      const int at = s.pattern.find(s.dofs + body.rows[i], body.unknowns[j]);
      g[i][j] = at < 0 ? 0 : values[size_t(at)];
    }
  double first = 0;
  for (size_t k = 0; k < n; ++k) {
    size_t row = k, column = k;
    for (size_t i = k; i < n; ++i)
      for (size_t j = k; j < n; ++j)
        if (std::abs(g[i][j]) > std::abs(g[row][column])) row = i, column = j;
    const double pivot = std::abs(g[row][column]);
    if (k == 0) first = pivot;
    if (!(pivot > singular * first)) return false;
    std::swap(g[k], g[row]), std::swap(body.rows[k], body.rows[row]);
    for (auto& line : g) std::swap(line[k], line[column]);
    std::swap(body.unknowns[k], body.unknowns[column]);
    for (size_t i = k + 1; i < n; ++i)
      for (size_t j = n; j-- > k;) g[i][j] -= g[i][k] / g[k][k] * g[k][j];
  }
  return true;
}

}  // namespace

NewtonPattern::NewtonPattern(const Model& model, std::span<const double> values, std::span<const char> asymmetric)
    : dofs_(model.structure.dofs) {
  const Structure& s = model.structure;
  apart.assign(size_t(s.size), 0);
  for (PrescribedBody body : s.prescribed) {
    if (!find_pivots(s, values, body)) break;  // those after it may hang on it
    for (const int u : body.unknowns) apart[size_t(u)] = 1;
    for (const int r : body.rows) apart[size_t(s.dofs + r)] = 1;
    bodies.push_back(std::move(body));
  }
  std::vector<std::pair<int, int>> entries;
  for (int c = 0; c < s.size; ++c)
    for (int k = s.pattern.column_start[size_t(c)]; k < s.pattern.column_start[size_t(c) + 1]; ++k)
      if (const int r = s.pattern.row[size_t(k)]; r == c || (!apart[size_t(r)] && !apart[size_t(c)])) entries.emplace_back(r, c);
  pattern = make_pattern(s.size, std::move(entries));
  for (int c = 0; c < s.size; ++c)
    for (int k = pattern.column_start[size_t(c)]; k < pattern.column_start[size_t(c) + 1]; ++k)
      from.push_back(apart[size_t(c)] ? -1 : s.pattern.find(pattern.row[size_t(k)], c));
  std::vector<double> chosen(size_t(pattern.nonzeros()));
  select(values.data(), chosen.data());
  LuOptions options;
  options.block = s.unknown_node;
  lu = std::make_shared<const LuProgram>(LuProgram::analyse(pattern, chosen, options));
  is_symmetric = !asymmetric.empty() && has_symmetric_pivots(*lu) &&
                 std::none_of(from.begin(), from.end(), [&](int k) { return k >= 0 && asymmetric[size_t(k)]; });
}

}  // namespace aleator::core
