// Products and eigenvalues of large matrices: Eigen's numbers, but they can be ended.
#include "numerics/dense.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <complex>
#include <thread>
#include <vector>

#include "base/cancellation.hpp"
#include "numerics/dense_schur.hpp"
#include "support/linear_algebra.hpp"
#include "support/sanitized.hpp"

namespace aleator::core::dense {
namespace ALEATOR_FILE {

MatrixXd numbers(Index rows, Index columns) {
  MatrixXd a(rows, columns);
  for (Index j = 0; j < columns; ++j)
    for (Index i = 0; i < rows; ++i) a(i, j) = std::sin(1.7 * double(i * i) + 0.3 * double(j * j) + double(i + 2 * j));
  return a;
}

TEST(Dense, eigenvalues_are_those_of_eigen_bitwise) {
  for (const Index n : {255, 256, 301}) {
    const MatrixXd x = numbers(n, n), a = x + x.transpose();
    const test::SymmetricEigen expected = test::symmetric_eigen(a);
    const SymmetricEigen found = symmetric_eigen(a);
    EXPECT_TRUE(found.values == expected.values) << n;
    EXPECT_TRUE(found.vectors == expected.vectors) << n;
    EXPECT_TRUE(symmetric_eigenvalues(a) == expected.values_alone) << n;
  }
  const MatrixXd zero = MatrixXd::Zero(300, 300);
  EXPECT_TRUE(symmetric_eigen(zero).vectors == MatrixXd::Identity(300, 300));
}

// Two equal gyroscopic systems: ω of three oscillators, [0 ω; −ω −G] of each, interleaved. On this matrix Eigen's iteration never ends; each pair of
// eigenvalues of the half is there twice.
TEST(Dense, eigenvalues_of_equal_gyroscopic_systems) {
  const double omega[] = {8, 7, 9}, G[3][3] = {{0, -1, 3}, {1, 0, 1}, {-3, -1, 0}};
  const auto system = [&](Index copies) {
    MatrixXd a = MatrixXd::Zero(6 * copies, 6 * copies);
    for (Index i = 0; i < 3; ++i)
      for (Index k = 0; k < copies; ++k) {
        const Index at = i * copies + k, rate = 3 * copies + at;
        a(at, rate) = omega[i], a(rate, at) = -omega[i];
        for (Index j = 0; j < 3; ++j) a(rate, 3 * copies + j * copies + k) = -G[i][j];
      }
    return a;
  };
  const auto frequencies = [](const Eigen::VectorXcd& values) {
    std::vector<double> out;
    for (const std::complex<double> s : values) out.push_back(s.imag());
    std::sort(out.begin(), out.end());
    return out;
  };
  const MatrixXd two = system(2);
  const GeneralEigen one = general_eigen(system(1)), found = general_eigen(two);
  ASSERT_TRUE(one.converged && found.converged);
  const std::vector<double> half = frequencies(one.values), whole = frequencies(found.values);
  for (size_t i = 0; i < whole.size(); ++i) EXPECT_NEAR(whole[i], half[i / 2], 1e-13);  // round-off of numbers up to 10
  const Eigen::MatrixXcd left = two.cast<std::complex<double>>() * found.vectors,
                         right = found.vectors * found.values.asDiagonal();
  EXPECT_LT((left - right).cwiseAbs().maxCoeff(), 1e-13);
  const Schur s = schur(two);
  ASSERT_TRUE(s.converged);
  EXPECT_LT((s.U * s.T * s.U.adjoint() - two.cast<std::complex<double>>()).cwiseAbs().maxCoeff(), 1e-13);
}

// 5000 × 200 × 385 numbers: two portions, the second one with a column that Eigen takes by itself.
TEST(Dense, products_by_portions_are_those_of_eigen_bitwise) {
  for (const Index columns : {384, 385, 449}) {
    const MatrixXd a = numbers(5000, 200), b = numbers(5000, columns);
    const MatrixXd expected = a.transpose() * b, at = a.transpose(), bt = b.transpose();
    EXPECT_TRUE(transposed_times(a, b) == expected) << columns;
    EXPECT_TRUE(times(at, b) == MatrixXd(at * b)) << columns;
    EXPECT_TRUE(times_transposed(at, bt) == MatrixXd(at * bt.transpose())) << columns;
  }
}

// An eigendecomposition of this size takes half a minute.
#ifndef ALEATOR_ADDRESS_SANITIZER  // products are many times slower there
TEST(Dense, can_be_ended) {
  const MatrixXd x = numbers(2500, 2500);
  for (const bool product : {false, true}) {
    std::atomic<bool> flag = false;
    std::chrono::steady_clock::time_point asked;
    std::jthread other([&] {
      std::this_thread::sleep_for(std::chrono::milliseconds(50));
      asked = std::chrono::steady_clock::now();
      flag = true;
    });
    const CancellationScope scope(&flag);
    const auto work = [&] {
      for (int i = 0; i < 100; ++i) product ? void(times(x, x)) : void(symmetric_eigen(x));
    };
    EXPECT_THROW(work(), Cancelled);
    other.join();
    EXPECT_LT(std::chrono::duration<double>(std::chrono::steady_clock::now() - asked).count(), 0.5) << product;
  }
}
#endif

}  // namespace ALEATOR_FILE
}  // namespace aleator::core::dense
