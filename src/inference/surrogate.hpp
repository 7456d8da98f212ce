// A cheap stand-in for a log-likelihood that is dear: Kriging (Gaussian process regression) through evaluated points of the unit cube.
//   z(x) = hᵀ(x) β + Z(x) + e,   cov Z = s² k(x, x'),   var e = s² ν
// with h a quadratic polynomial (linear or constant while points are few), k Matérn 5/2 with one length per dimension, and the nugget ν for
// small jumps. Lengths and ν maximise the marginal likelihood, β and s² integrated out (REML).
//
// A log-likelihood falls to −10⁵ far from its maximum, which must not spoil the fit where it matters. The drop t below the best point is
// therefore kept up to a depth T and is bent into a logarithm beyond it, z = −T (1 + log(t/T)), and such points count as less exact. The
// surrogate is low where they are low, but not to a unit.
#pragma once

#include <Eigen/Core>
#include <span>
#include <vector>

namespace aleator::core::inference {

class Surrogate {
 public:
  Surrogate() = default;
  // points: [dimensions][n], n > 1; values: [n], one finite at least; −∞ and NaN count as far down. An earlier surrogate of the same function
  // gives the search for the lengths a start. `noise`: [n] how much larger the nugget is at each point; none: alike.
  Surrogate(const Eigen::MatrixXd& points, std::span<const double> values, double depth, const Surrogate* earlier = nullptr,
            std::span<const double> noise = {});

  int dimensions() const { return int(lengths_.size()); }
  double value(std::span<const double> x) const;      // any thread
  double deviation(std::span<const double> x) const;  // standard deviation of the error of z there; slower; any thread
  double noise() const;                               // standard deviation of e: the jumps
  const Eigen::VectorXd& lengths() const { return lengths_; }

 private:
  struct Fit;

  void set_lengths(const Eigen::VectorXd& log_lengths);
  double correlations(std::span<const double> x, Eigen::ArrayXd* all) const;
  Eigen::VectorXd trend(std::span<const double> x) const;

  int count_ = 0, degree_ = 0;
  double best_ = 0, depth_ = 0, variance_ = 0, nugget_ = 0;
  Eigen::VectorXd lengths_;
  Eigen::ArrayXXd scaled_;  // [n, padded][dimensions] points over lengths
  Eigen::ArrayXd weights_;  // [n, padded] K⁻¹ (z − H β)
  Eigen::VectorXd beta_;
  Eigen::MatrixXd factor_;        // K = L Lᵀ
  Eigen::MatrixXd whitened_;      // L⁻¹ H
  Eigen::MatrixXd trend_factor_;  // Hᵀ K⁻¹ H = R Rᵀ
};

}  // namespace aleator::core::inference
