// The complex Schur form and what is solved with it, against their definitions.
#include "numerics/dense_schur.hpp"

#include <gtest/gtest.h>

#include "numerics/dense.hpp"
#include "numerics/sparse_solve.hpp"

namespace aleator::core::dense {
namespace ALEATOR_FILE {

// Real and complex eigenvalues, in blocks that touch: a rotation, a defective pair, oscillators and full matrices.
std::vector<MatrixXd> matrices() {
  MatrixXd rotation(2, 2), defective(3, 3), full(7, 7);
  rotation << 0, 1, -1, 0;
  defective << -1, 1, 0, 0, -1, 1, 0, 0, -1;
  for (Index j = 0; j < 7; ++j)
    for (Index i = 0; i < 7; ++i) full(i, j) = std::sin(1.7 * double(i * i) + 0.3 * double(j * j) + double(i + 2 * j));
  MatrixXd oscillators = MatrixXd::Zero(6, 6);
  for (Index k = 0; k < 6; k += 2)
    oscillators(k, k + 1) = 1, oscillators(k + 1, k) = -double(1 + k * k), oscillators(k + 1, k + 1) = -0.02;
  oscillators(1, 2) = 0.3, oscillators(5, 0) = -0.2;
  return {rotation, defective, full, oscillators, MatrixXd::Identity(4, 4), MatrixXd::Zero(3, 3)};
}

// Round-off of a few dozen unitary transformations.
TEST(Schur, is_a_triangle_between_unitary_matrices) {
  for (const MatrixXd& a : matrices()) {
    const Schur s = schur(a);
    ASSERT_TRUE(s.converged);
    const Index n = a.rows();
    const Eigen::MatrixXcd back = s.U * s.T * s.U.adjoint(), unit = s.U.adjoint() * s.U;
    EXPECT_LT((back - a.cast<std::complex<double>>()).cwiseAbs().maxCoeff(), 1e-13 * (1 + a.norm())) << a;
    EXPECT_LT((unit - Eigen::MatrixXcd::Identity(n, n)).cwiseAbs().maxCoeff(), 1e-14 * 10) << a;
    for (Index j = 0; j < n; ++j)
      for (Index i = j + 1; i < n; ++i) EXPECT_EQ(s.T(i, j), 0.0);
  }
}

TEST(Schur, solves_lyapunov_equations) {
  for (MatrixXd a : matrices()) {
    a -= (a.norm() + 0.1) * MatrixXd::Identity(a.rows(), a.cols());  // stable
    const MatrixXd q = MatrixXd::Identity(a.rows(), a.cols()), x = solve_lyapunov(schur(a), q);
    EXPECT_LT((a * x + x * a.transpose() + q).cwiseAbs().maxCoeff(), 1e-13 * 10);
  }
}

TEST(SparseSolve, needs_pivots_and_finds_singular_matrices) {
  // [0 2 0; 1 0 3; 0 0 4] has no pivot on its diagonal but the last.
  const SparsePattern pattern{3, {0, 1, 2, 4}, {1, 0, 1, 2}};
  const std::vector<double> values{1, 2, 3, 4};
  MatrixXd right(3, 2);
  right << 2, 4, 4, 8, 4, -4;
  MatrixXd expected(3, 2);
  expected << 1, 11, 1, 2, 1, -1;
  EXPECT_LT((solve_once(pattern, values, right) - expected).cwiseAbs().maxCoeff(), 1e-15 * 20);
  EXPECT_EQ(solve_once(pattern, std::vector<double>{1, 2, 3, 0}, right).size(), 0);
}

}  // namespace ALEATOR_FILE
}  // namespace aleator::core::dense
