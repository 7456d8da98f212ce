// How well a simulated response follows a measured one, by the density of the noise:
//   log p(y | x) = −½ Σ_i r_i²,   r_i = (y_i − (H z(x))_i) / σ_i,
// with z(x) the response of the model to inputs x at its own times and H the linear interpolation to the measured points; the
// constant −Σ log(σ_i √2π) is left out.
#pragma once

#include <Eigen/Core>
#include <span>
#include <vector>

#include "inference/observed_point.hpp"
#include "results/measurements.hpp"

namespace aleator::core::inference {

class NoiseDensity {
 public:
  // `times`: of the model. The noise of every output must be positive. Throws std::invalid_argument.
  NoiseDensity(const std::vector<double>& times, const results::Measurements& measured);

  int specimens() const { return int(values_.size()); }
  long points(int specimen) const { return long(values_[std::size_t(specimen)].size()); }
  // Of a response [times × channels]; empty: the simulation failed, and the density is none.
  Eigen::VectorXd residuals(int specimen, std::span<const double> response) const;  // r, empty as well
  // −∞. Below the floor any number that is: most responses are far from most specimens, which the first points tell.
  double log_density(int specimen, std::span<const double> response, double floor) const;

 private:
  double residual(int specimen, std::size_t i, std::span<const double> response) const;

  int channels_ = 0;
  std::vector<double> noise_;                       // [channels]
  std::vector<std::vector<ObservedPoint>> points_;  // [specimens]
  std::vector<std::vector<double>> values_;         // [specimens] of the points
};

}  // namespace aleator::core::inference
