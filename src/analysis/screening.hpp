// Elementary effects from trajectories that change one variable at a time (Morris 1991, Campolongo et al. 2007):
//   e = (y(u + Δ) − y(u)) / Δ,  Δ the signed step in probability,
//   mu = mean of e,  mu_star = mean of |e|,  sigma = standard deviation of e, over trajectories.
// mu_star tells how much a variable matters, sigma how far its effect depends on where the others, or itself, are: interactions and
// curvature. Of all times together: the mean over trajectories of (∫ e² dt)^½, and (∫ sigma² dt)^½, both divided by (∫ V dt)^½ with V the
// variance of the output over all rows. A row that failed spoils only the effects on both sides of it.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "analysis/moments.hpp"
#include "results/study.hpp"

namespace aleator::core::analysis {

class ScreeningEstimator {
 public:
  // Values are [times][channels].
  ScreeningEstimator(std::vector<std::string> variables, std::span<const double> times, int channels);

  // Rows in their order: which variable differs from the row before and by how much; changed < 0 begins a trajectory.
  void add(int changed, double step, bool ok, std::span<const double> values);

  results::Screening finish() const;

 private:
  std::vector<std::string> variables_;
  std::vector<double> weights_;  // [times] of the trapezoidal rule
  std::size_t channels_;
  long trajectories_ = 0;
  std::vector<double> before_;  // the last row; empty when it failed
  Moments rows_;                // [times][channels] of all rows
  // per variable
  std::vector<Moments> effects_, magnitudes_;  // [times][channels]
  std::vector<Moments> lengths_;               // [channels] (∫ e² dt)^½
};

}  // namespace aleator::core::analysis
