#include "numerics/sparse_lu.hpp"

#include <klu.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <new>
#include <string>
#include <unordered_map>

#include "numerics/elimination_order.hpp"
#include "numerics/lu_symbolic.hpp"

namespace aleator::core {
namespace {

// Pivots of the scaled matrix below this are round-off: the matrix is singular.
constexpr double singular = 1e-13;

// Diagonals this much smaller than another one of their block are round-off, as of a rotor's inertia across its axis in a body without
// mass. A rigid body with such moments would be 1e-12 m large.
constexpr double negligible = 1e-24;

// [n] The positive diagonal; 0 where there is none.
std::vector<double> diagonals(const SparsePattern& a, std::span<const double> values, const std::vector<int>& block) {
  std::vector<double> out(a.n, 0.0);
  std::unordered_map<int, double> largest;  // by block
  for (int j = 0; j < a.n; ++j)
    if (const int k = a.find(j, j); k >= 0 && values[k] > 0.0) {
      out[j] = values[k];
      if (!block.empty()) largest[block[j]] = std::max(largest[block[j]], out[j]);
    }
  if (!block.empty())
    for (int j = 0; j < a.n; ++j)
      if (block[j] >= 0 && out[j] < negligible * largest[block[j]]) out[j] = 0.0;
  return out;
}

// Symmetric scaling d_i a_ij d_j that makes pivots comparable: unknowns with a positive diagonal get a unit diagonal,
// the others (multipliers) a largest entry of one in their row against unknowns scaled before.
std::vector<double> scaling(const SparsePattern& a, std::span<const double> values, const std::vector<int>& block) {
  std::vector<double> d = diagonals(a, values, block);
  for (double& x : d)
    if (x > 0.0) x = 1.0 / std::sqrt(x);
  for (bool changed = true; changed;) {  // usually one sweep
    changed = false;
    std::vector<double> largest(a.n, 0.0);
    for (int j = 0; j < a.n; ++j)
      for (int k = a.column_start[j]; k < a.column_start[j + 1]; ++k) {
        const int i = a.row[k];
        if (d[i] == 0.0) largest[i] = std::max(largest[i], std::fabs(values[k]) * d[j]);
        if (d[j] == 0.0) largest[j] = std::max(largest[j], std::fabs(values[k]) * d[i]);
      }
    for (int i = 0; i < a.n; ++i)
      if (d[i] == 0.0 && largest[i] > 0.0 && std::isfinite(largest[i])) {
        d[i] = 1.0 / largest[i];
        changed = true;
      }
  }
  for (double& x : d)
    if (x == 0.0) x = 1.0;
  return d;
}

// Blocks of the unknowns; multipliers, marked -1, are those without a positive diagonal if nobody says.
std::vector<int> blocks(const SparsePattern& a, std::span<const double> values, const std::vector<int>& given) {
  if (!given.empty()) return given;
  std::vector<int> block(a.n);
  for (int j = 0; j < a.n; ++j) {
    const int k = a.find(j, j);
    block[j] = k >= 0 && values[k] > 0.0 ? j : -1;
  }
  return block;
}

// Rows and columns in the order of elimination. The given order is meant to have good pivots on the diagonal, however
// small: leading blocks are definite. KLU keeps them unless an entry is 1e8 times larger in the scaled column.
struct Orders {
  std::vector<int> row, column;
};

Orders pivot_sequence(const SparsePattern& a, std::span<const double> values, const std::vector<double>& scale,
                      std::vector<int> order) {
  std::vector<double> scaled(values.begin(), values.end());
  for (int j = 0; j < a.n; ++j)
    for (int k = a.column_start[j]; k < a.column_start[j + 1]; ++k) {
      scaled[k] *= scale[j] * scale[a.row[k]];
      if (!std::isfinite(scaled[k])) throw SingularMatrix(j);
    }

  klu_common common;
  klu_defaults(&common);
  common.btf = 0;
  common.scale = 0;
  common.tol = 1e-8;
  std::vector<int> start = a.column_start, row = a.row;  // KLU takes them as non-const
  klu_symbolic* symbolic = klu_analyze_given(a.n, start.data(), row.data(), order.data(), order.data(), &common);
  klu_numeric* numeric = symbolic ? klu_factor(start.data(), row.data(), scaled.data(), symbolic, &common) : nullptr;
  Orders orders{std::vector<int>(a.n), std::vector<int>(a.n)};
  const bool ok = numeric && klu_extract(numeric, symbolic, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr,
                                         nullptr, nullptr, orders.row.data(), orders.column.data(), nullptr, nullptr, &common);
  klu_free_numeric(&numeric, &common);
  klu_free_symbolic(&symbolic, &common);
  if (common.status == KLU_SINGULAR) throw SingularMatrix(common.singular_col);
  if (common.status == KLU_OUT_OF_MEMORY) throw std::bad_alloc();
  if (!ok) throw std::runtime_error("sparse LU: KLU failed with status " + std::to_string(common.status));
  return orders;
}

// The pattern of B + B^T, B = A(row order, column order).
detail::Graph symmetric_graph(const SparsePattern& a, const Orders& orders) {
  std::vector<int> place(a.n);
  for (int k = 0; k < a.n; ++k) place[orders.row[k]] = k;
  detail::Graph graph(a.n);
  for (int j = 0; j < a.n; ++j)
    for (int k = a.column_start[orders.column[j]]; k < a.column_start[orders.column[j] + 1]; ++k) {
      const int i = place[a.row[k]];
      if (i == j) continue;
      graph[i].push_back(j);
      graph[j].push_back(i);
    }
  for (std::vector<int>& list : graph) {
    std::sort(list.begin(), list.end());
    list.erase(std::unique(list.begin(), list.end()), list.end());
  }
  return graph;
}

Orders permuted(const Orders& orders, const std::vector<int>& by) {
  Orders r;
  for (int k : by) {
    r.row.push_back(orders.row[k]);
    r.column.push_back(orders.column[k]);
  }
  return r;
}

// Place of entry (i, j) of B in the factors.
int place_of(const LuProgram& program, const std::vector<int>& supernode_of, int i, int j) {
  const LuProgram::Supernode& s = program.supernodes[supernode_of[std::min(i, j)]];
  const int row = i - s.first, column = j - s.first;
  if (row < s.width && column < s.width) return s.storage + row * s.width + column;
  const auto first = program.rows_below.begin() + s.row;
  const auto at = std::lower_bound(first, first + s.rows, std::max(i, j));
  const int offset = s.storage + s.width * s.width + static_cast<int>(at - first) * s.width;
  return i > j ? offset + column : offset + s.rows * s.width + row;
}

void lay_out(const std::vector<detail::ColumnGroup>& groups, LuProgram& program) {
  std::vector<int> supernode_of;
  long targets = 0, storage = 0;
  for (const detail::ColumnGroup& g : groups) {
    targets += static_cast<long>(g.rows.size() * g.rows.size());
    storage += static_cast<long>(g.width * (g.width + 2 * g.rows.size()));
  }
  if (std::max(targets, storage) > std::numeric_limits<int>::max())
    throw std::length_error("sparse LU: the matrix fills in too much for a program");
  program.targets.reserve(targets);

  targets = 0;
  for (const detail::ColumnGroup& g : groups) {
    const int rows = static_cast<int>(g.rows.size());
    program.supernodes.push_back(
        {g.first, g.width, rows, static_cast<int>(program.rows_below.size()), program.storage, static_cast<int>(targets)});
    program.rows_below.insert(program.rows_below.end(), g.rows.begin(), g.rows.end());
    supernode_of.insert(supernode_of.end(), g.width, static_cast<int>(program.supernodes.size()) - 1);
    program.storage += g.width * (g.width + 2 * rows);
    targets += rows * rows;
  }
  for (const detail::ColumnGroup& g : groups)
    for (int r : g.rows)
      for (int c : g.rows) program.targets.push_back(place_of(program, supernode_of, r, c));
}

void plan_loading(const SparsePattern& a, LuProgram& program) {
  std::vector<int> supernode_of(program.n), place(program.n);
  for (int s = 0; s < static_cast<int>(program.supernodes.size()); ++s)
    for (int k = 0; k < program.supernodes[s].width; ++k) supernode_of[program.supernodes[s].first + k] = s;
  for (int k = 0; k < program.n; ++k) place[program.row_order[k]] = k;
  program.load_start = {0};
  for (int j = 0; j < program.n; ++j) {
    const int column = program.column_order[j];
    for (int k = a.column_start[column]; k < a.column_start[column + 1]; ++k) {
      program.load_from.push_back(k);
      program.load_to.push_back(place_of(program, supernode_of, place[a.row[k]], j));
    }
    program.load_start.push_back(static_cast<int>(program.load_from.size()));
  }
  std::vector<char> loaded(program.storage, 0);
  for (int k : program.load_to) loaded[k] = 1;
  for (int k = 0; k < program.storage; ++k)
    if (!loaded[k]) program.fill.push_back(k);
}

// Replays the program on the representative values: how large pivots are relative to their columns when all is well.
void measure_pivots(std::span<const double> values, const std::vector<double>& scale, double tolerance, LuProgram& program) {
  program.pivot_limit.assign(program.n, 0.0);
  program.pivot.assign(program.n, 0.0);
  LuFactors<double> factors(program);
  factor(program, values.data(), factors);
  for (const LuProgram::Supernode& s : program.supernodes)
    for (int k = 0; k < s.width; ++k) {
      const int j = s.first + k;
      program.pivot[j] = 1.0 / factors.entry[s.storage + k * s.width + k];
      const double pivot = std::fabs(program.pivot[j]);
      const double scaled = pivot * scale[program.row_order[j]] * scale[program.column_order[j]];
      if (!(scaled > singular) || !std::isfinite(scaled)) throw SingularMatrix(program.column_order[j]);
      program.pivot_limit[j] = tolerance * std::min(1.0, pivot / factors.column_sum[j]);
    }
}

}  // namespace

SingularMatrix::SingularMatrix(int column_of_a)
    : std::runtime_error("singular matrix: no acceptable pivot in column " + std::to_string(column_of_a)), column(column_of_a) {}

LuProgram LuProgram::analyse(const SparsePattern& pattern, std::span<const double> values, const LuOptions& options) {
  if (static_cast<int>(values.size()) != pattern.nonzeros()) throw std::invalid_argument("sparse LU: as many values as entries");
  if (!options.block.empty() && static_cast<int>(options.block.size()) != pattern.n)
    throw std::invalid_argument("sparse LU: one block number for each unknown");
  if (pattern.n == 0) return {};
  const std::vector<double> scale = scaling(pattern, values, options.block);
  std::vector<int> order = detail::elimination_order(pattern, blocks(pattern, values, options.block));
  const auto is_last = [&](int unknown) { return !options.last.empty() && options.last[size_t(unknown)]; };
  std::stable_partition(order.begin(), order.end(), [&](int unknown) { return !is_last(unknown); });
  Orders orders = pivot_sequence(pattern, values, scale, order);
  // A column that is last depends on none that is not.
  std::vector<int> by = detail::postorder(symmetric_graph(pattern, orders));
  std::stable_partition(by.begin(), by.end(), [&](int k) { return !is_last(orders.column[k]); });
  orders = permuted(orders, by);

  LuProgram program;
  program.n = pattern.n;
  program.inner = static_cast<int>(std::count_if(orders.column.begin(), orders.column.end(), [&](int k) { return !is_last(k); }));
  program.row_order = orders.row;
  program.column_order = orders.column;
  lay_out(detail::supernodes(symmetric_graph(pattern, orders), max_width, program.inner), program);
  plan_loading(pattern, program);
  measure_pivots(values, scale, options.pivot_tolerance, program);
  return program;
}

int LuProgram::place(int i, int j) const {
  for (const Supernode& s : supernodes) {
    const int low = std::min(i, j), high = std::max(i, j);
    if (low < s.first || low >= s.first + s.width) continue;
    const auto first = rows_below.begin() + s.row;
    const bool is_there = high < s.first + s.width || std::binary_search(first, first + s.rows, high);
    std::vector<int> of(size_t(n), int(&s - supernodes.data()));
    return is_there ? place_of(*this, of, i, j) : -1;
  }
  return -1;
}

long LuProgram::operations() const {
  long sum = 0;
  for (const Supernode& s : supernodes) {
    const long w = s.width, m = s.rows;
    sum += w * (w - 1) * (2 * w - 1) / 6 + m * w * (w - 1) + m * w + m * m * w;
  }
  return sum;
}

}  // namespace aleator::core
