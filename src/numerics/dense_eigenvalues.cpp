#include <Eigen/Eigenvalues>

#include "numerics/dense.hpp"

namespace aleator::core::dense {
namespace {

using Solver = Eigen::SelfAdjointEigenSolver<MatrixXd>;

}  // namespace

SymmetricEigen symmetric_eigen(const MatrixXd& a) {
  const Solver solver(a);
  return {solver.eigenvalues(), solver.eigenvectors()};
}

VectorXd symmetric_eigenvalues(const MatrixXd& a) { return Solver(a, Eigen::EigenvaluesOnly).eigenvalues(); }

SymmetricEigen tridiagonal_eigen(const VectorXd& diagonal, const VectorXd& beside) {
  Solver solver;
  solver.computeFromTridiagonal(diagonal, beside);
  return {solver.eigenvalues(), solver.eigenvectors()};
}

VectorXd tridiagonal_eigenvalues(const VectorXd& diagonal, const VectorXd& beside) {
  Solver solver;
  solver.computeFromTridiagonal(diagonal, beside, Eigen::EigenvaluesOnly);
  return solver.eigenvalues();
}

SymmetricEigen3 symmetric_eigen3(const Matrix3d& a) {
  const Eigen::SelfAdjointEigenSolver<Matrix3d> solver(a);
  return {solver.eigenvalues(), solver.eigenvectors()};
}

GeneralEigen general_eigen(const MatrixXd& a) {
  const Eigen::EigenSolver<MatrixXd> solver(a);
  if (solver.info() != Eigen::Success) return {};
  return {true, solver.eigenvalues(), solver.eigenvectors()};
}

}  // namespace aleator::core::dense
