// The index-1 form of the equations of motion,
//   [ M  Gᵀ ] [ v̇ ]   [ f − k  ]
//   [ G  −ε ] [ λ ] = [ −bias ]
// and what its matrix is good for besides accelerations: making positions and velocities obey the constraints with the least
// kinetic energy, M δ + Gᵀ ν = 0, G δ = −(violation).
// ε is a regularisation of 1e-11 relative to G M⁻¹ Gᵀ: redundant constraints get the least multipliers, others feel nothing.
//
// It is solved by the whole matrix or in joint coordinates, where there is a tree and it is cheaper: for a single realization by an estimate, for
// lanes by counting operations of both (LaneCompiler). The matrix is kept where
// - a body at the end of a tree has no inertia in a direction in which it may move (something else holds it),
// - rows are redundant and somebody can see how they share: a single realization always (messages, forces in joints), recordings where a reaction is an
//   output or where drives and couplings may contradict each other. A tree would give to cut rows what all rows should share; motions are the same.
#pragma once

#include <memory>

#include "dynamics/articulated_solver.hpp"
#include "dynamics/errors.hpp"
#include "dynamics/kkt_solver.hpp"

namespace aleator::core {

// What the first evaluation of a single realization has found, for recordings.
struct Index1Pivots {
  std::shared_ptr<const LuProgram> matrix;
  std::shared_ptr<const std::vector<double>> tree = nullptr;  // null: it must not be used
};

enum class Index1Solver { cheapest, matrix, tree };  // tree: wherever it may be used

template <class T>
class Index1 {
 public:
  explicit Index1(Assembly<T>& assembly, Index1Solver which = Index1Solver::cheapest);

  // Of a recording, before it is evaluated.
  void prepare(const Index1Pivots& pivots);
  const Index1Pivots& pivots() const { return pivots_; }

  // Evaluates everything at the state and factors the matrix. Lanes that failed.
  MaskOf<T> evaluate(const State<T>& s, Side side);
  // The same with the factors of the last evaluate, for a state that differs from that one by a projection only.
  MaskOf<T> evaluate_again(const State<T>& s, Side side);
  // After evaluate: v̇ and λ. `pull` is added to the constraints of acceleration, G v̇ = −bias + pull ([rows], none when null).
  void accelerations(State<T>& s, const T* pull = nullptr);
  // After accelerations: v̇ as it belongs to the velocities of the state, which may be reduced (Assembly::read_reduced); [6 carriers].
  void rates(const State<T>& s, T* out);
  // After evaluate: one correction of the velocities; a linear problem, so once is enough.
  void project_velocities(State<T>& s);
  // After evaluate: one Newton correction of the positions. The caller evaluates again.
  void project_positions(State<T>& s);
  // [rows] by project_positions: what it leaves open, ε ν.
  const AlignedVector<T>& left_open() const { return open_; }

  // The matrix. Its program is there after the first evaluation; its factors, if it is what is used.
  Solver<T>& solver() { return matrix_.matrix(); }
  bool uses_tree() const { return tree_ != nullptr; }

 private:
  void choose();
  void reduce(T* motion);  // what was solved for
  LinearSolver<T>& used() { return tree_ ? static_cast<LinearSolver<T>&>(*tree_) : matrix_; }

  Assembly<T>& assembly_;
  Index1Solver which_;
  KktSolver<T> matrix_;
  std::unique_ptr<ArticulatedSolver<T>> tree_;  // null: the matrix is used
  Index1Pivots pivots_;
  AlignedVector<T> full_, rows_;  // [6 carriers], [rows]
  AlignedVector<T> open_;         // [rows]
};

extern template class Index1<double>;
extern template class Index1<Traced>;

}  // namespace aleator::core
