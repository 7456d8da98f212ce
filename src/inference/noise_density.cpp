#include "inference/noise_density.hpp"

#include <cmath>
#include <limits>
#include <stdexcept>

namespace aleator::core::inference {

NoiseDensity::NoiseDensity(const std::vector<double>& times, const results::Measurements& measured)
    : channels_(int(measured.channels.size())), noise_(measured.noise) {
  for (const double noise : noise_)
    if (!(noise > 0) || !std::isfinite(noise)) throw std::invalid_argument("without noise measurements have no density");
  for (const results::Specimen& s : measured.specimens) {
    points_.emplace_back(), values_.emplace_back();
    for (std::size_t i = 0; i < s.values.size(); ++i) {
      if (!std::isfinite(s.values[i])) continue;
      points_.back().push_back(
          observed_point(times, s.times[i / std::size_t(channels_)], int(i % std::size_t(channels_)), s.name));
      values_.back().push_back(s.values[i]);
    }
  }
}

double NoiseDensity::residual(int specimen, std::size_t i, std::span<const double> response) const {
  const ObservedPoint& p = points_[std::size_t(specimen)][i];
  const double z = p.of([&](int t) { return response[std::size_t(t * channels_ + p.channel)]; });
  return (values_[std::size_t(specimen)][i] - z) / noise_[std::size_t(p.channel)];
}

Eigen::VectorXd NoiseDensity::residuals(int specimen, std::span<const double> response) const {
  if (response.empty()) return {};
  Eigen::VectorXd r(points(specimen));
  for (Eigen::Index i = 0; i < r.size(); ++i) r[i] = residual(specimen, std::size_t(i), response);
  return r;
}

double NoiseDensity::log_density(int specimen, std::span<const double> response, double floor) const {
  if (response.empty()) return -std::numeric_limits<double>::infinity();
  double sum = 0;
  const std::size_t n = values_[std::size_t(specimen)].size();
  for (std::size_t i = 0; i < n && -0.5 * sum >= floor; ++i) {
    const double r = residual(specimen, i, response);
    sum += r * r;
  }
  return -0.5 * sum;
}

}  // namespace aleator::core::inference
