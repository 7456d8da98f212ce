// Decompositions and products of dense matrices, compiled once: Eigen's templates take seconds in every file that instantiates
// them. Everybody else needs <Eigen/Core> alone, and uses it for vectors and element-wise arithmetic.
#pragma once

#include <Eigen/Core>
#include <vector>

namespace aleator::core::dense {

using Eigen::Index;
using Eigen::Matrix3d;
using Eigen::MatrixXd;
using Eigen::Vector3d;
using Eigen::VectorXd;
using View = Eigen::Ref<const MatrixXd>;  // a matrix or a block of one, not copied

// --- products -----------------------------------------------------------------------------------------------------------------

MatrixXd times(const View& a, const View& b);             // A B
MatrixXd transposed_times(const View& a, const View& b);  // Aᵀ B
MatrixXd times_transposed(const View& a, const View& b);  // A Bᵀ

// --- eigenvalues --------------------------------------------------------------------------------------------------------------

// A = V diag(values) Vᵀ, rising; of A the lower triangle is read.
struct SymmetricEigen {
  VectorXd values;
  MatrixXd vectors;  // columns
};
SymmetricEigen symmetric_eigen(const MatrixXd& a);
VectorXd symmetric_eigenvalues(const MatrixXd& a);
// Of the tridiagonal matrix with this diagonal and the numbers beside it.
SymmetricEigen tridiagonal_eigen(const VectorXd& diagonal, const VectorXd& beside);
VectorXd tridiagonal_eigenvalues(const VectorXd& diagonal, const VectorXd& beside);

struct SymmetricEigen3 {
  Vector3d values;
  Matrix3d vectors;
};
SymmetricEigen3 symmetric_eigen3(const Matrix3d& a);

struct GeneralEigen {
  bool converged = false;
  Eigen::VectorXcd values;
  Eigen::MatrixXcd vectors;  // columns
};
GeneralEigen general_eigen(const MatrixXd& a);

// --- singular values ----------------------------------------------------------------------------------------------------------

// A = U diag(values) Vᵀ, falling, by Jacobi's rotations: accurate, and slow for many columns.
struct SingularValues {
  VectorXd values;
  MatrixXd v;  // [columns][values]
};
SingularValues singular_values(const MatrixXd& a);

// --- Cholesky -----------------------------------------------------------------------------------------------------------------

// A = L Lᵀ in place: the lower triangle is read and becomes L, the rest stays. False where A is not positive definite.
bool cholesky(MatrixXd& a);
// The same with zeros above the diagonal; empty where A is not positive definite.
MatrixXd cholesky_factor(MatrixXd a);
// 1 / (‖A‖ ‖A⁻¹‖) in the 1-norm, estimated; 0 where A is not positive definite.
double reciprocal_condition(const MatrixXd& positive_definite);

// x becomes L⁻¹ x, L⁻ᵀ x and (L Lᵀ)⁻¹ x; of L the lower triangle is read.
void solve_lower(const MatrixXd& l, MatrixXd& x);
void solve_lower(const MatrixXd& l, VectorXd& x);
void solve_lower_transposed(const MatrixXd& l, MatrixXd& x);
void solve_lower_transposed(const MatrixXd& l, VectorXd& x);
template <class X>
X solve_cholesky(const MatrixXd& l, X x) {
  solve_lower(l, x);
  solve_lower_transposed(l, x);
  return x;
}
// A⁻¹ b of a symmetric matrix that may be semidefinite, by L D Lᵀ with pivots.
VectorXd solve_symmetric(const MatrixXd& a, const VectorXd& b);

// --- orthogonal factors -------------------------------------------------------------------------------------------------------

// A Π = Q R by Householder reflections with column pivots.
struct PivotedQr {
  Index rank = 0;
  MatrixXd q;              // [rows][columns]
  MatrixXd r;              // [columns][columns], upper triangle
  std::vector<int> order;  // column k of A Π is column order[k] of A
};
PivotedQr pivoted_qr(const MatrixXd& a);  // with at least as many rows as columns

// An orthonormal basis of all space, whose first `rank` columns span those of A.
struct OrthonormalBasis {
  MatrixXd basis;
  Index rank = 0;
};
OrthonormalBasis orthonormal_basis(const MatrixXd& a, double threshold);

MatrixXd orthonormal_columns(const MatrixXd& a);                     // Q of A = Q R without pivots, [rows][columns]
MatrixXd inverse_of_upper(const MatrixXd& r);                        // R⁻¹
VectorXd solve_least_squares(const MatrixXd& a, const VectorXd& b);  // min ‖A x − b‖

}  // namespace aleator::core::dense
