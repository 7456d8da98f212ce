// Sparse expansions. Outputs of one channel at neighbouring times say much the same: with its principal components
//   Y − mean = U L + remainder,   U [n][k] orthonormal, L = Uᵀ (Y − mean) [k][times],
// the columns of U are fitted one by one, u ≈ Ψ b, and C = B L (+ the mean in the constant) is one product for all times.
#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <set>
#include <stdexcept>

#include "analysis/chaos.hpp"
#include "analysis/chaos_fit.hpp"
#include "analysis/least_angle.hpp"
#include "numerics/dense.hpp"

namespace aleator::core::analysis {

using Eigen::Index;
using Eigen::MatrixXd;

namespace {

constexpr double negligible = 1e-10;  // share of a channel's variance that components may leave out …
constexpr double unimportant = 1e-3;  // … or this share of what the fits of larger ones miss
constexpr std::size_t fitted_at_once = 8;

// The columns of one channel among [times][channels].
template <class M>
auto channel_of(M& y, Index channel, Index channels) {
  return y(Eigen::all, Eigen::seq(channel, Eigen::last, channels));
}

struct Channel {
  Eigen::RowVectorXd mean;   // [times]
  MatrixXd y;                // [n][times] around the mean
  MatrixXd u;                // [n][k], the largest first
  Eigen::VectorXd variance;  // [k]
  MatrixXd loadings;         // [k][times]
  std::vector<SparseFit> fits;
};

// Left singular vectors from the eigenvectors of Y Yᵀ, which knows variances down to round-off (shares of 1e-15), or, where times
// are fewer than points, of Yᵀ Y: u = Y v/σ. A decomposition takes the cube of its size and hears of no interruption.
Channel principal_components(const Responses& all, Index channel, Index channels) {
  Channel c;
  c.y = channel_of(all, channel, channels);
  c.mean = c.y.colwise().mean();
  c.y.rowwise() -= c.mean;
  const bool by_times = c.y.cols() < c.y.rows();
  const auto [variances, vectors] =
      dense::symmetric_eigen(by_times ? dense::transposed_times(c.y, c.y) : dense::times_transposed(c.y, c.y));
  const double whole = std::max(0.0, variances.sum());
  Index n = variances.size(), left_out = 0;
  for (double sum = 0; left_out < n; ++left_out) {
    sum += std::max(0.0, variances[left_out]);
    if (sum > negligible * whole) break;
  }
  c.u = vectors.rightCols(n - left_out).rowwise().reverse();
  c.variance = variances.tail(n - left_out).reverse();
  if (by_times) c.u = dense::times(c.y, c.u) * c.variance.cwiseSqrt().cwiseInverse().asDiagonal();
  return c;
}

// Fits the largest components of every channel, a few at a time, until those that are left cannot matter.
void fit_all(std::vector<Channel>& channels, const Candidates& candidates) {
  std::vector<double> missed(channels.size(), 0);
  for (;;) {
    std::vector<std::pair<std::size_t, std::size_t>> work;  // channel, component
    for (std::size_t i = 0; i < channels.size(); ++i) {
      Channel& c = channels[i];
      const std::size_t done = c.fits.size(), all = std::size_t(c.variance.size());
      if (done == all || c.variance.tail(Index(all - done)).sum() < unimportant * missed[i]) continue;
      c.fits.resize(std::min(all, done + fitted_at_once));
      for (std::size_t k = done; k < c.fits.size(); ++k) work.emplace_back(i, k);
    }
    if (work.empty()) break;
    each_in_parallel(work.size(), [&](std::size_t w) {
      Channel& c = channels[work[w].first];
      c.fits[work[w].second] = least_angle_fit(candidates, c.u.col(Index(work[w].second)));
    });
    for (const auto& [i, k] : work) missed[i] += channels[i].variance[Index(k)] * channels[i].fits[k].left_out.squaredNorm();
  }
  for (Channel& c : channels) {
    c.u.conservativeResize(Eigen::NoChange, Index(c.fits.size()));
    c.loadings = dense::transposed_times(c.u, c.y);
  }
}

std::vector<int> terms_in_use(const std::vector<Channel>& channels) {
  std::set<int> terms = {0};
  for (const Channel& c : channels)
    for (const SparseFit& f : c.fits) terms.insert(f.terms.begin(), f.terms.end());
  return {terms.begin(), terms.end()};
}

// C of one channel: [terms][times].
MatrixXd coefficients(const Channel& c, std::span<const int> terms) {
  MatrixXd b = MatrixXd::Zero(Index(terms.size()), Index(c.fits.size()));
  for (std::size_t k = 0; k < c.fits.size(); ++k)
    for (std::size_t i = 0; i < c.fits[k].terms.size(); ++i) {
      const auto row = std::lower_bound(terms.begin(), terms.end(), c.fits[k].terms[i]) - terms.begin();
      b(row, Index(k)) = c.fits[k].coefficients[Index(i)];
    }
  MatrixXd out = dense::times(b, c.loadings);
  out.row(0) += c.mean;
  return out;
}

// Errors of one channel at points left out, [n][times]; what the components do not hold counts as error.
MatrixXd left_out_errors(const Channel& c) {
  MatrixXd of_fits(c.y.rows(), Index(c.fits.size()));
  for (std::size_t k = 0; k < c.fits.size(); ++k) of_fits.col(Index(k)) = c.fits[k].left_out;
  return c.y + dense::times(of_fits - c.u, c.loadings);
}

}  // namespace

Expansion sparse_least_squares(const ChaosBasis& candidates, std::span<const double> points, const Responses& y, int channels) {
  check_responses(candidates, points, y);
  if (channels < 1 || y.cols() % channels != 0)
    throw std::invalid_argument(fmt::format("{} outputs are not those of {} channels", y.cols(), channels));
  if (y.rows() < 3) throw std::invalid_argument(fmt::format("a sparse expansion needs at least 3 points, not {}", y.rows()));

  std::vector<Channel> parts(static_cast<std::size_t>(channels));
  each_in_parallel(parts.size(), [&](std::size_t c) { parts[c] = principal_components(y, Index(c), channels); });
  fit_all(parts, Candidates(values(candidates, points)));
  const std::vector<int> terms = terms_in_use(parts);

  Expansion e{selected(candidates, terms), RowMatrix(Index(terms.size()), y.cols()), {}, sample_variance(y), y.rows()};
  e.condition = std::numeric_limits<double>::quiet_NaN();
  e.left_out.resize(y.rows(), y.cols());
  Eigen::RowVectorXd errors(y.cols());
  std::size_t components = 0;
  for (const Channel& part : parts) components += part.fits.size();
  each_in_parallel(parts.size(), [&](std::size_t c) {
    channel_of(e.coefficients, Index(c), channels) = coefficients(parts[c], terms);
    const MatrixXd own = left_out_errors(parts[c]);
    channel_of(e.left_out, Index(c), channels) = own;
    channel_of(errors, Index(c), channels) = own.colwise().squaredNorm() / double(y.rows());
  });
  e.loo = relative_to(e.scattered, {errors.begin(), errors.end()});
  e.how = fmt::format("sparse least squares with {} points: {} of {} terms for {} principal components of {} channels", y.rows(),
                      terms.size(), candidates.terms, components, channels);
  return e;
}

}  // namespace aleator::core::analysis
