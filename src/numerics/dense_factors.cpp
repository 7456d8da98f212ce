#include <Eigen/Cholesky>
#include <Eigen/QR>

#include "numerics/dense.hpp"

namespace aleator::core::dense {

bool cholesky(MatrixXd& a) { return Eigen::LLT<Eigen::Ref<MatrixXd>>(a).info() == Eigen::Success; }

MatrixXd cholesky_factor(MatrixXd a) {
  if (!cholesky(a)) return {};
  a.triangularView<Eigen::StrictlyUpper>().setZero();
  return a;
}

double reciprocal_condition(const MatrixXd& positive_definite) {
  const Eigen::LLT<MatrixXd> llt(positive_definite);
  return llt.info() == Eigen::Success ? llt.rcond() : 0;
}

void solve_lower(const MatrixXd& l, MatrixXd& x) { l.triangularView<Eigen::Lower>().solveInPlace(x); }
void solve_lower(const MatrixXd& l, VectorXd& x) { l.triangularView<Eigen::Lower>().solveInPlace(x); }
void solve_lower_transposed(const MatrixXd& l, MatrixXd& x) { l.triangularView<Eigen::Lower>().transpose().solveInPlace(x); }
void solve_lower_transposed(const MatrixXd& l, VectorXd& x) { l.triangularView<Eigen::Lower>().transpose().solveInPlace(x); }

VectorXd solve_symmetric(const MatrixXd& a, const VectorXd& b) { return a.ldlt().solve(b); }

PivotedQr pivoted_qr(const MatrixXd& a) {
  const Eigen::ColPivHouseholderQR<MatrixXd> qr(a);
  const auto& order = qr.colsPermutation().indices();
  return {qr.rank(),
          qr.householderQ() * MatrixXd::Identity(a.rows(), a.cols()),
          qr.matrixR().topRows(a.cols()).triangularView<Eigen::Upper>(),
          {order.begin(), order.end()}};
}

OrthonormalBasis orthonormal_basis(const MatrixXd& a, double threshold) {
  Eigen::ColPivHouseholderQR<MatrixXd> qr(a);
  qr.setThreshold(threshold);
  return {qr.householderQ(), qr.rank()};
}

MatrixXd orthonormal_columns(const MatrixXd& a) {
  return Eigen::HouseholderQR<MatrixXd>(a).householderQ() * MatrixXd::Identity(a.rows(), a.cols());
}

MatrixXd inverse_of_upper(const MatrixXd& r) {
  return r.triangularView<Eigen::Upper>().solve(MatrixXd::Identity(r.rows(), r.rows()));
}

VectorXd solve_least_squares(const MatrixXd& a, const VectorXd& b) { return a.householderQr().solve(b); }

}  // namespace aleator::core::dense
