// The matrix of all unknowns, [A Gᵀ; G −ε], as a sparse program: for A = M, and for tangents.
#pragma once

#include <memory>

#include "dynamics/linear_solver.hpp"

namespace aleator::core {

// A factorised matrix of an Assembly. Pivots are found once; a single realization finds new ones when the old ones fail.
template <class T>
class Solver {
 public:
  // `singular`: a recording's pivots are bad when they are so much smaller than those of the analysis.
  // `symmetric`: the matrix is (A = M, no tangent), half the operations are enough where pivots allow it.
  explicit Solver(double singular = 1e-8, bool symmetric = false) : singular_(singular), symmetric_(symmetric) {}
  // Analyses the values of `assembly` (the first lane), unless a program made elsewhere is handed in.
  void prepare(const Assembly<T>& assembly, std::shared_ptr<const LuProgram> program = nullptr);
  bool prepared() const { return program_ != nullptr; }
  const std::shared_ptr<const LuProgram>& program() const { return program_; }
  MaskOf<T> factor(const Assembly<T>& assembly);  // lanes that failed
  // The same in lanes `which`; the others keep their factors. (A single realization is always one of them.)
  MaskOf<T> renew(const Assembly<T>& assembly, const MaskOf<T>& which);
  void solve(T* x);
  LuFactors<T>& factors() { return factors_; }

 private:
  MaskOf<T> factor(const Assembly<T>& assembly, LuFactors<T>& factors) const;

  double singular_;
  bool symmetric_;
  bool halved_ = false;  // symmetric, and the program's pivots are on the diagonal
  std::shared_ptr<const LuProgram> program_;
  LuFactors<T> factors_;
};

// The index-1 system by that matrix.
template <class T>
class KktSolver final : public LinearSolver<T> {
 public:
  explicit KktSolver(Assembly<T>& assembly);
  Solver<T>& matrix() { return matrix_; }
  const Solver<T>& matrix() const { return matrix_; }

  MaskOf<T> factor() override;
  void solve(const T* forces, const T* asked, T* accelerations, T* lambda) override;
  void project(const T* asked, T* motion, T* open) override;

 private:
  Assembly<T>& assembly_;
  Solver<T> matrix_{1e-8, true};
  AlignedVector<T> right_, zero_, rows_;  // [size], [6 carriers], [rows]
};

extern template class Solver<double>;
extern template class Solver<Traced>;
extern template class KktSolver<double>;
extern template class KktSolver<Traced>;

}  // namespace aleator::core
