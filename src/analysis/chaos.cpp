#include "analysis/chaos.hpp"

#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <stdexcept>

#include "analysis/chaos_fit.hpp"
#include "base/constants.hpp"
#include "numerics/dense.hpp"

namespace aleator::core::analysis {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

namespace {

double largest_eigenvalue(const MatrixXd& symmetric) { return dense::symmetric_eigenvalues(symmetric).maxCoeff(); }

// Ψ = Q R Πᵀ, and what follows from it alone.
struct Factors {
  Factors(const MatrixXd& psi) {
    const Index n = psi.rows(), terms = psi.cols();
    dense::PivotedQr qr = dense::pivoted_qr(psi);
    if (qr.rank < terms)
      throw std::invalid_argument(fmt::format("{} points determine only {} of the {} terms of the expansion", n, qr.rank, terms));
    q = std::move(qr.q);
    const MatrixXd inverse = dense::inverse_of_upper(qr.r);
    leverage = q.rowwise().squaredNorm();
    correction = small_sample_correction(n, terms, inverse.squaredNorm());
    // the largest singular values of R and of its inverse: each accurate, whatever the condition
    condition = std::sqrt(largest_eigenvalue(dense::transposed_times(qr.r, qr.r)) *
                          largest_eigenvalue(dense::times_transposed(inverse, inverse)));
    solve.resize(terms, terms);
    solve(qr.order, Eigen::all) = inverse;
  }
  MatrixXd q;         // [n][terms]
  MatrixXd solve;     // [terms][terms]: C = solve Qᵀ Y
  VectorXd leverage;  // [n]
  double correction, condition;
};

}  // namespace

double small_sample_correction(Index points, Index terms, double trace_of_inverse) {
  return points > terms ? double(points) / double(points - terms) * (1 + trace_of_inverse) : infinity;
}

void check_responses(const ChaosBasis& basis, std::span<const double> points, const Responses& y) {
  if (points.size() != basis.families.size() * std::size_t(y.rows()))
    throw std::invalid_argument(fmt::format("{} responses for {} numbers, which are points of {} variables", y.rows(),
                                            points.size(), basis.families.size()));
  for (Index i = 0; i < y.rows(); ++i)
    if (!y.row(i).allFinite()) throw std::invalid_argument(fmt::format("the response at point {} is not finite", i));
}

std::vector<double> sample_variance(const Responses& y) {
  std::vector<double> v(std::size_t(y.cols()));
  in_portions(y.cols(), outputs_at_once, [&](Index first, Index count) {
    const auto part = y.middleCols(first, count);
    const Eigen::RowVectorXd mean = part.colwise().mean();
    const Eigen::RowVectorXd squares = (part.rowwise() - mean).colwise().squaredNorm() / std::max(1.0, double(y.rows() - 1));
    for (Index j = 0; j < count; ++j)
      v[std::size_t(first + j)] = squares[j] > 1e-28 * mean[j] * mean[j] ? squares[j] : 0;  // (1e-14)²: round-off of the mean
  });
  return v;
}

std::vector<double> relative_to(std::span<const double> variance, std::vector<double> mean_square) {
  for (std::size_t j = 0; j < mean_square.size(); ++j) mean_square[j] = variance[j] > 0 ? mean_square[j] / variance[j] : nan;
  return mean_square;
}

Expansion project(const ChaosBasis& basis, std::span<const double> points, std::span<const double> weights, const Responses& y) {
  check_responses(basis, points, y);
  if (weights.size() != std::size_t(y.rows()))
    throw std::invalid_argument(fmt::format("{} weights for {} points", weights.size(), y.rows()));
  const std::size_t d = basis.families.size();
  Expansion e{basis, RowMatrix::Zero(basis.terms, y.cols()), {}, {}, y.rows(), 1, {}, {}};
  // Tensors have as many terms as points: Ψ as a whole would need their square.
  for (Index at = 0, size; at < y.rows(); at += size) {
    size = std::min<Index>(y.rows() - at, 512);
    const MatrixXd psi = values(basis, points.subspan(std::size_t(at) * d, std::size_t(size) * d));
    const MatrixXd weighted = Eigen::Map<const VectorXd>(weights.data() + at, size).asDiagonal() * psi;
    in_portions(y.cols(), outputs_at_once, [&](Index first, Index count) {
      e.coefficients.middleCols(first, count).noalias() += weighted.transpose() * y.block(at, first, size, count);
    });
  }
  e.loo.assign(std::size_t(y.cols()), nan);
  e.scattered = e.loo;
  e.how = fmt::format("projection of {} terms with {} points", basis.terms, y.rows());
  return e;
}

Expansion least_squares(const ChaosBasis& basis, std::span<const double> points, const Responses& y) {
  check_responses(basis, points, y);
  const Index n = y.rows();
  if (n < basis.terms)
    throw std::invalid_argument(fmt::format("least squares with {} terms needs at least as many points, not {}", basis.terms, n));
  const Factors f(values(basis, points));
  Expansion e{basis, RowMatrix(basis.terms, y.cols()), {}, sample_variance(y), n, f.condition, {}, {}};
  if (std::isfinite(f.correction)) e.left_out.resize(n, y.cols());
  // A leverage of 1: nothing is known about a point but its own value.
  const VectorXd left_out = (1 - f.leverage.array()).max(1e-12).inverse();
  std::vector<double> mean_square(std::size_t(y.cols()), infinity);
  in_portions(y.cols(), outputs_at_once, [&](Index first, Index count) {
    const auto part = y.middleCols(first, count);
    const MatrixXd along = f.q.transpose() * part;
    e.coefficients.middleCols(first, count).noalias() = f.solve * along;
    if (std::isinf(f.correction)) return;
    MatrixXd residual = part;
    residual.noalias() -= f.q * along;
    const MatrixXd errors = std::sqrt(f.correction) * (left_out.asDiagonal() * residual);
    e.left_out.middleCols(first, count) = errors;
    const Eigen::RowVectorXd squares = errors.colwise().squaredNorm();
    for (Index j = 0; j < count; ++j) mean_square[std::size_t(first + j)] = squares[j] / double(n);
  });
  e.loo = relative_to(e.scattered, std::move(mean_square));
  e.how = fmt::format("least squares of {} terms with {} points, condition {:.3g}", basis.terms, n, f.condition);
  return e;
}

RowMatrix evaluate(const Expansion& expansion, std::span<const double> points) {
  const std::size_t d = expansion.basis.families.size();
  const Index n = Index(points.size() / d);
  RowMatrix y(n, expansion.coefficients.cols());
  in_portions(n, points_at_once, [&](Index first, Index count) {
    const MatrixXd psi = values(expansion.basis, points.subspan(std::size_t(first) * d, std::size_t(count) * d));
    y.middleRows(first, count).noalias() = psi * expansion.coefficients;
  });
  return y;
}

}  // namespace aleator::core::analysis
