#include "inference/principal_components.hpp"

#include <algorithm>
#include <cmath>
#include <random>
#include <stdexcept>

#include "numerics/dense.hpp"

namespace aleator::core::inference {
namespace {

using Eigen::Index;
using Rows = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

// What scatters less than this part of its size does so by rounding.
constexpr double by_rounding = 1e-11;

// Centres and scales the rows, and leaves the scales in c. Channels that do not scatter become zero.
void standardise(Rows& x, Index channels, PrincipalComponents& c) {
  const Index times = x.cols() / channels;
  const Eigen::VectorXd size = x.colwise().squaredNorm() / double(x.rows());
  c.mean = x.colwise().mean();
  x.rowwise() -= c.mean.transpose();
  const Eigen::VectorXd variance = x.colwise().squaredNorm() / double(x.rows() - 1);
  Eigen::VectorXd factor(channels);
  c.scale.resize(channels);
  for (Index k = 0; k < channels; ++k) {
    double s = 0, rms = 0;
    for (Index t = 0; t < times; ++t)
      s += variance[t * channels + k] / double(times), rms += size[t * channels + k] / double(times);
    s = std::sqrt(s), rms = std::sqrt(rms);
    const bool scatters = s > by_rounding * rms;
    c.scale[k] = scatters ? s : rms > 0 ? rms : 1;
    factor[k] = scatters ? 1 / s : 0;
    c.total += scatters ? double(times) : 0;
  }
  for (Index i = 0; i < x.rows(); ++i) x.row(i).array() *= factor.transpose().replicate(1, times).array();
}

}  // namespace

// Subspace iteration on XᵀX with some vectors more than are wanted: the spectrum of responses falls fast, and a full decomposition of
// thousands of columns takes minutes. Exact when there are no more columns or rows than vectors.
PrincipalComponents principal_components(const Responses& responses, int most) {
  const Index n = responses.count(), channels = responses.channels, columns = Index(responses.times.size()) * channels;
  if (n < 2) throw std::invalid_argument("principal components need at least two simulated responses");
  PrincipalComponents c;
  Rows x = Eigen::Map<const Rows>(responses.values.data(), n, columns);
  if (!x.allFinite()) throw std::invalid_argument("a simulated response is not finite");
  standardise(x, channels, c);
  if (!(c.total > 0))
    throw std::invalid_argument("the simulated responses do not scatter: there is nothing to identify from them");

  const Index vectors = std::min({Index(most) + 10, n - 1, columns});
  std::mt19937 bits(1);  // any start will do, but always the same
  Eigen::MatrixXd start(n, vectors);
  for (Index j = 0; j < vectors; ++j)
    for (Index i = 0; i < n; ++i) start(i, j) = bits() & 1u ? 1 : -1;
  Eigen::MatrixXd q = dense::orthonormal_columns(x.transpose() * start);
  for (int iteration = 0; iteration < 4; ++iteration) q = dense::orthonormal_columns(x.transpose() * (x * q).eval());

  const Eigen::MatrixXd y = x * q;
  const dense::SymmetricEigen eigen = dense::symmetric_eigen(dense::transposed_times(y, y) / double(n - 1));
  Index found = 0;  // eigenvalues rise
  while (found < std::min(vectors, Index(most)) && eigen.values[vectors - 1 - found] > 1e-13 * c.total) ++found;
  c.variance = eigen.values.tail(found).reverse();
  c.basis = dense::times(q, eigen.vectors.rightCols(found).rowwise().reverse());
  // The sign of an eigenvector is arbitrary: its largest entry is positive.
  for (Index j = 0; j < found; ++j) {
    Index largest = 0;
    c.basis.col(j).cwiseAbs().maxCoeff(&largest);
    if (c.basis(largest, j) < 0) c.basis.col(j) *= -1;
  }
  return c;
}

}  // namespace aleator::core::inference
