#include "numerics/sparse_solve.hpp"

#include <Eigen/SparseLU>

namespace aleator::core {

Eigen::MatrixXd solve_once(const SparsePattern& pattern, std::span<const double> values, const Eigen::MatrixXd& right) {
  using Matrix = Eigen::SparseMatrix<double>;
  const Matrix A = Eigen::Map<const Matrix>(right.rows(), right.rows(), pattern.nonzeros(), pattern.column_start.data(),
                                            pattern.row.data(), values.data());
  const Eigen::SparseLU<Matrix> lu(A);
  if (lu.info() != Eigen::Success) return {};
  return lu.solve(right);
}

}  // namespace aleator::core
