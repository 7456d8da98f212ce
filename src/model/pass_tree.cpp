#include "model/pass_tree.hpp"

#include <algorithm>
#include <iterator>
#include <set>

namespace aleator::core {

namespace {

constexpr int most_cuts = 400;  // beyond, the matrix of cut rows is no small one

struct Edge {
  int a, b;  // carriers
  JointRows rows;
  int group, element;
  bool retired;   // some of its rows are
  bool armature;  // it has one
  bool used = false;

  bool touches(int carrier) const { return a == carrier || b == carrier; }
  int beyond(int carrier) const { return a == carrier ? b : a; }
};

std::vector<Edge> joints_of(const Topology& t, const Structure& s) {
  std::vector<Edge> out;
  std::set<int> with_armature;  // first rows of joints
  for (const GroupData& g : t.groups)
    for (int i = 0; i < g.count && g.kernel->joint_direction; ++i)
      with_armature.insert(g.kernel->joint_direction(g.topology.data() + i * g.kernel->topology_size).row);
  for (int g = 0; g < int(t.groups.size()); ++g) {
    const Kernel& kernel = *t.groups[g].kernel;
    for (int i = 0; i < t.groups[g].count && kernel.joint_rows; ++i) {
      const JointRows r = kernel.joint_rows(t.groups[g].topology.data() + i * kernel.topology_size);
      const auto active = s.row_active.begin() + r.row;
      out.push_back({t.marker_carrier[r.a], t.marker_carrier[r.b], r, g, i, std::count(active, active + r.count, 0) > 0,
                     with_armature.contains(r.row)});
    }
  }
  // Whose rows are retired comes first: of the directions they locked nobody else knows. Then those that must be in the tree.
  std::stable_sort(out.begin(), out.end(), [](const Edge& x, const Edge& y) {
    if (x.retired != y.retired) return x.retired;
    return x.armature != y.armature ? x.armature : x.rows.count > y.rows.count;
  });
  return out;
}

class TreeMaker {
 public:
  TreeMaker(const Topology& t, const Structure& s) : t_(t), s_(s), edges_(joints_of(t, s)), seen_(t.ground() + 1, 0) {
    tree_.possible = true;
    tree_.node_of.assign(t.ground() + 1, -1);
    tree_.cut_of_row.assign(s.rows, 0);
  }

  JointTree make() {
    seen_[t_.ground()] = 1;
    // A body that several joints lock for good moves in what they all leave to it.
    for (int c = 0; c < t_.rigid; ++c) {
      const auto locks = [c](const Edge& e) { return e.retired && e.touches(c); };
      if (std::count_if(edges_.begin(), edges_.end(), locks) > 1) add_root(c);
    }
    const int roots = int(tree_.nodes.size());
    grow(t_.ground());
    for (int n = 0; n < roots; ++n) grow(tree_.nodes[n].carrier);
    for (int root = next_root(); root >= 0; root = next_root()) add_root(root), grow(root);
    number_parents();
    if (!place_armatures()) return {};
    find_cuts();
    return std::move(tree_);
  }

 private:
  void add_root(int carrier) { tree_.nodes.push_back({carrier}), seen_[carrier] = 1; }

  void grow(int root) {
    std::vector<int> queue = {root};
    for (size_t k = 0; k < queue.size(); ++k)
      for (Edge& e : edges_) {
        const int at = queue[k];
        if (e.used || !e.touches(at) || seen_[e.beyond(at)]) continue;
        const int other = e.beyond(at);
        seen_[other] = 1, e.used = true;
        tree_.nodes.push_back(
            {.carrier = other, .parent = at, .group = e.group, .element = e.element, .is_second = other == e.b});
        for (int r = 0; r < e.rows.count; ++r) tree_.cut_of_row[e.rows.row + r] = -1;
        queue.push_back(other);
      }
  }

  // Of the bodies that are left the one with the most joints, of equals the first.
  int next_root() const {
    int best = -1;
    long most = -1;
    for (int c = 0; c < t_.rigid; ++c) {
      if (seen_[c]) continue;
      const long joints = std::count_if(edges_.begin(), edges_.end(), [c](const Edge& e) { return e.touches(c); });
      if (joints > most) best = c, most = joints;
    }
    return best;
  }

  // Parents were carriers until now.
  void number_parents() {
    for (size_t n = 0; n < tree_.nodes.size(); ++n) tree_.node_of[tree_.nodes[n].carrier] = int(n);
    for (JointTree::Node& n : tree_.nodes) {
      n.parent = n.parent < 0 || n.parent == t_.ground() ? -1 : tree_.node_of[n.parent];
      if (n.parent >= 0) tree_.nodes[n.parent].is_leaf = false;
    }
  }

  // False where one is in a joint that is cut: the recursion does not know it.
  bool place_armatures() {
    for (int g = 0; g < int(t_.groups.size()); ++g) {
      const GroupData& group = t_.groups[g];
      for (int i = 0; i < group.count && group.kernel->joint_direction; ++i) {
        const JointDirection d = group.kernel->joint_direction(group.topology.data() + i * group.kernel->topology_size);
        const auto node = std::find_if(tree_.nodes.begin(), tree_.nodes.end(),
                                       [&](const JointTree::Node& n) { return n.group >= 0 && rows_at(n).row == d.row; });
        if (node == tree_.nodes.end()) return false;
        node->armatures.push_back({g, i, d.place});
      }
    }
    return true;
  }

