// The matrix of Newton's iteration of mechanisms with flexible bodies, in two parts. Inside are the vectors of nodes that no joint holds: their factors are kept in
// axes that turn with the nodes (node_axes.hpp), where they hardly change. The border is what joints hold, the joints' rows, and rigid bodies:
//   [ K_nn  K_nb       ]  n: inside, b: nodes that are held and rigid bodies,
//   [ K_bn  K_bb  G_bᵀ ]  G_b in the axes of the nodes as they are now
//   [       G_b        ]
// Of the inside, L D Lᵀ and the Schur complement S = K_bb − K_bn K_nn⁻¹ K_nb are kept. The small system of the border, with S and with G as it is now, is solved
// anew in every iteration: a link that turns against the rail that its end slides on costs no iterations, however old its factors are.
//
// Rows are pivots of as many unknowns (what they determine), so that most of the border's arithmetic is done when the program is recorded:
// the gradients of a pin are ones and zeros.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "dynamics/node_axes.hpp"
#include "numerics/complex.hpp"
#include "numerics/sparse_ldl.hpp"

namespace aleator::core {

struct NewtonBorder {
  // `values`: those of [M Gᵀ; G −ε] of the nominal model; `gradients`: the same with G at a state drawn at random, which shows what rows hold.
  // None where the border is large, its rows are not independent, or there is no inside.
  static std::shared_ptr<const NewtonBorder> find(const Model& model, std::span<const double> values,
                                                  std::span<const double> gradients);

  static constexpr int most = 24;  // unknowns and rows of the border
  std::shared_ptr<const LuProgram> lu;
  // Columns and rows of the border's system in the order of its pivots, as unknowns of the structure: rows of joints with what they determine, what is left, and
  // what they determine with their multipliers.
  std::vector<int> row, column;
  std::vector<int> rows;  // of joints
};

// G_b now, by the assembly, after constrain().
template <class T>
class BorderGradients {
 public:
  BorderGradients(const Model& model, const NewtonBorder& border);
  void find(const Assembly<T>& a, const NodeAxes<T>& axes, const Mat3<T>* turns);
  const T& at(int row, int unknown) const { return entry_[size_t(place_[size_t(row)]) * size_t(size_) + size_t(unknown)]; }

 private:
  const Model& model_;
  const NewtonBorder& border_;
  int size_;
  std::vector<int> place_;  // [rows] among those of the border
  AlignedVector<T> entry_;  // [rows of the border][size]
};

// Factors of the inside, and the Schur complement; lanes whose pivots have vanished.
template <class N>
MaskOf<N> factor_inside(const NewtonBorder& border, double tolerance, const N* values, LuFactors<N>& factors);
// x ← solution, x in the order of unknowns and in the axes of the nodes (multipliers in their own).
template <class N, class T>
void solve_bordered(const NewtonBorder& border, const Structure& structure, const BorderGradients<T>& gradients,
                    LuFactors<N>& factors, N* x);

}  // namespace aleator::core
