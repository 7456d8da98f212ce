// Axes that turn with the nodes of flexible bodies. A matrix of Newton's iteration is stiff along some directions of a beam and soft along others;
// a turn of the beam mixes them, and a matrix made before contracts badly. In axes that turn with the nodes it hardly changes:
//   J ≈ S J_made Sᵀ,          S = F F_madeᵀ,   F = axes along r_x and r_y,
// so right-hand sides are turned by Sᵀ before the solution and solutions by S. Rows of joints that hold a point of a flexible body are turned
// likewise. This changes the way to the solution, not the solution.
#pragma once

#include <array>
#include <vector>

#include "dynamics/assembly.hpp"

namespace aleator::core {

template <class T>
class NodeAxes {
 public:
  explicit NodeAxes(const Model& model);

  int nodes() const { return int(leads_.size()); }
  // F of node n at positions q (rows are the axes; a cable in space has the first one only).
  Mat3<T> at(const T* q, int n) const;
  // S of node n, from F when the matrix was made to F now.
  Mat3<T> turn(int n, const Mat3<T>& made, const Mat3<T>& now) const;
  // x ← Sᵀ x and x ← S x, x in the order of unknowns, S of all nodes.
  void into(const Mat3<T>* S, T* x) const;
  void out_of(const Mat3<T>* S, T* x) const;

 private:
  struct Turning {  // three unknowns (−1: none) that are a vector and turn with a node
    int node;
    std::array<int, 3> unknown;
  };
  template <class Turn>
  void each(T* x, Turn&& turn) const;

  int normal_;
  std::vector<Turning> turning_;
  std::vector<int> leads_;   // [nodes] first carrier (r, r_x)
  std::vector<int> second_;  // [nodes] second carrier (r_y, r_z), −1: none
};

extern template class NodeAxes<double>;
extern template class NodeAxes<Traced>;

}  // namespace aleator::core