  void find_cuts() {
    std::vector<int> rows;
    for (int r = 0; r < s_.rows; ++r)
      if (tree_.cut_of_row[r] == 0 && s_.row_active[r]) rows.push_back(r);
    std::fill(tree_.cut_of_row.begin(), tree_.cut_of_row.end(), -1);
    if (int(rows.size()) > most_cuts) {
      tree_ = {};
      return;
    }
    for (size_t k = 0; k < rows.size(); ++k) tree_.cut_of_row[rows[k]] = int(k);
    find_columns();
    const std::vector<int> order = elimination(int(rows.size()));
    for (const int k : order) tree_.cut_rows.push_back(rows[k]);
    for (size_t k = 0; k < rows.size(); ++k) tree_.cut_of_row[tree_.cut_rows[k]] = int(k);
    find_columns();
    estimate();
  }

  void find_columns() {
    for (JointTree::Node& n : tree_.nodes) n.cuts.clear();
    for (size_t g = 0; g < t_.gradient_row.size(); ++g) {
      const int cut = tree_.cut_of_row[t_.gradient_row[g]], carrier = t_.marker_carrier[t_.gradient_marker[g]];
      if (cut < 0 || carrier == t_.ground()) continue;
      for (int n = tree_.node_of[carrier]; n >= 0; n = tree_.nodes[n].parent) tree_.nodes[n].cuts.push_back(cut);
    }
    for (JointTree::Node& n : tree_.nodes) {
      std::sort(n.cuts.begin(), n.cuts.end());
      n.cuts.erase(std::unique(n.cuts.begin(), n.cuts.end()), n.cuts.end());
    }
  }

  // Cut rows in the order of elimination: next comes the one with the fewest neighbours (of equals the first), which it makes neighbours.
  std::vector<int> elimination(int count) {
    std::vector<std::vector<char>> coupled(count, std::vector<char>(count, 0));
    for (const JointTree::Node& n : tree_.nodes)
      for (const int i : n.cuts)
        for (const int j : n.cuts) coupled[i][j] = 1;
    std::vector<int> order, place(count, -1);
    std::vector<std::vector<int>> touched;
    for (int k = 0; k < count; ++k) {
      int best = -1;
      long fewest = count + 1;
      for (int i = 0; i < count; ++i) {
        if (place[i] >= 0) continue;
        const long n = std::count(coupled[i].begin(), coupled[i].end(), 1);
        if (n < fewest) best = i, fewest = n;
      }
      std::vector<int> neighbours;
      for (int i = 0; i < count; ++i)
        if (i != best && coupled[best][i]) neighbours.push_back(i);
      for (const int i : neighbours) {
        for (const int j : neighbours) coupled[i][j] = 1;
        coupled[i][best] = 0;
      }
      place[best] = k;
      order.push_back(best);
      touched.push_back(std::move(neighbours));
    }
    for (std::vector<int>& list : touched) {
      for (int& i : list) i = place[i];
      std::sort(list.begin(), list.end());
    }
    tree_.after = std::move(touched);
    return order;
  }

  // Of programs, in which zeros are gone; fitted. A body between others moves a dense inertia, one at the end of a tree, or without a joint, a simple one.
  void estimate() {
    const double part = t_.normal >= 0 ? 0.3 : 1;
    for (const JointTree::Node& n : tree_.nodes) {
      double free = 0;
      for (int i = 0; i < 6; ++i) free += s_.dof[6 * n.carrier + i] >= 0;
      if (n.group >= 0) free -= std::min(free, double(rows_of(n)));
      const double cuts = double(n.cuts.size());
      const double own = n.group < 0 ? 100 + 70 * free : n.is_leaf ? 100 + 45 * free : 350 + 150 * free;
      tree_.operations += part * own + cuts * (14 + part * 28 * free + free * (cuts + 1));
    }
    for (const std::vector<int>& list : tree_.after) tree_.operations += double((list.size() + 1) * (list.size() + 2));
  }
  JointRows rows_at(const JointTree::Node& n) const {
    const GroupData& g = t_.groups[n.group];
    return g.kernel->joint_rows(g.topology.data() + n.element * g.kernel->topology_size);
  }
  int rows_of(const JointTree::Node& n) const {
    const JointRows r = rows_at(n);
    const auto active = s_.row_active.begin() + r.row;
    return int(std::count(active, active + r.count, 1));
  }

  const Topology& t_;
  const Structure& s_;
  std::vector<Edge> edges_;
  std::vector<char> seen_;  // [carriers + 1]
  JointTree tree_;
};

}  // namespace

JointTree make_tree(const Topology& t, const Structure& s) {
  if (t.rigid == 0 || t.all_carriers().flexible()) return {};
  return TreeMaker(t, s).make();
}

}  // namespace aleator::core
