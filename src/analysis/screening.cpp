#include "analysis/screening.hpp"

#include <cmath>
#include <limits>

#include "analysis/time_integral.hpp"
#include "numerics/series.hpp"

namespace aleator::core::analysis {

ScreeningEstimator::ScreeningEstimator(std::vector<std::string> variables, std::span<const double> times, int channels)
    : variables_(std::move(variables)),
      weights_(trapezoidal_weights(times)),
      channels_(std::size_t(channels)),
      rows_(times.size() * channels_),
      effects_(variables_.size(), Moments(times.size() * channels_)),
      magnitudes_(effects_),
      lengths_(variables_.size(), Moments(channels_)) {}

void ScreeningEstimator::add(int changed, double step, bool ok, std::span<const double> values) {
  const bool usable = ok && all_finite(values);
  if (changed < 0) ++trajectories_;
  if (usable) rows_.add(values);
  if (usable && changed >= 0 && !before_.empty()) {
    std::vector<double> effect(values.size()), magnitude(values.size()), length(channels_);
    for (std::size_t t = 0, i = 0; t < weights_.size(); ++t)
      for (std::size_t c = 0; c < channels_; ++c, ++i) {
        effect[i] = (values[i] - before_[i]) / step;
        magnitude[i] = std::abs(effect[i]);
        length[c] += weights_[t] * effect[i] * effect[i];
      }
    for (double& x : length) x = std::sqrt(x);
    effects_[std::size_t(changed)].add(effect);
    magnitudes_[std::size_t(changed)].add(magnitude);
    lengths_[std::size_t(changed)].add(length);
  }
  before_.clear();
  if (usable) before_.assign(values.begin(), values.end());
}

results::Screening ScreeningEstimator::finish() const {
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  results::Screening out;
  out.variables = variables_;
  out.trajectories = trajectories_;
  const auto square = [](double x) { return x * x; };
  for (std::size_t c = 0; c < channels_; ++c) {
    double scatter = 0;  // ∫ V dt
    for (std::size_t t = 0; t < weights_.size(); ++t)
      scatter += weights_[t] * square(rows_.standard_deviation(t * channels_ + c).value);
    out.of.emplace_back();
    for (std::size_t v = 0; v < variables_.size(); ++v) {
      results::Screening::OfVariable x;
      double of_sigma = 0;
      for (std::size_t t = 0; t < weights_.size(); ++t) {
        const std::size_t i = t * channels_ + c;
        const results::Estimate magnitude = magnitudes_[v].mean(i);
        x.effects = long(effects_[v].count(i));
        x.mu.push_back(effects_[v].mean(i).value);
        x.mu_star.push_back(magnitude.value);
        x.mu_star_error.push_back(magnitude.error);
        x.sigma.push_back(effects_[v].standard_deviation(i).value);
        of_sigma += weights_[t] * square(x.sigma.back());
      }
      const results::Estimate length = lengths_[v].mean(c);
      const double unit = scatter > 0 ? std::sqrt(scatter) : nan;
      x.integrated_mu_star = {length.value / unit, length.error / unit};
      x.integrated_sigma = std::sqrt(of_sigma) / unit;
      out.of.back().push_back(std::move(x));
    }
  }
  return out;
}

}  // namespace aleator::core::analysis
