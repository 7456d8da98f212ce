// Nonlinear least squares in the unit cube: minimise ½ Σ r_i(u)², 0 ≤ u_j ≤ 1, from one start.
//   (JᵀJ + λ D) δ = −Jᵀr,  D = diag JᵀJ (Marquardt),
// solved within the bounds: a coordinate that would leave the cube stops at its bound and the others are solved again. Several λ are
// tried at once, and the best is kept: the caller simulates many points in parallel, so that it costs one simulation's time.
#pragma once

#include <Eigen/Core>
#include <functional>
#include <vector>

#include "inference/unit_cube.hpp"

namespace aleator::core::inference {

using Points = std::vector<Place>;
using Residuals =
    std::function<std::vector<std::vector<double>>(const Points&)>;  // all as long; empty or with a NaN: the model failed there

struct MarquardtSettings {
  double step;          // of the differences
  double tolerance;     // stop when a step is less than this many standard errors
  int most_iterations;  // each one Jacobian
};

struct Minimum {
  std::vector<double> u;
  Eigen::VectorXd residuals;
  Eigen::MatrixXd jacobian;  // d r_i / d u_j
  double first_cost = 0;     // at the start
  double cost = 0;           // ½ Σ r²
  std::vector<int> bound;    // −1, +1: held at 0, at 1, where the cost falls towards the outside; 0: free
  bool converged = false;
  long evaluations = 0;
};

Minimum levenberg_marquardt(const Residuals& residuals, const std::vector<double>& start, const MarquardtSettings& settings);

// ½ Σ r²; infinite where the model failed.
double cost_of(const std::vector<double>& residuals);

}  // namespace aleator::core::inference
