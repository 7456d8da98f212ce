#include "numerics/lu_symbolic.hpp"

#include <algorithm>
#include <iterator>

namespace aleator::core::detail {
namespace {

// Parent of a column: its first row below after fill (Liu 1986, with path compression).
std::vector<int> elimination_tree(const Graph& graph) {
  const int n = static_cast<int>(graph.size());
  std::vector<int> parent(n, -1), ancestor(n, -1);
  for (int k = 0; k < n; ++k) {
    for (int i : graph[k]) {
      while (i != -1 && i < k) {
        const int next = ancestor[i];
        ancestor[i] = k;
        if (next == -1) parent[i] = k;
        i = next;
      }
    }
  }
  return parent;
}

std::vector<int> set_union(const std::vector<int>& a, const std::vector<int>& b) {
  std::vector<int> r;
  r.reserve(a.size() + b.size());
  std::set_union(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(r));
  return r;
}

// Rows below the diagonal of every column after fill: those of A and of all children in the tree.
std::vector<std::vector<int>> fill(const Graph& graph) {
  const int n = static_cast<int>(graph.size());
  std::vector<std::vector<int>> rows(n);
  for (int k = 0; k < n; ++k) {
    const std::vector<int> own(std::upper_bound(graph[k].begin(), graph[k].end(), k), graph[k].end());
    rows[k] = set_union(rows[k], own);
    if (!rows[k].empty()) {  // hand over to the parent, the first row
      const std::vector<int> rest(rows[k].begin() + 1, rows[k].end());
      rows[rows[k][0]] = set_union(rows[rows[k][0]], rest);
    }
  }
  return rows;
}

// Time to eliminate a supernode, in multiply-adds: an update of one entry costs its dot product and about 3 for index,
// load and store; a supernode has an overhead of about 20 (fitted to chains of bodies; the result is not sensitive).
double cost(double width, double rows) { return 20.0 + width * width * (width / 3.0 + rows) + rows * rows * (width + 3.0); }

// Two neighbours as one. Their fill stays closed under elimination if one structure contains the other.
bool merge(const ColumnGroup& a, const ColumnGroup& b, int max_width, ColumnGroup& merged) {
  if (a.width + b.width > max_width) return false;
  const auto rest = std::lower_bound(a.rows.begin(), a.rows.end(), b.first + b.width);
  merged = {a.first, a.width + b.width, set_union({rest, a.rows.end()}, b.rows)};
  const std::size_t larger = std::max<std::size_t>(a.rows.end() - rest, b.rows.size());
  if (merged.rows.size() != larger) return false;
  return cost(merged.width, merged.rows.size()) <= cost(a.width, a.rows.size()) + cost(b.width, b.rows.size());
}

}  // namespace

std::vector<int> postorder(const Graph& graph) {
  const std::vector<int> parent = elimination_tree(graph);
  const int n = static_cast<int>(graph.size());
  std::vector<int> first_child(n + 1, -1), sibling(n, -1), order, stack;
  for (int k = n - 1; k >= 0; --k) {  // children of k in rising order; roots are children of n
    const int p = parent[k] == -1 ? n : parent[k];
    sibling[k] = first_child[p];
    first_child[p] = k;
  }
  order.reserve(n);
  for (int root = first_child[n]; root != -1; root = sibling[root]) {
    stack.push_back(root);
    while (!stack.empty()) {
      const int k = stack.back();
      if (first_child[k] != -1) {
        stack.push_back(first_child[k]);
        first_child[k] = sibling[first_child[k]];
      } else {
        order.push_back(k);
        stack.pop_back();
      }
    }
  }
  return order;
}

std::vector<ColumnGroup> supernodes(const Graph& graph, int max_width, int apart) {
  std::vector<std::vector<int>> rows = fill(graph);
  std::vector<ColumnGroup> groups;
  for (int k = 0; k < static_cast<int>(rows.size()); ++k) {
    ColumnGroup last{k, 1, std::move(rows[k])}, merged;
    while (!groups.empty() && last.first != apart && merge(groups.back(), last, max_width, merged)) {
      groups.pop_back();
      last = std::move(merged);
    }
    groups.push_back(std::move(last));
  }
  return groups;
}

}  // namespace aleator::core::detail
