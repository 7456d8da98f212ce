#include "inference/surrogate.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>

#include "inference/maximise.hpp"
#include "numerics/dense.hpp"

namespace aleator::core::inference {
namespace {

constexpr int pack = 16;  // points at once: short arrays stay in registers

// Bounds of the logarithms of lengths (shares of the unit cube) and nugget.
constexpr double shortest = -3.5, longest = 3.0, least_nugget = -25, most_nugget = 1;

// Correlation from squared scaled distances: Matérn 5/2, (1 + a + a²/3) e⁻ᵃ with a = √5 r.
template <class Array>
auto matern(const Array& squared) {
  const auto a = (5 * squared).sqrt().eval();
  return ((1 + a * (1 + a / 3)) * (-a).exp()).eval();
}

double bend(double drop, double depth) { return drop <= depth ? -drop : -depth * (1 + std::log(drop / depth)); }
double straighten(double z, double depth) { return z >= -depth ? z : -depth * std::exp(std::min(-z / depth - 1, 50.0)); }

int terms(int dimensions, int degree) {
  return degree == 0 ? 1 : degree == 1 ? 1 + dimensions : (dimensions + 1) * (dimensions + 2) / 2;
}

}  // namespace

// One trial of lengths and nugget: factors of K and what follows from them.
struct Surrogate::Fit {
  const Eigen::MatrixXd& points;  // [dimensions][n]
  const Eigen::MatrixXd& basis;   // H [n][terms]
  const Eigen::VectorXd& z;
  const Eigen::VectorXd& coarse;  // [n] factor of the nugget: points far down are less exact
  Eigen::MatrixXd factor, whitened, trend_factor;
  Eigen::VectorXd beta, residual;  // residual: L⁻¹ (z − H β)
  double variance = 0;

