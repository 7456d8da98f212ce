#include "numerics/rank.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "numerics/sparse_lu.hpp"

namespace aleator::core {
namespace {

struct Entry {
  int column;
  double value;
};
using SparseRow = std::vector<Entry>;  // columns rising

// Rows of unit length (or empty), repeated entries added.
std::vector<SparseRow> unit_rows(int rows, int columns, std::span<const Triplet> entries) {
  std::vector<SparseRow> r(rows);
  for (const Triplet& e : entries) {
    if (e.row < 0 || e.row >= rows || e.column < 0 || e.column >= columns || !std::isfinite(e.value))
      throw std::invalid_argument("row_rank: an entry is outside the matrix or not finite");
    r[e.row].push_back({e.column, e.value});
  }
  for (SparseRow& row : r) {
    std::stable_sort(row.begin(), row.end(), [](const Entry& a, const Entry& b) { return a.column < b.column; });
    double square = 0.0;
    std::size_t size = 0;
    for (std::size_t k = 0; k < row.size();) {
      Entry sum = row[k];
      for (++k; k < row.size() && row[k].column == sum.column; ++k) sum.value += row[k].value;
      if (sum.value == 0.0) continue;
      row[size++] = sum;
      square += sum.value * sum.value;
    }
    row.resize(size);
    for (Entry& e : row) e.value /= std::sqrt(square);
  }
  return r;
}

// Givens rotation that makes the first entry of x vanish; both rows begin in the same column.
//        [ c  s ] [ r ]        c = r_0 / h,  s = x_0 / h,  h = sqrt(r_0^2 + x_0^2)
//        [-s  c ] [ x ]
void rotate(SparseRow& r, SparseRow& x, SparseRow& new_r, SparseRow& new_x) {
  const double h = std::hypot(r[0].value, x[0].value);
  const double c = r[0].value / h, s = x[0].value / h;
  new_r.clear();
  new_x.clear();
  new_r.push_back({r[0].column, h});
  constexpr double noise = 1e-16;  // rows have unit length
  for (std::size_t i = 1, j = 1; i < r.size() || j < x.size();) {
    const int column = std::min(i < r.size() ? r[i].column : x[j].column, j < x.size() ? x[j].column : r[i].column);
    const double ri = i < r.size() && r[i].column == column ? r[i++].value : 0.0;
    const double xj = j < x.size() && x[j].column == column ? x[j++].value : 0.0;
    const double along = c * ri + s * xj, across = c * xj - s * ri;
    if (std::fabs(along) > noise) new_r.push_back({column, along});
    if (std::fabs(across) > noise) new_x.push_back({column, across});
  }
  r.swap(new_r);
  x.swap(new_x);
}

// Rotates x into the triangle of rows by first column, until it finds its place or nothing is left.
void insert(SparseRow& x, std::vector<SparseRow>& triangle) {
  SparseRow scratch_r, scratch_x;
  while (!x.empty()) {
    SparseRow& r = triangle[x[0].column];
    if (r.empty()) return r.swap(x);
    rotate(r, x, scratch_r, scratch_x);
  }
}

}  // namespace

// G^T = Q R by Givens rotations, one row of G^T after the other (George and Heath 1980): |R_ii| is the distance of row i
// of G from the span of those before it. Orthogonal, so that round-off is not amplified. Where the distance vanishes,
// what else that row of R holds belongs to later rows of G and is rotated into them.
RowRank row_rank(int rows, int columns, std::span<const Triplet> entries, double tolerance) {
  const std::vector<SparseRow> g = unit_rows(rows, columns, entries);
  std::vector<SparseRow> transposed(columns);
  for (int i = 0; i < rows; ++i)
    for (const Entry& e : g[i]) transposed[e.column].push_back({i, e.value});

  std::vector<SparseRow> triangle(rows);
  for (SparseRow& x : transposed) insert(x, triangle);

  RowRank result;
  for (int i = 0; i < rows; ++i) {
    if (!triangle[i].empty() && std::fabs(triangle[i][0].value) > tolerance) {
      ++result.rank;
      continue;
    }
    result.dependent_rows.push_back(i);
    SparseRow rest = std::move(triangle[i]);
    if (!rest.empty()) rest.erase(rest.begin());
    insert(rest, triangle);
  }
  return result;
}

std::vector<std::vector<RowShare>> row_dependencies(int rows, int columns, std::span<const Triplet> entries,
                                                    const RowRank& rank) {
  std::vector<std::vector<RowShare>> shares(rank.dependent_rows.size());
  if (shares.empty()) return shares;
  const std::vector<SparseRow> g = unit_rows(rows, columns, entries);

  // Least squares  min |g - K^T y|  over the independent rows K:  [ I  K^T ] [ r ]   [ g ]
  // (a little regularised, rows may be nearly dependent)           [ K  -e  ] [ y ] = [ 0 ].
  std::vector<int> independent;
  for (int i = 0; i < rows; ++i)
    if (!std::binary_search(rank.dependent_rows.begin(), rank.dependent_rows.end(), i)) independent.push_back(i);
  const int n = columns + static_cast<int>(independent.size());
  std::vector<std::pair<int, int>> pairs;
  for (int k = 0; k < n; ++k) pairs.emplace_back(k, k);
  for (int k = columns; k < n; ++k)
    for (const Entry& e : g[independent[k - columns]]) {
      pairs.emplace_back(k, e.column);
      pairs.emplace_back(e.column, k);
    }
  const SparsePattern pattern = make_pattern(n, std::move(pairs));
  std::vector<double> values(pattern.nonzeros());
  for (int k = 0; k < n; ++k) values[pattern.find(k, k)] = k < columns ? 1.0 : -1e-12;
  for (int k = columns; k < n; ++k)
    for (const Entry& e : g[independent[k - columns]])
      values[pattern.find(k, e.column)] = values[pattern.find(e.column, k)] = e.value;

  const LuProgram program = LuProgram::analyse(pattern, values);
  LuFactors<double> factors(program);
  factor(program, values.data(), factors);
  for (std::size_t d = 0; d < shares.size(); ++d) {
    std::vector<double> x(n, 0.0);
    for (const Entry& e : g[rank.dependent_rows[d]]) x[e.column] = e.value;
    solve(program, factors, x.data());
    for (int k = columns; k < n; ++k)
      if (std::fabs(x[k]) > 1e-6) shares[d].push_back({independent[k - columns], x[k]});
  }
  return shares;
}

}  // namespace aleator::core
