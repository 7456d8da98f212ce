#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"  // g++ 12 sees one inside Eigen's eigenvalues, where there is none
#include "support/linear_algebra.hpp"

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>
#include <Eigen/LU>

namespace aleator::core::test {

using Eigen::MatrixXcd, Eigen::MatrixXd, Eigen::VectorXcd, Eigen::VectorXd;

VectorXd solve_dense(const MatrixXd& a, const VectorXd& b) { return a.fullPivLu().solve(b); }
VectorXcd solve_complex(const MatrixXcd& a, const VectorXcd& b) { return a.fullPivLu().solve(b); }
MatrixXd inverse_dense(const MatrixXd& a) { return a.fullPivLu().inverse(); }
double norm_of_inverse(const MatrixXd& a) { return a.fullPivLu().inverse().norm(); }
double norm_of_inverse(const MatrixXcd& a) { return a.fullPivLu().inverse().norm(); }
VectorXd solve_definite(const MatrixXd& a, const VectorXd& b) { return a.ldlt().solve(b); }
VectorXd generalized_eigenvalues(const MatrixXd& k, const MatrixXd& m) {
  return Eigen::GeneralizedSelfAdjointEigenSolver<MatrixXd>(k, m, Eigen::EigenvaluesOnly).eigenvalues();
}
SymmetricEigen symmetric_eigen(const MatrixXd& a) {
  using Solver = Eigen::SelfAdjointEigenSolver<MatrixXd>;
  const Solver solver(a);
  return {solver.eigenvalues(), Solver(a, Eigen::EigenvaluesOnly).eigenvalues(), solver.eigenvectors()};
}

}  // namespace aleator::core::test
