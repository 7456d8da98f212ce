#include "analysis/least_angle.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "analysis/chaos_fit.hpp"
#include "base/cancellation.hpp"
#include "numerics/dense.hpp"

namespace aleator::core::analysis {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr Index most_in_gram = 2000;  // 32 MB

Candidates::Candidates(const MatrixXd& psi)
    : x(psi.rightCols(psi.cols() - 1)), mean(x.colwise().mean()), length(VectorXd::Zero(x.cols())) {
  for (Index j = 0; j < x.cols(); ++j) {
    const double size = x.col(j).norm();
    x.col(j).array() -= mean[j];
    const double norm = x.col(j).norm();
    if (!(norm > 1e-12 * size)) continue;
    length[j] = norm;
    x.col(j) /= norm;
  }
  if (x.cols() <= most_in_gram) gram = dense::transposed_times(x, x);
}

namespace {

// The columns chosen are X_A = Q R. R⁻¹ only grows by columns, and with it t = R⁻ᵀ s, s being the signs of the correlations of the
// columns when they were chosen: the direction of equal angles is Q t/‖t‖, and its correlation with the chosen ones s/‖t‖.
class Path {
 public:
  Path(const Candidates& candidates, const VectorXd& y)
      : from_(candidates),
        n_(y.size()),
        most_(std::min(candidates.x.cols(), n_ - 2)),
        free_(std::size_t(candidates.x.cols()), 1),
        q_(n_, most_),
        r_inverse_(MatrixXd::Zero(most_, most_)),
        b_(most_),
        t_(most_),
        mean_(y.mean()),
        residual_(y.array() - mean_),
        leverage_(VectorXd::Constant(n_, 1 / double(n_))),
        trace_(1 / double(n_)),
        products_(candidates.x.cols(), most_),
        correlation_(candidates.x.transpose() * residual_),
        along_(VectorXd::Zero(candidates.x.cols())) {
    for (Index j = 0; j < candidates.x.cols(); ++j) free_[std::size_t(j)] = candidates.length[j] > 0;
  }

  Index size() const { return Index(chosen_.size()); }
  bool full() const { return size() == most_; }
  double residual() const { return residual_.norm(); }

  // The free column of the largest correlation; −1: none.
  Index next() const {
    Index best = -1;
    for (Index j = 0; j < correlation_.size(); ++j)
      if (free_[std::size_t(j)] && (best < 0 || std::abs(correlation_[j]) > std::abs(correlation_[best]))) best = j;
    return best;
  }

  // False: it says nothing that the others do not.
  bool choose(Index j) {
    free_[std::size_t(j)] = 0;
    const Index m = size();
    const auto q = q_.leftCols(m);
    VectorXd next = from_.x.col(j), r = products_.row(j).head(m);
    next.noalias() -= q * r;
    if (next.norm() < 0.7) {  // much of it is gone: once leaves what round-off made of it
      const VectorXd part = q.transpose() * next;
      next.noalias() -= q * part;
      r += part;
    }
    const double rho = next.norm();
    if (rho < 1e-7) return false;
    next /= rho;
    if (from_.gram.size() > 0)
      products_.col(m) = (from_.gram.col(j) - products_.leftCols(m) * r) / rho;
    else
      products_.col(m).noalias() = from_.x.transpose() * next;
    if (m == 0) equal_ = std::abs(correlation_[j]);
    r_inverse_.col(m).head(m) = r_inverse_.topLeftCorner(m, m).triangularView<Eigen::Upper>() * r / -rho;
    r_inverse_(m, m) = 1 / rho;
    q_.col(m) = next;
    chosen_.push_back(int(j));
    signs_.conservativeResize(m + 1);
    signs_[m] = correlation_[j] < 0 ? -1 : 1;
    t_[m] = r_inverse_.col(m).head(m + 1).dot(signs_);
    along_ += t_[m] * products_.col(m);
    b_[m] = next.dot(residual_);
    residual_ -= b_[m] * next;
    leverage_.array() += next.array().square();
    trace_ += trace_of_column(m);
    return true;
  }

