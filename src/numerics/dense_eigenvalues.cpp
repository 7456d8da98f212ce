#include <Eigen/Eigenvalues>
#include <limits>

#include "base/cancellation.hpp"
#include "numerics/dense.hpp"

namespace aleator::core::dense {
namespace {

using Solver = Eigen::SelfAdjointEigenSolver<MatrixXd>;

constexpr Index large = 256;  // a few milliseconds

// Eigen::SelfAdjointEigenSolver, operation by operation, so that its numbers are these; it cannot be ended before it is done.
class EndableSolver {
 public:
  EndableSolver(const MatrixXd& matrix, bool with_vectors) : n_(matrix.rows()), a_(matrix.triangularView<Eigen::Lower>()) {
    double scale = a_.cwiseAbs().maxCoeff();
    if (scale == 0) scale = 1;
    a_.triangularView<Eigen::Lower>() /= scale;
    make_tridiagonal();
    values_ = a_.diagonal();
    beside_ = a_.diagonal<-1>();
    if (with_vectors) make_orthogonal();
    iterate(with_vectors);
    sort(with_vectors);
    values_ *= scale;
  }
  VectorXd values() { return std::move(values_); }
  MatrixXd vectors() { return std::move(a_); }

 private:
  // H A H of column after column, H = I − h v vᵀ with v in place of what vanishes.
  void make_tridiagonal() {
    h_.resize(n_ - 1);
    for (Index i = 0; i < n_ - 1; ++i) {
      throw_if_cancelled();
      const Index rest = n_ - i - 1;
      double beta = 0, h = 0;
      a_.col(i).tail(rest).makeHouseholderInPlace(h, beta);
      a_.col(i).coeffRef(i + 1) = 1;
      h_.tail(rest).noalias() = a_.bottomRightCorner(rest, rest).selfadjointView<Eigen::Lower>() * (h * a_.col(i).tail(rest));
      h_.tail(rest) += (h * -0.5 * (h_.tail(rest).dot(a_.col(i).tail(rest)))) * a_.col(i).tail(rest);
      a_.bottomRightCorner(rest, rest).selfadjointView<Eigen::Lower>().rankUpdate(a_.col(i).tail(rest), h_.tail(rest), -1.0);
      a_.col(i).coeffRef(i + 1) = beta;
      h_.coeffRef(i) = h;
    }
  }
  // Their product, in their place.
  void make_orthogonal() {
    VectorXd workspace(n_);
    a_.diagonal().setOnes();
    a_.triangularView<Eigen::StrictlyUpper>().setZero();
    for (Index k = n_ - 2; k >= 0; --k) {
      throw_if_cancelled();
      const Index corner = n_ - k - 1;
      a_.bottomRightCorner(corner, corner).applyHouseholderOnTheLeft(a_.col(k).tail(corner - 1), h_.coeff(k), workspace.data());
      a_.col(k).tail(corner).setZero();
    }
    a_.col(0).tail(n_ - 1).setZero();
  }
  void iterate(bool with_vectors) {
    constexpr Index most_each = 30;
    const double zero = std::numeric_limits<double>::min(), precision = 1 / std::numeric_limits<double>::epsilon();
    Index end = n_ - 1, start = 0, steps = 0;
    while (end > 0) {
      throw_if_cancelled();
      for (Index i = start; i < end; ++i) {
        if (std::abs(beside_[i]) < zero) {
          beside_[i] = 0;
          continue;
        }
        const double scaled = precision * beside_[i];
        if (scaled * scaled <= std::abs(values_[i]) + std::abs(values_[i + 1])) beside_[i] = 0;
      }
      while (end > 0 && beside_[end - 1] == 0) --end;
      if (end <= 0 || ++steps > most_each * n_) break;
      start = end - 1;
      while (start > 0 && beside_[start - 1] != 0) --start;
      Eigen::internal::tridiagonal_qr_step<Eigen::ColMajor>(values_.data(), beside_.data(), start, end,
                                                            with_vectors ? a_.data() : nullptr, n_);
    }
    converged_ = steps <= most_each * n_;
  }
  void sort(bool with_vectors) {
    for (Index i = 0; converged_ && i < n_ - 1; ++i) {
      Index k = 0;
      values_.segment(i, n_ - i).minCoeff(&k);
      if (k == 0) continue;
      std::swap(values_[i], values_[k + i]);
      if (with_vectors) a_.col(i).swap(a_.col(k + i));
    }
  }

  Index n_;
  MatrixXd a_;
  VectorXd h_, values_, beside_;
  bool converged_ = true;
};

}  // namespace

SymmetricEigen symmetric_eigen(const MatrixXd& a) {
  if (a.rows() >= large) {
    EndableSolver solver(a, true);
    return {solver.values(), solver.vectors()};
  }
  const Solver solver(a);
  return {solver.eigenvalues(), solver.eigenvectors()};
}

VectorXd symmetric_eigenvalues(const MatrixXd& a) {
  if (a.rows() >= large) return EndableSolver(a, false).values();
  return Solver(a, Eigen::EigenvaluesOnly).eigenvalues();
}

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

}  // namespace aleator::core::dense
