#include "numerics/dense_schur.hpp"

#include <Eigen/Eigenvalues>
#include <vector>

#include "numerics/dense.hpp"

namespace aleator::core::dense {

using Complex = std::complex<double>;
using Eigen::Index;
using Eigen::MatrixXcd;
using Eigen::MatrixXd;
using Eigen::VectorXcd;

namespace {

// Eigen's iteration never ends for a few in a thousand of the matrices with double imaginary eigenvalues, such as those of two equal gyroscopic systems. In
// another order of rows and columns, which changes neither eigenvalues nor bits of numbers, it does.
constexpr int orders = 3;
std::vector<Index> order_of(Index n, int attempt) {
  std::vector<Index> out(static_cast<std::size_t>(n));
  for (Index i = 0; i < n; ++i) out[std::size_t(i)] = attempt == 0 ? i : attempt == 1 ? n - 1 - i : (i + n / 2) % n;
  return out;
}

}  // namespace

GeneralEigen general_eigen(const MatrixXd& a) {
  for (int attempt = 0; attempt < orders; ++attempt) {
    const std::vector<Index> order = order_of(a.rows(), attempt);
    const Eigen::EigenSolver<MatrixXd> solver(MatrixXd(a(order, order)));
    if (solver.info() != Eigen::Success) continue;
    GeneralEigen out{true, solver.eigenvalues(), solver.eigenvectors()};
    const MatrixXcd vectors = out.vectors;
    for (Index i = 0; i < a.rows(); ++i) out.vectors.row(order[std::size_t(i)]) = vectors.row(i);
    return out;
  }
  return {};
}

namespace {

// Columns k and k+1 of A, down to `rows`, become theirs times [c −s; s c̄].
void turn_columns(MatrixXcd& A, Index k, Index rows, Complex c, double s) {
  for (Index i = 0; i < rows; ++i) {
    const Complex a = A(i, k), b = A(i, k + 1);
    A(i, k) = a * c + b * s;
    A(i, k + 1) = b * std::conj(c) - a * s;
  }
}

}  // namespace

// From the real form, whose diagonal has 2 × 2 blocks for pairs of eigenvalues: each is made triangular by the unitary G = [c̄ s; −s c] that turns its
// eigenvector into a coordinate (Golub & Van Loan, 7.4). Eigen's own complex form takes as long to compile as all the rest.
Schur schur(const MatrixXd& a) {
  if (!a.allFinite()) return {};
  if (a.size() == 0) return {true, MatrixXcd(0, 0), MatrixXcd(0, 0)};
  Schur out;
  for (int attempt = 0; attempt < orders && !out.converged; ++attempt) {
    const std::vector<Index> order = order_of(a.rows(), attempt);
    const Eigen::RealSchur<MatrixXd> real(MatrixXd(a(order, order)));
    if (real.info() != Eigen::Success) continue;
    out = {true, MatrixXcd(a.rows(), a.cols()), real.matrixT().cast<Complex>()};
    for (Index i = 0; i < a.rows(); ++i) out.U.row(order[std::size_t(i)]) = real.matrixU().row(i).cast<Complex>();
  }
  if (!out.converged) return out;
  MatrixXcd& T = out.T;
  const Index n = T.rows();
  for (Index m = n - 1; m > 0; --m) {
    const double below = T(m, m - 1).real();
    if (below == 0) continue;
    const Complex p = 0.5 * (T(m - 1, m - 1) - T(m, m)), q = std::sqrt(p * p + T(m - 1, m) * below);
    const Complex mu = p + q;  // an eigenvalue of the block, less T_mm
    const double r = std::hypot(std::abs(mu), below);
    const Complex c = mu / r;
    const double s = below / r;
    for (Index j = m - 1; j < n; ++j) {
      const Complex x = T(m - 1, j), y = T(m, j);
      T(m - 1, j) = std::conj(c) * x + s * y;
      T(m, j) = c * y - s * x;
    }
    turn_columns(T, m - 1, m + 1, c, s);
    turn_columns(out.U, m - 1, n, c, s);
    T(m, m - 1) = 0;
  }
  return out;
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
