#include "model/pass_relative.hpp"

#include <algorithm>

#include "elements/locked_directions.hpp"
#include "model/pass_tree.hpp"

namespace aleator::core {

namespace {

// Marker axes → inertial axes, as drawn.
Mat3<double> drawn_axes(const Topology& t, const Parameters& n, int marker) {
  const int c = t.marker_carrier[marker];
  const Mat3<double>& axes = n.markers[marker].axes;
  return c == t.ground() ? axes : rotation_matrix(RigidBody::orientation(&n.positions[7 * size_t(c)])) * axes;
}

// The axes that both markers have in common point the same way: rows say only that they are parallel.
bool agrees(const Topology& t, const Parameters& n, const RelativeJoint& j) {
  constexpr double nearly = 0.9;
  const Mat3<double> a = drawn_axes(t, n, j.at_parent), b = drawn_axes(t, n, j.at_child);
  for (int i = 0; i < 3; ++i)
    if ((j.axis < 0 || i == j.axis) && dot(a.column(i), b.column(i)) < nearly) return false;
  return t.normal < 0 || a[t.normal][t.normal] > nearly;
}

// The points coincide, nothing is prescribed or retired, and of rotations none or one is free.
bool is_relative(const Topology& t, const Structure& s, int carrier, const LockedDirections::Topology& e) {
  const auto active = s.row_active.begin() + e.row;
  if (e.coincident == 0 || e.turns_a + e.turns_b > 0) return false;
  if (std::count(active, active + LockedDirections::rows(e), 0) > 0) return false;
  for (int i = 0; i < 6; ++i)
    if (t.carriers[carrier].active(i, t.normal) && s.dof[6 * carrier + i] < 0) return false;
  const bool hinge = e.rotations == 2 && e.of_b[0] == e.of_b[1] && e.of_a[0] != e.of_b[0] && e.of_a[1] != e.of_b[0];
  return t.normal >= 0 || e.rotations == 3 || hinge;
}

// [cut rows] Of joints in space that close a loop and lock rotations. Such loops often have more rows than they need, which agree only where the loop is
// closed; then bodies that share what a step leaves open are an order of magnitude more accurate (Bricard's mechanism) than angles that must take it all.
std::vector<char> stiff_cuts(const Topology& t, const JointTree& tree) {
  std::vector<char> stiff(tree.cut_rows.size(), 0);
  for (const GroupData& g : t.groups) {
    if (t.normal >= 0 || g.kernel != &locked_directions_kernel) continue;
    for (int i = 0; i < g.count; ++i) {
      const auto& e = reinterpret_cast<const LockedDirections::Topology*>(g.topology.data())[i];
      for (int r = e.row; r < e.row + LockedDirections::rows(e); ++r)
        if (const int cut = tree.cut_of_row[r]; cut >= 0 && e.rotations > 0) stiff[cut] = 1;
    }
  }
  return stiff;
}

}  // namespace

std::vector<RelativeJoint> find_relative(const Model& model) {
  const Topology& t = model.topology;
  const Structure& s = model.structure;
  std::vector<RelativeJoint> found;
  if (!s.relative) return found;
  const JointTree own = s.tree.possible ? JointTree{} : make_tree(t, s);  // states do not depend on how accelerations are found
  const JointTree& tree = s.tree.possible ? s.tree : own;
  if (!tree.possible) return found;
  const std::vector<char> stiff = stiff_cuts(t, tree);
  for (int k = 0; k < int(tree.nodes.size()); ++k) {
    const JointTree::Node& node = tree.nodes[k];
    if (std::any_of(node.cuts.begin(), node.cuts.end(), [&](int cut) { return stiff[cut] != 0; })) continue;
    if (node.group < 0 || t.groups[node.group].kernel != &locked_directions_kernel) continue;
    const auto& e = reinterpret_cast<const LockedDirections::Topology*>(t.groups[node.group].topology.data())[node.element];
    if (!is_relative(t, s, node.carrier, e)) continue;
    const int parent = node.parent < 0 ? t.ground() : tree.nodes[node.parent].carrier;
    const RelativeJoint j = {.carrier = node.carrier,
                             .parent = parent,
                             .at_child = node.is_second ? e.b : e.a,
                             .at_parent = node.is_second ? e.a : e.b,
                             .axis = t.normal >= 0      ? (e.rotations == 0 ? t.normal : -1)
                                     : e.rotations == 2 ? e.of_b[0]
                                                        : -1,
                             .row = e.row,
                             .rows = LockedDirections::rows(e),
                             .node = k};
    if (agrees(t, model.nominal, j)) found.push_back(j);
  }
  return found;
}

}  // namespace aleator::core
