#include "numerics/elimination_order.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <set>

namespace aleator::core::detail {
namespace {

// Blocks and groups of multipliers are the nodes of the graph that is eliminated.
struct Nodes {
  std::vector<std::vector<int>> unknowns;  // [node] in rising order; weight of the node
  std::vector<char> is_group;              // [node]
  std::vector<std::vector<int>> carriers;  // [node] of a group: its blocks; of a block: its groups
  std::vector<std::vector<int>> adjacent;  // [node] sorted nodes with a common entry of the matrix

  int count() const { return static_cast<int>(unknowns.size()); }
  int add(bool group) {
    unknowns.emplace_back();
    is_group.push_back(group);
    return count() - 1;
  }
};

void sort_unique(std::vector<int>& list) {
  std::sort(list.begin(), list.end());
  list.erase(std::unique(list.begin(), list.end()), list.end());
}

Nodes make_nodes(const SparsePattern& a, const std::vector<int>& block) {
  Nodes nodes;
  std::vector<int> node_of(a.n, -1);
  std::map<int, int> node_of_block;
  for (int k = 0; k < a.n; ++k) {
    if (block[k] < 0) continue;
    const auto [at, is_new] = node_of_block.try_emplace(block[k], nodes.count());
    if (is_new) nodes.add(false);
    node_of[k] = at->second;
    nodes.unknowns[at->second].push_back(k);
  }

  // Multipliers with the same blocks are one group.
  std::vector<std::vector<int>> blocks_of(a.n);
  for (int j = 0; j < a.n; ++j)
    for (int k = a.column_start[j]; k < a.column_start[j + 1]; ++k) {
      const int i = a.row[k];
      if (block[i] < 0 && block[j] >= 0) blocks_of[i].push_back(node_of[j]);
      if (block[j] < 0 && block[i] >= 0) blocks_of[j].push_back(node_of[i]);
    }
  std::map<std::vector<int>, int> group_of_blocks;
  for (int k = 0; k < a.n; ++k) {
    if (block[k] >= 0) continue;
    sort_unique(blocks_of[k]);
    const auto [at, is_new] = group_of_blocks.try_emplace(blocks_of[k], nodes.count());
    if (is_new) nodes.add(true);
    node_of[k] = at->second;
    nodes.unknowns[at->second].push_back(k);
  }

  nodes.carriers.resize(nodes.count());
  for (const auto& [blocks, group] : group_of_blocks) {
    nodes.carriers[group] = blocks;
    for (int b : blocks) nodes.carriers[b].push_back(group);
  }
  nodes.adjacent.resize(nodes.count());
  for (int j = 0; j < a.n; ++j)
    for (int k = a.column_start[j]; k < a.column_start[j + 1]; ++k) {
      const int p = node_of[a.row[k]], q = node_of[j];
      if (p == q) continue;
      nodes.adjacent[p].push_back(q);
      nodes.adjacent[q].push_back(p);
    }
  for (std::vector<int>& list : nodes.adjacent) sort_unique(list);
  return nodes;
}

// Minimum weighted degree on a quotient graph: an eliminated node becomes an element, whose boundary is a clique.
class QuotientGraph {
 public:
  explicit QuotientGraph(const Nodes& nodes)
      : nodes_(nodes),
        adjacent_(nodes.adjacent),
        elements_of_(nodes.count()),
        boundary_(nodes.count()),
        mark_(nodes.count(), -1) {}

  // Nodes that are coupled with p, directly or through what was eliminated.
  std::vector<int> neighbours(int p) {
    ++stamp_;
    mark_[p] = stamp_;
    std::vector<int> found;
    const auto visit = [&](const std::vector<int>& list) {
      for (int i : list)
        if (mark_[i] != stamp_) {
          mark_[i] = stamp_;
          found.push_back(i);
        }
    };
    visit(adjacent_[p]);
    for (int e : elements_of_[p]) visit(boundary_[e]);
    return found;
  }

  int degree(int p) {
    int sum = 0;
    for (int i : neighbours(p)) sum += static_cast<int>(nodes_.unknowns[i].size());
    return sum;
  }

