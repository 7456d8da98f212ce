// The index-1 form of the equations of motion,
//   [ M  Gᵀ ] [ v̇ ]   [ f − k  ]
//   [ G  −ε ] [ λ ] = [ −bias ]
// and what its matrix is good for besides accelerations: making positions and velocities obey the constraints with the least
// kinetic energy, M δ + Gᵀ ν = 0, G δ = −(violation).
// ε is a regularisation of 1e-11 relative to G M⁻¹ Gᵀ: redundant constraints get the least multipliers, others feel nothing.
#pragma once

#include <memory>

#include "dynamics/assembly.hpp"
#include "dynamics/errors.hpp"

namespace aleator::core {

// A factorised matrix of an Assembly. Pivots are found once; a single realization finds new ones when the old ones fail.
template <class T>
class Solver {
 public:
  // `singular`: a recording's pivots are bad when they are so much smaller than those of the analysis.
  explicit Solver(double singular = 1e-8) : singular_(singular) {}
  // Analyses the values of `assembly` (the first lane), unless a program made elsewhere is handed in.
  void prepare(const Assembly<T>& assembly, std::shared_ptr<const LuProgram> program = nullptr);
  bool prepared() const { return program_ != nullptr; }
  const std::shared_ptr<const LuProgram>& program() const { return program_; }
  MaskOf<T> factor(const Assembly<T>& assembly);  // lanes that failed
  // The same in lanes `which`; the others keep their factors. (A single realization is always one of them.)
  MaskOf<T> renew(const Assembly<T>& assembly, const MaskOf<T>& which);
  void solve(T* x) { aleator::core::solve(*program_, factors_, x); }
  LuFactors<T>& factors() { return factors_; }

 private:
  double singular_;
  std::shared_ptr<const LuProgram> program_;
  LuFactors<T> factors_;
};

template <class T>
class Index1 {
 public:
  explicit Index1(Assembly<T>& assembly);

  // Evaluates everything at the state and factors the matrix. Lanes that failed.
  MaskOf<T> evaluate(const State<T>& s, Side side);
  // The same with the factors of the last evaluate, for a state that differs from that one by a projection only.
  MaskOf<T> evaluate_again(const State<T>& s, Side side);
  // After evaluate: v̇ and λ. `pull` is added to the constraints of acceleration, G v̇ = −bias + pull ([rows], none when null).
  void accelerations(State<T>& s, const T* pull = nullptr);
  // After evaluate: one correction of the velocities; a linear problem, so once is enough.
  void project_velocities(State<T>& s);
  // After evaluate: one Newton correction of the positions. The caller evaluates again.
  void project_positions(State<T>& s);
  // [rows] by project_positions: what it leaves open, ε ν.
  const AlignedVector<T>& left_open() const { return open_; }

  Solver<T>& solver() { return solver_; }

 private:
  Assembly<T>& assembly_;
  Solver<T> solver_;
  AlignedVector<T> right_, full_, rows_;  // [size], [6 carriers], [rows]
  AlignedVector<T> open_;                 // [rows]
};

extern template class Solver<double>;
extern template class Solver<Traced>;
extern template class Index1<double>;
extern template class Index1<Traced>;

}  // namespace aleator::core