  // Moves along the direction of equal angles until a free column has the same correlation as the chosen ones.
  void advance() {
    const double size_of_t = t_.head(size()).norm(), a = 1 / size_of_t;
    double step = equal_ / a;
    for (Index j = 0; j < correlation_.size(); ++j) {
      if (!free_[std::size_t(j)]) continue;
      const double c = correlation_[j], aj = along_[j] / size_of_t;
      for (const double s : {(equal_ - c) / (a - aj), (equal_ + c) / (a + aj)})
        if (s > 0 && s < step) step = s;
    }
    correlation_ -= (step / size_of_t) * along_;
    equal_ -= step * a;
  }

  // Errors at points left out, with the correction for small samples.
  VectorXd left_out() const {
    const double correction = small_sample_correction(n_, size() + 1, trace_);
    return std::sqrt(correction) * (residual_.array() / (1 - leverage_.array()).max(1e-12)).matrix();
  }

  // Terms and coefficients of the first m columns, in Ψ as it was given.
  void report(Index m, SparseFit& fit) const {
    fit.terms.assign(1, 0);
    fit.coefficients.resize(m + 1);
    fit.coefficients.tail(m) = r_inverse_.topLeftCorner(m, m).triangularView<Eigen::Upper>() * b_.head(m);
    fit.coefficients[0] = mean_;
    for (Index k = 0; k < m; ++k) {
      const int j = chosen_[std::size_t(k)];
      fit.terms.push_back(j + 1);
      fit.coefficients[k + 1] /= from_.length[j];
      fit.coefficients[0] -= fit.coefficients[k + 1] * from_.mean[j];
    }
  }

 private:
  // What column m adds to tr (ΨᵀΨ)⁻¹ = ‖R_Ψ⁻¹‖² of Ψ = [1, X D + 1 μᵀ]: the squares of D⁻¹ R⁻¹ and, in the constant's row, of
  // μᵀ D⁻¹ R⁻¹.
  double trace_of_column(Index m) const {
    double squares = 0, constant = 0;
    for (Index k = 0; k <= m; ++k) {
      const int j = chosen_[std::size_t(k)];
      const double scaled = r_inverse_(k, m) / from_.length[j];
      squares += scaled * scaled;
      constant += from_.mean[j] * scaled;
    }
    return squares + constant * constant;
  }

  const Candidates& from_;
  Index n_, most_;
  std::vector<char> free_;  // [columns] not chosen yet
  std::vector<int> chosen_;
  MatrixXd q_, r_inverse_;
  VectorXd b_, t_, signs_;  // Qᵀy, t, s
  // of least squares with the columns chosen
  double mean_;
  VectorXd residual_, leverage_;
  double trace_;
  MatrixXd products_;  // [columns][most] Xᵀ Q, from XᵀX: much cheaper than with the points
  // of the regression that moves at equal angles
  VectorXd correlation_, along_;  // [columns] Xᵀ residual, Xᵀ Q t
  double equal_ = 0;              // the correlation of all chosen columns
};

}  // namespace

SparseFit least_angle_fit(const Candidates& candidates, const VectorXd& y) {
  Path path(candidates, y);
  SparseFit best{{}, {}, path.left_out()};
  Index size = 0;
  double smallest = best.left_out.squaredNorm();
  const double round_off = 1e-14 * path.residual();
  // Errors go up and down a little on their way: the end is where they have not fallen for long.
  const Index patience = std::max<Index>(20, std::min(candidates.x.cols(), y.size()) / 5);
  while (!path.full() && path.residual() > round_off && path.size() < size + patience) {
    throw_if_cancelled();
    const Index j = path.next();
    if (j < 0) break;
    if (path.choose(j)) {
      const VectorXd left_out = path.left_out();
      if (left_out.squaredNorm() < smallest) {
        smallest = left_out.squaredNorm();
        size = path.size();
        best.left_out = left_out;
      }
    }
    path.advance();
  }
  path.report(size, best);
  return best;
}

}  // namespace aleator::core::analysis