  // Returns the neighbours of p, which now form a clique.
  std::vector<int> eliminate(int p) {
    std::vector<int> front = neighbours(p);  // marks the front and p
    const std::vector<int> absorbed = elements_of_[p];
    for (int e : absorbed)
      for (int i : boundary_[e])
        if (i != p) std::erase(elements_of_[i], e);
    for (int e : absorbed) boundary_[e].clear();
    for (int i : front) {
      std::erase_if(adjacent_[i], [&](int j) { return mark_[j] == stamp_; });
      if (front.size() > 1) elements_of_[i].push_back(p);
    }
    if (front.size() > 1) boundary_[p] = front;
    return front;
  }

 private:
  const Nodes& nodes_;
  std::vector<std::vector<int>> adjacent_, elements_of_, boundary_;
  std::vector<int> mark_;
  int stamp_ = 0;
};

// Eliminated blocks and groups, connected through G: which multipliers may be eliminated next.
class Forest {
 public:
  explicit Forest(const Nodes& nodes) : nodes_(nodes), parent_(nodes.count(), -1), trees_(nodes.count()) {}

  bool may_eliminate(int node) { return !nodes_.is_group[node] || stands_on_a_block(node) || is_complete(node); }

  void eliminate(int node) {
    Tree tree{.open = 0, .free = true};
    std::vector<int> joined;
    if (nodes_.is_group[node]) {
      joined = roots(nodes_.carriers[node]);
      tree.free = stands_on_a_block(node) && joined.size() > 1;
      for (int r : joined) tree.free = tree.free && trees_[r].free;
      for (int b : nodes_.carriers[node]) tree.open += parent_[b] == -1;
    } else {  // groups that stand elsewhere and wait for this block are complete now
      joined = roots(nodes_.carriers[node]);
      for (int g : nodes_.carriers[node]) tree.open -= parent_[g] != -1;
    }
    parent_[node] = node;
    for (int r : joined) {
      tree.open += trees_[r].open;
      parent_[r] = node;
    }
    trees_[node] = tree;
  }

 private:
  struct Tree {
    int open = 0;       // couplings of its groups to blocks not yet eliminated
    bool free = false;  // any of its blocks can still be made to carry a group
  };

  int root(int node) {
    while (parent_[node] != node) node = parent_[node] = parent_[parent_[node]];
    return node;
  }

  // The trees of those of the nodes that are eliminated, each once.
  std::vector<int> roots(const std::vector<int>& list) {
    std::vector<int> found;
    for (int k : list)
      if (parent_[k] != -1) found.push_back(root(k));
    sort_unique(found);
    return found;
  }

  // (i) all linked rows of G are complete
  bool is_complete(int group) {
    for (int b : nodes_.carriers[group])
      if (parent_[b] == -1 || trees_[root(b)].open > 0) return false;
    return true;
  }

  // (ii) one of at most two blocks, of different trees, is free and large enough
  bool stands_on_a_block(int group) {
    const std::vector<int>& blocks = nodes_.carriers[group];
    if (blocks.size() > 2) return false;
    std::size_t eliminated = 0;
    for (int b : blocks) {
      if (nodes_.unknowns[group].size() > nodes_.unknowns[b].size()) return false;
      eliminated += parent_[b] != -1;
    }
    const std::vector<int> trees = roots(blocks);
    return trees.size() == eliminated && std::any_of(trees.begin(), trees.end(), [&](int r) { return trees_[r].free; });
  }

  const Nodes& nodes_;
  std::vector<int> parent_;  // union-find; -1: not eliminated
  std::vector<Tree> trees_;  // [root]
};

}  // namespace

std::vector<int> elimination_order(const SparsePattern& pattern, const std::vector<int>& block) {
  const Nodes nodes = make_nodes(pattern, block);
  QuotientGraph graph(nodes);
  Forest forest(nodes);

  std::set<std::pair<int, int>> candidates;  // (degree, node) of the nodes that may be eliminated
  std::vector<int> degree(nodes.count());
  const auto update = [&](int node) {
    candidates.erase({degree[node], node});
    degree[node] = graph.degree(node);
    if (forest.may_eliminate(node)) candidates.insert({degree[node], node});
  };
  for (int node = 0; node < nodes.count(); ++node) update(node);

  std::vector<int> order;
  order.reserve(pattern.n);
  while (!candidates.empty()) {
    const int node = candidates.begin()->second;
    candidates.erase(candidates.begin());
    order.insert(order.end(), nodes.unknowns[node].begin(), nodes.unknowns[node].end());
    forest.eliminate(node);
    for (int i : graph.eliminate(node)) update(i);
  }
  return order;
}

}  // namespace aleator::core::detail
