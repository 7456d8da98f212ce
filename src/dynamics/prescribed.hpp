// Corrections of bodies whose motion is prescribed, in Newton's iteration. The system
//   [ A_uu  A_ud  G_uᵀ      ]  u: other unknowns with their multipliers λ, d: prescribed bodies with their rows e,
//   [ A_du  A_dd  G_dᵀ  Eᵀ  ]  E square
//   [ G_u   G_d             ]
//   [       E               ]
// falls apart:  E δ_d = r_e  first, the rest with δ_d on the right, and  Eᵀ λ_e = r_d − A_du δ_u − A_dd δ_d − G_dᵀ λ  last. E and G are those of
// the present positions, although A may be an old one: a reaction that turns with a driven body costs no iterations.
#pragma once

#include "dynamics/assembly.hpp"
#include "dynamics/newton_pattern.hpp"

namespace aleator::core {

template <class T>
class Prescribed {
 public:
  Prescribed(const Model& model, const NewtonPattern& pattern);

  // A_ud, A_du, A_dd out of a matrix in the order of the structure's pattern, in lanes `which`; the others keep theirs.
  void keep(const T* values, const MaskOf<T>& which);
  // x is the right-hand side in the order of unknowns; then that of the matrix without d and e, whose solution has δ_d …
  void before(const Assembly<T>& a, T* x);
  // … and gets λ_e.
  void after(const Assembly<T>& a, T* x);

  template <class F>
  void each_kept(F&& f) {
    f(kept_.data(), kept_.size());
  }

 private:
  struct Entry {  // of A: where it is in the pattern of the structure
    int at, row, column;
  };
  struct Gradient {  // of a row at an unknown: where it is in the Jacobian
    int block, component, row, unknown;
  };
  struct Body {
    PrescribedBody which;
    std::vector<Gradient> own, others;  // of its rows, and of other rows at its unknowns
  };
  // E of a body, factored without an exchange of rows.
  struct Factors {
    T e[6][6];
  };
  Factors factor(const Assembly<T>& a, const Body& body) const;
  static T gradient(const Assembly<T>& a, const Gradient& g);

  int dofs_;
  std::vector<Body> bodies_;
  std::vector<Entry> entries_;  // of A: rows of d, and columns of d in rows of u
  std::vector<char> is_row_;    // [entries] of d
  AlignedVector<T> kept_;       // [entries]
  AlignedVector<T> forces_;     // [size] r_d, then what is left of it for λ_e
};

extern template class Prescribed<double>;
extern template class Prescribed<Traced>;

}  // namespace aleator::core
