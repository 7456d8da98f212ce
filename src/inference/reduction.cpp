#include "inference/reduction.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <stdexcept>
#include <utility>

#include "base/parallel.hpp"
#include "inference/principal_components.hpp"
#include "numerics/dense.hpp"

namespace aleator::core::inference {
namespace {

using Eigen::Index;
using Rows = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

constexpr int worth_telling = 50;  // principal components
// Nothing is measured or simulated better than to a thousandth of its scatter: bounds the weight of a channel without noise.
constexpr double least_variance = 1e-6;

void check_shapes(const Responses& reference, const results::Measurements& measured) {
  const std::size_t channels = measured.channels.size();
  if (std::size_t(reference.channels) != channels || measured.noise.size() != channels)
    throw std::invalid_argument("measurements, their noise and simulated responses must have the same outputs");
  for (const double noise : measured.noise)
    if (!(noise >= 0) || !std::isfinite(noise)) throw std::invalid_argument("the noise of measurements must not be negative");
  if (measured.specimens.empty()) throw std::invalid_argument("there are no measurements");
  for (const results::Specimen& s : measured.specimens)
    if (s.values.size() != s.times.size() * channels)
      throw std::invalid_argument(fmt::format("{}: values do not fill times and outputs", s.name));
}

// τ_c²: variance of each channel that the components leave out, scaled, mean over time.
Eigen::VectorXd truncated(const PrincipalComponents& c, int components, Index channels) {
  const Index times = c.mean.size() / channels;
  const Eigen::VectorXd kept = c.basis.leftCols(components).array().square().matrix() * c.variance.head(components);
  Eigen::VectorXd rest(channels);
  for (Index k = 0; k < channels; ++k) {
    double sum = 0;
    for (Index t = 0; t < times; ++t) sum += kept[t * channels + k];
    rest[k] = sum > 0 ? std::max(1 - sum / double(times), 0.0) : 0;  // a channel that is not in them does not scatter
  }
  return rest;
}

// H applied to each column of `x`, [times × channels][any].
Eigen::MatrixXd interpolated(const std::vector<ObservedPoint>& points, const Eigen::MatrixXd& x, Index channels) {
  Eigen::MatrixXd y(points.size(), x.cols());
  for (std::size_t i = 0; i < points.size(); ++i) {
    const ObservedPoint& p = points[i];
    const Index row = p.before * channels + p.channel;
    y.row(Index(i)) = x.row(row);
    if (p.beyond > 0) y.row(Index(i)) = (1 - p.beyond) * x.row(row) + p.beyond * x.row(row + channels);
  }
  return y;
}

Pattern make_pattern(std::vector<ObservedPoint> points, const PrincipalComponents& c, int q, const Eigen::VectorXd& noise,
                     const std::string& name) {
  if (points.size() < std::size_t(q))
    throw std::invalid_argument(
        fmt::format("{}: {} measured values are too few for {} principal components of the responses", name, points.size(), q));
  Pattern p;
  const Index channels = c.scale.size(), n = Index(points.size());
  const Eigen::VectorXd rest = truncated(c, q, channels);
  p.basis = interpolated(points, c.basis.leftCols(q), channels);
  p.mean = interpolated(points, c.mean, channels);
  p.noise.resize(n), p.weights.resize(n);
  for (Index i = 0; i < n; ++i) {
    const int k = points[std::size_t(i)].channel;
    p.mean[i] /= c.scale[k];
    p.noise[i] = noise[k] / c.scale[k];
    p.weights[i] = 1 / std::max(p.noise[i] * p.noise[i] + rest[k], least_variance);
  }
  p.points = std::move(points);
  const Eigen::MatrixXd weighted = p.basis.transpose() * p.weights.asDiagonal();
  Eigen::MatrixXd normal = dense::times(weighted, p.basis);
  if (!(dense::reciprocal_condition(normal) > 1e-12))
    throw std::invalid_argument(
        fmt::format("{}: its measured times cannot distinguish the {} principal components of the responses", name, q));
  dense::cholesky(normal);
  p.projection = dense::solve_cholesky(normal, weighted);
  p.covariance = dense::times_transposed(p.projection * p.noise.cwiseAbs2().asDiagonal(), p.projection);
  return p;
}

}  // namespace

Reduction::Reduction(const Responses& reference, const results::Measurements& measured, const ReductionSettings& settings)
    : times_(reference.times), channels_(reference.channels) {
  check_shapes(reference, measured);
  const PrincipalComponents c = principal_components(reference, std::max(worth_telling, settings.most));
  for (Index k = 0; k < std::min<Index>(c.variance.size(), worth_telling); ++k) energy_.push_back(c.variance[k] / c.total);
  while (components_ < std::min<Index>(settings.most, c.variance.size()) && (components_ == 0 || captured_ < settings.energy))
    captured_ += c.variance[components_++] / c.total;
  captured_ = std::min(captured_, 1.0);
  scale_ = c.scale;

  const Eigen::VectorXd noise = Eigen::Map<const Eigen::VectorXd>(measured.noise.data(), channels_);
  std::map<std::pair<std::vector<double>, std::vector<bool>>, int> known;  // times and gaps
  for (const results::Specimen& s : measured.specimens) {
    std::vector<bool> there;
    for (const double v : s.values) there.push_back(std::isfinite(v));
    const auto [entry, is_new] = known.try_emplace({s.times, there}, int(patterns_.size()));
    if (is_new) {
      std::vector<ObservedPoint> points;
      for (std::size_t i = 0; i < there.size(); ++i)
        if (there[i]) points.push_back(observed_point(times_, s.times[i / channels_], int(i % channels_), s.name));
      patterns_.push_back(make_pattern(std::move(points), c, components_, noise, s.name));
    }
    add_specimen(s, entry->second);
  }
  make_operators();
}

void Reduction::add_specimen(const results::Specimen& specimen, int pattern) {
  const Pattern& p = patterns_[pattern];
  ReducedSpecimen r{pattern, -p.mean, {}};
  Index i = 0;
  for (const double v : specimen.values)
    if (std::isfinite(v)) r.deviation[i] += v / scale_[p.points[i].channel], ++i;
  r.reduced = p.projection * r.deviation;
  specimens_.push_back(std::move(r));
}

void Reduction::make_operators() {
  const Index q = components_, all = q * Index(patterns_.size());
  operators_ = Eigen::MatrixXd::Zero(Index(times_.size()) * channels_, all);
  offsets_.resize(all);
  for (std::size_t k = 0; k < patterns_.size(); ++k) {
    const Pattern& p = patterns_[k];
    auto block = operators_.middleCols(Index(k) * q, q);
    for (std::size_t i = 0; i < p.points.size(); ++i) {
      const ObservedPoint& at = p.points[i];
      const Index row = Index(at.before) * channels_ + at.channel;
      const Eigen::RowVectorXd a = p.projection.col(Index(i)).transpose() / scale_[at.channel];
      block.row(row) += (1 - at.beyond) * a;
      if (at.beyond > 0) block.row(row + channels_) += at.beyond * a;
    }
    offsets_.segment(Index(k) * q, q) = p.projection * p.mean;
  }
}

Reduced Reduction::reduce(const Responses& responses) const {
  if (responses.channels != channels_ || responses.times != times_)
    throw std::invalid_argument("responses to be reduced must have the outputs and times of the reference");
  const Index n = responses.count();
  const Eigen::Map<const Rows> z(responses.values.data(), n, operators_.rows());
  Reduced r{components_, Eigen::MatrixXd(n, operators_.cols())};
  constexpr Index portion = 250;
  each_in_parallel(std::size_t((n + portion - 1) / portion), [&](std::size_t k) {
    const Index first = Index(k) * portion, rows = std::min(portion, n - first);
    r.values.middleRows(first, rows).noalias() = z.middleRows(first, rows) * operators_;
    r.values.middleRows(first, rows).rowwise() -= offsets_.transpose();
  });
  if (!r.values.allFinite()) throw std::invalid_argument("a simulated response is not finite");
  return r;
}

}  // namespace aleator::core::inference
