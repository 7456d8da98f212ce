#include "numerics/dense_schur.hpp"

#include <Eigen/Eigenvalues>

#include "numerics/dense.hpp"

namespace aleator::core::dense {

using Complex = std::complex<double>;
using Eigen::Index;
using Eigen::MatrixXcd;
using Eigen::MatrixXd;
using Eigen::VectorXcd;

GeneralEigen general_eigen(const MatrixXd& a) {
  const Eigen::EigenSolver<MatrixXd> solver(a);
  if (solver.info() != Eigen::Success) return {};
  return {true, solver.eigenvalues(), solver.eigenvectors()};
}

Schur schur(const MatrixXd& a) {
  if (!a.allFinite()) return {};
  if (a.size() == 0) return {true, MatrixXcd(0, 0), MatrixXcd(0, 0)};
  const Eigen::ComplexSchur<MatrixXd> form(a);
  if (form.info() != Eigen::Success) return {};
  return {true, form.matrixU(), form.matrixT()};
}

namespace {

// One kind of product for all: Eigen compiles another one for each of its factors that is conjugated.
MatrixXcd product(const MatrixXcd& a, const MatrixXcd& b) { return a * b; }

// (s + T)⁻¹ of a column
template <class Column>
void solve_upper(const MatrixXcd& T, Complex s, double sign, Column&& x) {
  for (Index i = T.rows() - 1; i >= 0; --i) {
    x(i) /= s + sign * T(i, i);
    if (x(i) != 0.0) x.head(i) -= (sign * x(i)) * T.col(i).head(i);
  }
}

}  // namespace

void solve_shifted(const Schur& a, Complex s, MatrixXcd& x) {
  for (Index c = 0; c < x.cols(); ++c) solve_upper(a.T, s, -1, x.col(c));
}

// T Y + Y Tᴴ + F = 0 with F = Uᴴ Q U, column by column from the last: (T + conj(T_jj)) y_j = −f_j − Σ_{k>j} conj(T_jk) y_k.
MatrixXd solve_lyapunov(const Schur& a, const MatrixXd& q) {
  const Index n = a.T.rows();
  const MatrixXcd adjoint = a.U.adjoint();
  MatrixXcd Y = -product(product(adjoint, q.cast<Complex>()), a.U);
  for (Index j = n - 1; j >= 0; --j) {
    if (j + 1 < n) Y.col(j) -= Y.rightCols(n - j - 1) * a.T.row(j).tail(n - j - 1).adjoint();
    solve_upper(a.T, std::conj(a.T(j, j)), 1, Y.col(j));
  }
  const MatrixXd X = product(product(a.U, Y), adjoint).real();
  return 0.5 * (X + X.transpose());
}

}  // namespace aleator::core::dense