  // Logarithm of the restricted marginal likelihood.
  double operator()(const Eigen::VectorXd& lengths, double nugget) {
    const Eigen::Index n = points.cols(), p = basis.cols();
    const Eigen::ArrayXXd scaled = (lengths.cwiseInverse().asDiagonal() * points).transpose().array();
    factor.resize(n, n);
    for (Eigen::Index j = 0; j < n; ++j) {
      Eigen::ArrayXd squared = Eigen::ArrayXd::Zero(n - j);
      for (Eigen::Index k = 0; k < scaled.cols(); ++k) squared += (scaled.col(k).tail(n - j) - scaled(j, k)).square();
      factor.col(j).tail(n - j) = matern(squared).matrix();
      factor(j, j) = 1 + nugget * coarse[j];
    }
    if (!dense::cholesky(factor)) return -INFINITY;
    whitened = basis;
    residual = z;
    dense::solve_lower(factor, whitened);
    dense::solve_lower(factor, residual);
    trend_factor = dense::transposed_times(whitened, whitened);
    if (!dense::cholesky(trend_factor)) return -INFINITY;
    beta = dense::solve_cholesky(trend_factor, Eigen::VectorXd(whitened.transpose() * residual));
    residual -= whitened * beta;
    variance = std::max(residual.squaredNorm() / double(n - p), 1e-12);
    return -0.5 * double(n - p) * std::log(variance) - factor.diagonal().array().log().sum() -
           trend_factor.diagonal().array().log().sum();
  }
};

Surrogate::Surrogate(const Eigen::MatrixXd& points, std::span<const double> values, double depth, const Surrogate* earlier,
                     std::span<const double> noise)
    : count_(int(points.cols())), depth_(depth) {
  assert(count_ == int(values.size()) && count_ > 1);
  const int d = int(points.rows());
  degree_ = count_ >= terms(d, 2) + d + 2 ? 2 : count_ >= terms(d, 1) + 2 ? 1 : 0;
  best_ = -INFINITY;
  for (const double v : values)
    if (std::isfinite(v)) best_ = std::max(best_, v);
  assert(std::isfinite(best_));

  Eigen::VectorXd z(count_), coarse(count_);
  Eigen::MatrixXd basis(count_, terms(d, degree_));
  for (int i = 0; i < count_; ++i) {
    z[i] = std::isfinite(values[i]) ? bend(best_ - values[i], depth_) : -2 * depth_;  // low, but no deeper a cliff than needed
    coarse[i] = std::pow(1 + 10 * std::max(0.0, -z[i] / depth_ - 1), 2);
    if (!noise.empty()) coarse[i] *= noise[i];
    basis.row(i) = trend({points.col(i).data(), size_t(d)}).transpose();
  }
  Fit fit{points, basis, z, coarse};
  const auto likelihood = [&](std::span<const double> x) {
    const Eigen::Map<const Eigen::VectorXd> logs(x.data(), d);
    return fit(logs.array().exp().matrix(), std::exp(x[d]));
  };
  Box box{std::vector<double>(d + 1, shortest), std::vector<double>(d + 1, longest)};
  box.from[d] = least_nugget;
  box.to[d] = most_nugget;
  Maximum best;
  const auto search = [&](const std::vector<double>& start, double step) {
    const Maximum found =
        maximise_locally(likelihood, box, start, {.step = step, .tolerance = 0.1, .precision = 1e-3, .evaluations = 40 + 20 * d});
    if (best.at.empty() || (!found.at.empty() && found.value > best.value)) best = found;
  };
  if (earlier != nullptr && earlier->dimensions() == d) {
    std::vector<double> start(d + 1);
    for (int k = 0; k < d; ++k) start[k] = std::log(earlier->lengths_[k]);
    start[d] = std::log(earlier->nugget_);
    search(start, 0.05);
  } else {
    for (const double length : {0.4, 1.5}) {
      std::vector<double> start(d + 1, std::log(length));
      start[d] = std::log(1e-5);
      search(start, 0.1);
    }
  }
  if (best.at.empty()) best.at = std::vector<double>(d + 1, 0.0);
  lengths_ = Eigen::Map<const Eigen::VectorXd>(best.at.data(), d).array().exp().matrix();
  nugget_ = std::exp(best.at[d]);
  fit(lengths_, nugget_);

  variance_ = fit.variance;
  beta_ = fit.beta;
  factor_ = std::move(fit.factor);
  whitened_ = std::move(fit.whitened);
  trend_factor_ = std::move(fit.trend_factor);
  const int padded = (count_ + pack - 1) / pack * pack;
  scaled_ = Eigen::ArrayXXd::Zero(padded, d);
  scaled_.topRows(count_) = (lengths_.cwiseInverse().asDiagonal() * points).transpose().array();
  weights_ = Eigen::ArrayXd::Zero(padded);
  dense::solve_lower_transposed(factor_, fit.residual);
  weights_.head(count_) = fit.residual.array();
}

Eigen::VectorXd Surrogate::trend(std::span<const double> x) const {
  const int d = int(x.size());
  Eigen::VectorXd h(terms(d, degree_));
  int i = 0;
  h[i++] = 1;
  if (degree_ > 0)
    for (int k = 0; k < d; ++k) h[i++] = x[k] - 0.5;
  if (degree_ > 1)
    for (int k = 0; k < d; ++k)
      for (int l = 0; l <= k; ++l) h[i++] = (x[k] - 0.5) * (x[l] - 0.5);
  return h;
}

// Σ_i w_i k(x, x_i); the correlations themselves go into `all` if it is given.
double Surrogate::correlations(std::span<const double> x, Eigen::ArrayXd* all) const {
  using Pack = Eigen::Array<double, pack, 1>;
  double sum = 0;
  for (Eigen::Index i = 0; i < weights_.size(); i += pack) {
    Pack squared = Pack::Zero();
    for (Eigen::Index k = 0; k < scaled_.cols(); ++k) squared += (scaled_.col(k).segment<pack>(i) - x[k] / lengths_[k]).square();
    const Pack k = matern(squared);
    sum += (k * weights_.segment<pack>(i)).sum();
    if (all != nullptr) all->segment<pack>(i) = k;
  }
  return sum;
}

double Surrogate::value(std::span<const double> x) const {
  return best_ + straighten(trend(x).dot(beta_) + correlations(x, nullptr), depth_);
}

double Surrogate::deviation(std::span<const double> x) const {
  Eigen::ArrayXd all(weights_.size());
  correlations(x, &all);
  Eigen::VectorXd k = all.head(count_).matrix();
  dense::solve_lower(factor_, k);
  Eigen::VectorXd u = trend(x) - whitened_.transpose() * k;
  dense::solve_lower(trend_factor_, u);
  return std::sqrt(variance_ * std::max(0.0, 1 - k.squaredNorm() + u.squaredNorm()));
}

double Surrogate::noise() const { return std::sqrt(variance_ * nugget_); }

}  // namespace aleator::core::inference
