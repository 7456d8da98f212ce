// Axes that turn with the nodes of flexible bodies. A matrix of Newton's iteration is stiff along some directions of a beam and soft along others;
// a turn of the beam mixes them, and a matrix made before contracts badly. In axes that turn with the nodes it hardly changes:
//   J ≈ S J_made Sᵀ,          S = F F_madeᵀ,   F = axes along r_x and r_y,
// so right-hand sides are turned by Sᵀ before the solution and solutions by S. Rows of joints that hold a point of a flexible body are turned
// likewise. This changes the way to the solution, not the solution.
//
// Neighbouring nodes that turn by different angles would make a strain of a displacement they share, and a long thin beam is much stiffer along its axis than a
// step's inertia: factors would age with every change of its bend. Where joints hold one node of a beam at most, the places r are therefore turned
// from element to element,
//   δr_child = δr_parent + S_e (δr̂_child − δr̂_parent),      S_e = ½ (S_parent + S_child),
// starting at the node that is held, so that displacements without a strain have none in the matrix either.
#pragma once

#include <array>
#include <vector>

#include "dynamics/assembly.hpp"

namespace aleator::core {

template <class T>
class NodeAxes {
 public:
  explicit NodeAxes(const Model& model);

  // Rows of joints stay in inertial axes from now on; unknowns from `first` on are rows.
  void leave_rows(int first);
  int nodes() const { return int(leads_.size()); }
  // F of node n at positions q (rows are the axes; a cable in space has the first one only).
  Mat3<T> at(const T* q, int n) const;
  // S of node n, from F when the matrix was made to F now.
  Mat3<T> turn(int n, const Mat3<T>& made, const Mat3<T>& now) const;
  // The same without a root now, in the plane: what was made is divided by the length of r_x then, and the length since is taken out by one of Newton's
  // iterations, which leaves 3/2 of the square of its relative change.
  Mat3<T> made_at(const T* q, int n) const;
  Mat3<T> turn_since(const Mat3<T>& made, const T* q, int n) const;
  // x ← Sᵀ x and x ← S x, x in the order of unknowns, S of all nodes.
  void into(const Mat3<T>* S, T* x) const;
  void out_of(const Mat3<T>* S, T* x) const;

 private:
  struct Turning {  // three unknowns (−1: none) that are a vector and turn with a node
    int node;
    std::array<int, 3> unknown;
  };
  struct Link {  // an element of a chain, away from the node it is held at
    int parent, child;
  };
  template <class Turn>
  void each(T* x, Turn&& turn) const;
  void find_links(const Model& model, const std::vector<int>& node_of);
  Vec3<T> place(const T* x, int node) const;
  Vec3<T> slope(const T* q, int n) const;
  void set_place(T* x, int node, const Vec3<T>& v) const;

  int normal_;
  std::vector<Turning> turning_;
  std::vector<int> leads_;                       // [nodes] first carrier (r, r_x)
  std::vector<int> second_;                      // [nodes] second carrier (r_y, r_z), −1: none
  std::vector<std::array<int, 3>> places_;       // [nodes] unknowns of r
  std::vector<int> roots_;                       // nodes where chains begin
  std::vector<Link> links_;                      // parents before their children
  mutable AlignedVector<Vec3<T>> sum_, turned_;  // [nodes] workspace of into() and out_of()
};

extern template class NodeAxes<double>;
extern template class NodeAxes<Traced>;

}  // namespace aleator::core
