// Dense linear algebra of the tests, compiled once: Eigen's decompositions take up to half a minute in every file that instantiates them.
// Symmetric eigenvalues, singular values and Cholesky factors are those of numerics/dense.hpp.
#pragma once

#include <Eigen/Core>

namespace aleator::core::test {

Eigen::VectorXd solve_dense(const Eigen::MatrixXd& a, const Eigen::VectorXd& b);  // A⁻¹ b by LU with full pivoting
Eigen::VectorXcd solve_complex(const Eigen::MatrixXcd& a, const Eigen::VectorXcd& b);
Eigen::MatrixXd inverse_dense(const Eigen::MatrixXd& a);
double norm_of_inverse(const Eigen::MatrixXd& a);  // Frobenius
double norm_of_inverse(const Eigen::MatrixXcd& a);
Eigen::VectorXd solve_definite(const Eigen::MatrixXd& a, const Eigen::VectorXd& b);           // A⁻¹ b by L D Lᵀ
Eigen::VectorXd generalized_eigenvalues(const Eigen::MatrixXd& k, const Eigen::MatrixXd& m);  // of K x = λ M x, rising

struct SymmetricEigen {
  Eigen::VectorXd values, values_alone;  // with vectors, and without: by another way
  Eigen::MatrixXd vectors;               // columns
};
SymmetricEigen symmetric_eigen(const Eigen::MatrixXd& a);

}  // namespace aleator::core::test
